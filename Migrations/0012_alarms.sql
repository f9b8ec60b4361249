-- Alarms of reminders, and what has rung.
--
-- at: an instant. Or anchor: what the alarm is counted from, 0 the due date, 1 the start date; offset: how long after
-- it, an ISO 8601 duration such as -PT10M. repeatEvery: the time between repetitions, a duration as well. state: 0 armed,
-- 1 ringing, 2 snoozed, 3 acknowledged, 4 passed. fireAt: when it rings next. isStale: fireAt is to be worked out, which
-- needs the files of the time zones and cannot be done in a trigger. rung: how often it has rung again.
CREATE TABLE alarms (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 9007199254740992),
  reminderID INTEGER NOT NULL,
  at TEXT,
  anchor INTEGER CHECK (anchor BETWEEN 0 AND 1),
  offset TEXT CHECK (length(offset) BETWEEN 2 AND 40 AND offset NOT GLOB '*[^-+PDTHMSW0-9.]*'),
  repeatEvery TEXT CHECK (length(repeatEvery) BETWEEN 3 AND 40 AND repeatEvery NOT GLOB '*[^PDTHMSW0-9.]*'),
  repeatTimes INTEGER NOT NULL DEFAULT 0 CHECK (repeatTimes BETWEEN 0 AND 100),
  state INTEGER NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 4),
  fireAt TEXT,
  isStale INTEGER NOT NULL DEFAULT 1 CHECK (isStale BETWEEN 0 AND 1),
  rung INTEGER NOT NULL DEFAULT 0 CHECK (rung BETWEEN 0 AND 100),
  firedAt TEXT,
  snoozedUntil TEXT,
  acknowledgedAt TEXT,
  CHECK ((at IS NULL) <> (anchor IS NULL)),
  CHECK ((anchor IS NULL) = (offset IS NULL)),
  CHECK ((repeatEvery IS NULL) = (repeatTimes = 0)),
  CHECK (state < 3 OR fireAt IS NULL)
) STRICT;

CREATE INDEX alarms_reminder ON alarms (reminderID, id);
CREATE INDEX alarms_fireAt ON alarms (fireAt, id);
CREATE INDEX alarms_state ON alarms (state, fireAt, id);
CREATE INDEX alarms_ringing ON alarms (state, firedAt, id) WHERE state = 1;
CREATE INDEX alarms_stale ON alarms (id) WHERE isStale = 1;

-- Each time that an alarm has rung. dueAt: the instant at which it was to ring. A row is written in the transaction that
-- changes the state of the alarm, so an alarm rings once for each of its moments.
CREATE TABLE firings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  alarmID INTEGER NOT NULL,
  reminderID INTEGER NOT NULL,
  dueAt TEXT NOT NULL,
  rung INTEGER NOT NULL,
  firedAt TEXT NOT NULL,
  UNIQUE (alarmID, dueAt, rung)
) STRICT;

CREATE INDEX firings_firedAt ON firings (firedAt, id);

-- alarmCount: the number of alarms of a reminder. Triggers keep it.
ALTER TABLE reminders ADD COLUMN alarmCount INTEGER NOT NULL DEFAULT 0;

-- What the times of alarms were worked out with: the zone of reminders without one, and the version of the time zone
-- files. If either has changed since, all of them are worked out again.
CREATE TABLE alarmClock (id INTEGER PRIMARY KEY CHECK (id = 1), zone TEXT NOT NULL, zoneFiles TEXT NOT NULL) STRICT;
