-- UIDs, as calendars have them, and the change feed.
--
-- uid: unique among lists, and among the reminders of a list. Triggers check this. The indexes are not UNIQUE:
-- INSERT OR REPLACE would delete the other row without running its triggers.
-- version: the row's line in changes, 0 for a row that has not changed since this migration.

ALTER TABLE remindersLists ADD COLUMN uid TEXT;
ALTER TABLE remindersLists ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
ALTER TABLE reminders ADD COLUMN uid TEXT;
ALTER TABLE reminders ADD COLUMN version INTEGER NOT NULL DEFAULT 0;

-- A reminder keeps the UID that exports to iCalendar have given it: the one of the calendar that it was imported
-- from, or martlet-ID-CREATED, with the milliseconds of its creation since 1970 in base 36.
CREATE TEMPORARY TABLE uids (reminderID INTEGER PRIMARY KEY, listID INTEGER NOT NULL, uid TEXT NOT NULL);
INSERT INTO uids
SELECT reminderID, remindersListID, replace(replace(replace(replace(
    substr(line, 1, instr(line || char(10), char(10)) - 1), '\,', ','), '\;', ';'), '\n', ' '), '\\', '\')
FROM (
  SELECT reminderID, substr(lines, instr(char(10) || lines, char(10) || 'UID:') + 4) AS line
  FROM calendarLines WHERE instr(char(10) || lines, char(10) || 'UID:') > 0)
JOIN reminders ON reminders.id = reminderID;
DELETE FROM uids WHERE uid = '' OR length(uid) > 255 OR instr(uid, char(0)) > 0
  OR uid GLOB '*[' || char(1) || '-' || char(31) || char(127) || ']*';
-- Of several with one UID in a list, the first keeps it.
CREATE INDEX temp.uids_uid ON uids (listID, uid, reminderID);
DELETE FROM uids WHERE EXISTS (
  SELECT 1 FROM uids AS earlier
  WHERE earlier.listID = uids.listID AND earlier.uid = uids.uid AND earlier.reminderID < uids.reminderID);

UPDATE reminders SET uid = (SELECT uid FROM uids WHERE reminderID = id) WHERE id IN (SELECT reminderID FROM uids);
DROP TABLE uids;

CREATE TEMPORARY TABLE made (reminderID INTEGER PRIMARY KEY, ms INTEGER NOT NULL);
INSERT INTO made
SELECT id, CAST(strftime('%s', createdAt) AS INTEGER) * 1000 + CAST(substr(createdAt, 21, 3) AS INTEGER)
FROM reminders WHERE uid IS NULL AND createdAt >= '1973';
UPDATE reminders SET uid = (
  SELECT 'martlet-' || id || '-'
    || substr('0123456789abcdefghijklmnopqrstuvwxyz', 1 + ms / 78364164096 % 36, 1)
    || substr('0123456789abcdefghijklmnopqrstuvwxyz', 1 + ms / 2176782336 % 36, 1)
    || substr('0123456789abcdefghijklmnopqrstuvwxyz', 1 + ms / 60466176 % 36, 1)
    || substr('0123456789abcdefghijklmnopqrstuvwxyz', 1 + ms / 1679616 % 36, 1)
    || substr('0123456789abcdefghijklmnopqrstuvwxyz', 1 + ms / 46656 % 36, 1)
    || substr('0123456789abcdefghijklmnopqrstuvwxyz', 1 + ms / 1296 % 36, 1)
    || substr('0123456789abcdefghijklmnopqrstuvwxyz', 1 + ms / 36 % 36, 1)
    || substr('0123456789abcdefghijklmnopqrstuvwxyz', 1 + ms % 36, 1)
  FROM made WHERE reminderID = id)
WHERE id IN (SELECT reminderID FROM made) AND createdAt < '2059';
DROP TABLE made;
UPDATE reminders SET uid = 'martlet-' || id || '-' || lower(hex(randomblob(8))) WHERE uid IS NULL;
UPDATE remindersLists SET uid = 'martlet-list-' || id || '-' || lower(hex(randomblob(8)));

CREATE INDEX remindersLists_uid ON remindersLists (uid) WHERE uid IS NOT NULL;
CREATE INDEX reminders_uid ON reminders (uid) WHERE uid IS NOT NULL;

-- The change feed: one line per change of a list (kind 1) or a reminder (kind 2), written by triggers. The line whose
-- version is not its row's is superseded. A line with gone says when the item was deleted, or left the list listID.
CREATE TABLE changes (
  version INTEGER PRIMARY KEY,
  kind INTEGER NOT NULL,
  itemID INTEGER NOT NULL,
  listID INTEGER NOT NULL,
  gone TEXT
) STRICT;

CREATE INDEX changes_list ON changes (listID, version);
CREATE INDEX changes_gone ON changes (itemID) WHERE gone IS NOT NULL;

-- epoch: part of every token of the feed. A restore sets a new one, so that tokens of the replaced file are refused.
-- horizon: the newest version of a line with gone that was deleted. Older tokens may have missed it.
CREATE TABLE feedState (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  epoch TEXT NOT NULL,
  horizon INTEGER NOT NULL
) STRICT;

INSERT INTO feedState (id, epoch, horizon) VALUES (1, lower(hex(randomblob(6))), 0);
