-- IDs stay: REPLACE over a row and a changed ID are refused, so no trigger has to settle them any more.
DROP TABLE IF EXISTS replacedTags;
DROP TABLE IF EXISTS replacedReminders;

-- An UPDATE could set an ID above the sequence, which triggers raised when the row was deleted.
UPDATE sqlite_sequence SET seq = (SELECT max(id) FROM reminders)
WHERE name = 'reminders' AND seq < (SELECT max(id) FROM reminders);
UPDATE sqlite_sequence SET seq = (SELECT max(id) FROM remindersLists)
WHERE name = 'remindersLists' AND seq < (SELECT max(id) FROM remindersLists);
UPDATE sqlite_sequence SET seq = (SELECT max(id) FROM smartLists)
WHERE name = 'smartLists' AND seq < (SELECT max(id) FROM smartLists);

-- The IDs of tags on reminders begin with 1, too. In a trigger before an insert, -1 is the ID that SQLite will assign.
UPDATE remindersTags SET id = (SELECT max(id) FROM remindersTags) + 1 - id WHERE id < 1;

-- Each list and smart list has a line in the feed, by which a trigger tells REPLACE from a new row.
INSERT INTO changes (kind, itemID, listID) SELECT 1, id, id FROM remindersLists
WHERE NOT EXISTS (SELECT 1 FROM changes WHERE kind = 1 AND itemID = remindersLists.id
  AND gone IS NULL AND version = remindersLists.version);
UPDATE remindersLists SET version = (SELECT max(version) FROM changes
  WHERE listID = id AND kind = 1 AND itemID = id AND gone IS NULL);
INSERT INTO changes (kind, itemID, listID) SELECT 3, id, 0 FROM smartLists
WHERE NOT EXISTS (SELECT 1 FROM changes WHERE kind = 3 AND itemID = smartLists.id
  AND gone IS NULL AND version = smartLists.version);
UPDATE smartLists SET version = (SELECT max(version) FROM changes
  WHERE listID = 0 AND kind = 3 AND itemID = id AND gone IS NULL);
