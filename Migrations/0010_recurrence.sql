-- Start dates, recurrence, and what was completed.
--
-- startDate: like dueDate, and of the same kind. timeZone: the zone of the times of day of a recurrence.
-- recurrenceRule: the value of an RRULE (RFC 5545); NULL for a reminder that does not recur. recurrenceBasis: what the
-- next occurrence is counted from: 0 the series, skipping what was missed; 1 the series; 2 the completion.
-- recurrenceStart: the first due date of the series. recurrenceExcluded: a JSON array of the occurrences left out.
-- completedAt: set exactly while status is 1.

ALTER TABLE reminders ADD COLUMN startDate TEXT;
ALTER TABLE reminders ADD COLUMN timeZone TEXT;
ALTER TABLE reminders ADD COLUMN recurrenceRule TEXT;
ALTER TABLE reminders ADD COLUMN recurrenceBasis INTEGER NOT NULL DEFAULT 0 CHECK (recurrenceBasis BETWEEN 0 AND 2);
ALTER TABLE reminders ADD COLUMN recurrenceStart TEXT;
ALTER TABLE reminders ADD COLUMN recurrenceExcluded TEXT;
ALTER TABLE reminders ADD COLUMN completedAt TEXT;

UPDATE reminders SET completedAt = updatedAt WHERE status = 1;

CREATE INDEX reminders_startDate ON reminders (startDate) WHERE startDate IS NOT NULL;
CREATE INDEX reminders_completedAt ON reminders (completedAt) WHERE completedAt IS NOT NULL;
CREATE INDEX reminders_recurring ON reminders (status) WHERE recurrenceRule IS NOT NULL;

-- Every completion of a reminder, and every occurrence that was skipped. The rows of a deleted reminder are deleted when
-- it is erased from the trash.
--
-- dueDate and startDate: of the occurrence. recurrenceRule and recurrenceStart: what they were before, if completing the
-- occurrence changed them. kind: 0 completed, 1 skipped.
CREATE TABLE completions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  reminderID INTEGER NOT NULL,
  title TEXT NOT NULL,
  dueDate TEXT,
  startDate TEXT,
  recurrenceRule TEXT,
  recurrenceStart TEXT,
  completedAt TEXT NOT NULL,
  kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 1)
) STRICT;

CREATE INDEX completions_reminder ON completions (reminderID, id);
CREATE INDEX completions_completedAt ON completions (completedAt, id);

INSERT INTO completions (reminderID, title, dueDate, completedAt, kind)
SELECT id, title, dueDate, completedAt, 0 FROM reminders WHERE status = 1 AND completedAt IS NOT NULL ORDER BY completedAt, id;
