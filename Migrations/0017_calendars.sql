-- Calendars: what CalDAV clients call lists and reminders, and the texts that they have written.
--
-- calendarCollections: name is the last part of the path of a list, if a client has made it. properties: what clients
-- have set that no column has, as XML. horizon: the highest version of a deletion in the list that the feed has
-- forgotten.
CREATE TABLE calendarCollections (
  listID INTEGER PRIMARY KEY,
  name TEXT UNIQUE,
  properties TEXT,
  horizon INTEGER NOT NULL DEFAULT 0
) STRICT;

-- name: the last part of the path of a reminder, if a client has made it. parentUID: the UID of a parent that is not
-- there yet. raw: the text as a client has written it, until somebody changes the reminder. lines: what it said that the
-- service has no place for, as content lines (RFC 5545).
CREATE TABLE calendarObjects (
  reminderID INTEGER PRIMARY KEY,
  name TEXT,
  parentUID TEXT,
  raw TEXT,
  lines TEXT
) STRICT;

INSERT INTO calendarObjects (reminderID, lines)
SELECT reminderID, lines FROM calendarLines WHERE reminderID IN (SELECT id FROM reminders);
DROP TABLE calendarLines;

CREATE INDEX calendarObjects_name ON calendarObjects (name);
CREATE INDEX calendarObjects_parent ON calendarObjects (parentUID) WHERE parentUID IS NOT NULL;

-- calendarVersion: the version of the last change that its text as a calendar object shows. Positions and the numbers of
-- subtasks are not a part of it.
ALTER TABLE reminders ADD COLUMN calendarVersion INTEGER DEFAULT 0;
UPDATE reminders SET calendarVersion = version;
-- Only for questions about versions: without its condition it would be used for all rows of a list.
CREATE INDEX reminders_calendar ON reminders (remindersListID, calendarVersion) WHERE calendarVersion IS NOT NULL;
-- With the list, so that a search for a UID of a list does not walk along the list.
DROP INDEX reminders_uid;
CREATE INDEX reminders_uid ON reminders (uid, remindersListID) WHERE uid IS NOT NULL;

-- name: what clients called a reminder that is gone.
ALTER TABLE changes ADD COLUMN name TEXT;
CREATE INDEX changes_goneFromList ON changes (listID, version) WHERE gone IS NOT NULL;

-- A completion can be one that another program has made by moving the due date: kind 2, elsewhere.
CREATE TABLE newCompletions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  reminderID INTEGER NOT NULL,
  title TEXT NOT NULL,
  dueDate TEXT,
  startDate TEXT,
  recurrenceRule TEXT,
  recurrenceStart TEXT,
  completedAt TEXT NOT NULL,
  kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 2),
  causeID INTEGER,
  subtasks TEXT
) STRICT;
INSERT INTO newCompletions SELECT id, reminderID, title, dueDate, startDate, recurrenceRule, recurrenceStart,
  completedAt, kind, causeID, subtasks FROM completions;
INSERT INTO sqlite_sequence (name, seq) SELECT 'newCompletions', 0
WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'newCompletions');
UPDATE sqlite_sequence SET seq = coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'completions'), 0)
WHERE name = 'newCompletions';
DROP TABLE completions;
ALTER TABLE newCompletions RENAME TO completions;
CREATE INDEX completions_reminder ON completions (reminderID, id);
CREATE INDEX completions_completedAt ON completions (completedAt, id);
CREATE INDEX completions_cause ON completions (causeID) WHERE causeID IS NOT NULL;
