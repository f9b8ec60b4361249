-- What is set for all clients: one row. An alarm is an offset from the due date, NULL for none. A new database has an
-- alarm for days; others keep what they had.
CREATE TABLE settings (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  defaultAlarm TEXT CHECK (length(defaultAlarm) BETWEEN 1 AND 40),
  defaultDayAlarm TEXT CHECK (length(defaultDayAlarm) BETWEEN 1 AND 40)
) STRICT;

INSERT INTO settings (id, defaultAlarm, defaultDayAlarm)
VALUES (1, 'PT0S', CASE WHEN NOT EXISTS (SELECT 1 FROM reminders) THEN 'PT9H' END);
