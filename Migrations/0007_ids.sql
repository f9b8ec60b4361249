-- Ids that no program may have: below 1, and so far up that there is no room for a million further ones below 2^53,
-- where JSON numbers end to be exact. The migration before this one moved those beyond 2^53 behind the largest other
-- one, which may have been next to it. These leave a gap that no ids were given in, as far as anybody can know.
CREATE TEMPORARY TABLE movedLists AS
SELECT id AS old,
  (SELECT coalesce(max(id), 0) FROM remindersLists WHERE id BETWEEN 1 AND 4503599627370496) + 1000000000
    + row_number() OVER (ORDER BY id) AS new
FROM remindersLists WHERE id NOT BETWEEN 1 AND 9007199253740992;
INSERT INTO repairs (tableName, rowID, columnName, oldValue)
SELECT 'remindersLists', new, 'id', old FROM movedLists;
UPDATE reminders SET remindersListID = (SELECT new FROM movedLists WHERE old = remindersListID)
WHERE remindersListID IN (SELECT old FROM movedLists);
UPDATE apiKeyParts SET part = (SELECT new FROM movedLists WHERE old = part)
WHERE part IN (SELECT old FROM movedLists);
UPDATE remindersLists SET id = (SELECT new FROM movedLists WHERE old = id)
WHERE id IN (SELECT old FROM movedLists);
UPDATE sqlite_sequence SET seq = (SELECT max(id) FROM remindersLists)
WHERE name = 'remindersLists' AND seq > 9007199253740992 AND EXISTS (SELECT 1 FROM movedLists);
DROP TABLE movedLists;

CREATE TEMPORARY TABLE movedReminders AS
SELECT id AS old,
  (SELECT coalesce(max(id), 0) FROM reminders WHERE id BETWEEN 1 AND 4503599627370496) + 1000000000
    + row_number() OVER (ORDER BY id) AS new
FROM reminders WHERE id NOT BETWEEN 1 AND 9007199253740992;
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
UPDATE sqlite_sequence SET seq = (SELECT max(id) FROM reminders)
WHERE name = 'reminders' AND seq > 9007199253740992 AND EXISTS (SELECT 1 FROM movedReminders);
DROP TABLE movedReminders;
