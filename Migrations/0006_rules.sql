-- What the triggers of this version need, and old values that they would refuse: a program without them, or one
-- that wrote before they were there, may have left some. Each is put right as far as it says what was meant; what
-- it was stays in repairs.

-- Reminders that lose a tag to REPLACE in the statement that runs. Without a key or a constraint: whatever the
-- statement's OR says holds for the triggers that fill it, too.
CREATE TABLE replacedTags (
  reminderID INTEGER NOT NULL
) STRICT;

CREATE TABLE repairs (
  id INTEGER PRIMARY KEY,
  -- Of a row that got another id: the new one.
  tableName TEXT NOT NULL,
  rowID INTEGER NOT NULL,
  columnName TEXT NOT NULL,
  oldValue ANY,
  repairedAt TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now'))
) STRICT;

-- Ids beyond 2^53, above which no JSON parser has to be exact. They leave a gap that no ids were given in, as far as
-- anybody can know.
CREATE TEMPORARY TABLE movedLists AS
SELECT id AS old,
  (SELECT coalesce(max(id), 0) FROM remindersLists WHERE id <= 9007199254740992) + 1000000000 + row_number() OVER (ORDER BY id) AS new
FROM remindersLists WHERE id > 9007199254740992;
INSERT INTO repairs (tableName, rowID, columnName, oldValue)
SELECT 'remindersLists', new, 'id', old FROM movedLists;
UPDATE reminders SET remindersListID = (SELECT new FROM movedLists WHERE old = remindersListID)
WHERE remindersListID IN (SELECT old FROM movedLists);
UPDATE apiKeyParts SET part = (SELECT new FROM movedLists WHERE old = part)
WHERE part IN (SELECT old FROM movedLists);
UPDATE remindersLists SET id = (SELECT new FROM movedLists WHERE old = id)
WHERE id IN (SELECT old FROM movedLists);

CREATE TEMPORARY TABLE movedReminders AS
SELECT id AS old,
  (SELECT coalesce(max(id), 0) FROM reminders WHERE id <= 9007199254740992) + 1000000000 + row_number() OVER (ORDER BY id) AS new
FROM reminders WHERE id > 9007199254740992;
INSERT INTO repairs (tableName, rowID, columnName, oldValue)
SELECT 'reminders', new, 'id', old FROM movedReminders;
UPDATE remindersTags SET reminderID = (SELECT new FROM movedReminders WHERE old = reminderID)
WHERE reminderID IN (SELECT old FROM movedReminders);
UPDATE calendarLines SET reminderID = (SELECT new FROM movedReminders WHERE old = reminderID)
WHERE reminderID IN (SELECT old FROM movedReminders);
UPDATE reminders SET id = (SELECT new FROM movedReminders WHERE old = id)
WHERE id IN (SELECT old FROM movedReminders);
DELETE FROM reminderTexts WHERE rowid IN (SELECT old FROM movedReminders);
INSERT INTO reminderTexts (rowid, title, notes, tags)
SELECT id, title, notes, coalesce(
  (SELECT group_concat(tagID, ' ') FROM remindersTags WHERE reminderID = reminders.id), '')
FROM reminders WHERE id IN (SELECT new FROM movedReminders);

DROP TABLE movedLists;
DROP TABLE movedReminders;

-- A sequence that is at its end, and one that an id has passed which came by an UPDATE.
UPDATE sqlite_sequence SET seq = coalesce((SELECT max(id) FROM remindersLists), 0) + 1000000000
WHERE name = 'remindersLists' AND seq > 9007199254740992;
UPDATE sqlite_sequence SET seq = coalesce((SELECT max(id) FROM reminders), 0) + 1000000000
WHERE name = 'reminders' AND seq > 9007199254740992;
UPDATE sqlite_sequence SET seq = max(seq, coalesce((SELECT max(id) FROM remindersLists), 0))
WHERE name = 'remindersLists';
UPDATE sqlite_sequence SET seq = max(seq, coalesce((SELECT max(id) FROM reminders), 0))
WHERE name = 'reminders';

-- Positions: where one is out of bounds, or none, all of its list are counted anew, in their order.
INSERT INTO repairs (tableName, rowID, columnName, oldValue)
SELECT 'remindersLists', id, 'position', position FROM remindersLists
WHERE (position BETWEEN -9007199254740992 AND 9007199254740992) IS NOT 1
UNION ALL
SELECT 'reminders', id, 'position', position FROM reminders
WHERE (position BETWEEN -9007199254740992 AND 9007199254740992) IS NOT 1;
CREATE TEMPORARY TABLE newPlaces AS
SELECT id AS rowID, row_number() OVER (ORDER BY position IS NULL, position, id) - 1 AS position
FROM remindersLists
WHERE EXISTS (SELECT 1 FROM repairs WHERE tableName = 'remindersLists' AND columnName = 'position');
UPDATE remindersLists SET position = (SELECT position FROM newPlaces WHERE rowID = id)
WHERE id IN (SELECT rowID FROM newPlaces);
DROP TABLE newPlaces;
CREATE TEMPORARY TABLE newPlaces AS
SELECT id AS rowID,
  row_number() OVER (PARTITION BY remindersListID ORDER BY position IS NULL, position, id) - 1 AS position
FROM reminders
WHERE remindersListID IN (
  SELECT reminders.remindersListID FROM repairs JOIN reminders ON reminders.id = repairs.rowID
  WHERE tableName = 'reminders' AND columnName = 'position');
CREATE INDEX temp.newPlaces_row ON newPlaces (rowID);
UPDATE reminders SET position = (SELECT newPlaces.position FROM newPlaces WHERE rowID = id)
WHERE id IN (SELECT rowID FROM newPlaces);
DROP TABLE newPlaces;

-- Times. What SQLite can read is written as the others are; what it cannot is the row's other time, or now.
CREATE TEMPORARY TABLE badTimes AS
SELECT 'remindersLists' AS tableName, id AS rowID, createdAt, updatedAt FROM remindersLists
WHERE (length(createdAt) = 23 AND strftime('%Y-%m-%d %H:%M:%f', createdAt, '+0 days') = createdAt) IS NOT 1
  OR (length(updatedAt) = 23 AND strftime('%Y-%m-%d %H:%M:%f', updatedAt, '+0 days') = updatedAt) IS NOT 1
UNION ALL
SELECT 'reminders', id, createdAt, updatedAt FROM reminders
WHERE (length(createdAt) = 23 AND strftime('%Y-%m-%d %H:%M:%f', createdAt, '+0 days') = createdAt) IS NOT 1
  OR (length(updatedAt) = 23 AND strftime('%Y-%m-%d %H:%M:%f', updatedAt, '+0 days') = updatedAt) IS NOT 1;
INSERT INTO repairs (tableName, rowID, columnName, oldValue)
SELECT tableName, rowID, 'createdAt', createdAt FROM badTimes
WHERE (length(createdAt) = 23 AND strftime('%Y-%m-%d %H:%M:%f', createdAt, '+0 days') = createdAt) IS NOT 1
UNION ALL
SELECT tableName, rowID, 'updatedAt', updatedAt FROM badTimes
WHERE (length(updatedAt) = 23 AND strftime('%Y-%m-%d %H:%M:%f', updatedAt, '+0 days') = updatedAt) IS NOT 1;
UPDATE badTimes SET
  createdAt = CASE WHEN createdAt GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*'
    THEN strftime('%Y-%m-%d %H:%M:%f', createdAt, '+0 days') END,
  updatedAt = CASE WHEN updatedAt GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*'
    THEN strftime('%Y-%m-%d %H:%M:%f', updatedAt, '+0 days') END;
UPDATE badTimes SET
  createdAt = CASE WHEN length(createdAt) = 23 THEN createdAt END,
  updatedAt = CASE WHEN length(updatedAt) = 23 THEN updatedAt END;
UPDATE badTimes SET
  createdAt = coalesce(createdAt, updatedAt, strftime('%Y-%m-%d %H:%M:%f', 'now')),
  updatedAt = coalesce(updatedAt, createdAt, strftime('%Y-%m-%d %H:%M:%f', 'now'));
CREATE INDEX temp.badTimes_row ON badTimes (tableName, rowID);
UPDATE remindersLists SET (createdAt, updatedAt) = (
  SELECT createdAt, updatedAt FROM badTimes WHERE tableName = 'remindersLists' AND rowID = id)
WHERE id IN (SELECT rowID FROM badTimes WHERE tableName = 'remindersLists');
UPDATE reminders SET (createdAt, updatedAt) = (
  SELECT createdAt, updatedAt FROM badTimes WHERE tableName = 'reminders' AND rowID = id)
WHERE id IN (SELECT rowID FROM badTimes WHERE tableName = 'reminders');
DROP TABLE badTimes;

-- Due dates. One that SQLite can read is written as the others are; any other is none.
CREATE TEMPORARY TABLE badDueDates AS
SELECT id AS rowID, dueDate FROM reminders
WHERE dueDate IS NOT NULL
  AND (length(dueDate) = 10 AND date(dueDate, '+0 days') = dueDate) IS NOT 1
  AND (length(dueDate) = 23 AND strftime('%Y-%m-%d %H:%M:%f', dueDate, '+0 days') = dueDate) IS NOT 1;
INSERT INTO repairs (tableName, rowID, columnName, oldValue)
SELECT 'reminders', rowID, 'dueDate', dueDate FROM badDueDates;
UPDATE badDueDates SET dueDate = CASE
  WHEN dueDate GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]' THEN date(dueDate, '+0 days')
  WHEN dueDate GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9][ T]*'
    THEN strftime('%Y-%m-%d %H:%M:%f', dueDate, '+0 days') END;
UPDATE badDueDates SET dueDate = NULL WHERE length(dueDate) NOT IN (10, 23);
UPDATE reminders SET dueDate = (SELECT dueDate FROM badDueDates WHERE rowID = id)
WHERE id IN (SELECT rowID FROM badDueDates);
DROP TABLE badDueDates;

-- Colors.
INSERT INTO repairs (tableName, rowID, columnName, oldValue)
SELECT 'remindersLists', id, 'color', color FROM remindersLists
WHERE color NOT BETWEEN 0 AND 4294967295;
UPDATE remindersLists SET color = 0x4a99efff WHERE color NOT BETWEEN 0 AND 4294967295;
