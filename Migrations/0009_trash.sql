-- What was deleted, for as long as it can be restored. Triggers write an entry for each list and reminder.
--
-- content: the columns of the row, its tags and its calendar lines, as JSON. entryID: the entry of the list that the
-- reminder was deleted with; NULL for one that was deleted by itself. isPortion: 1 for a reminder of a large list whose
-- deletion has begun. It gets the list's entryID when the list is deleted.
CREATE TABLE trash (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind INTEGER NOT NULL,
  itemID INTEGER NOT NULL,
  listID INTEGER NOT NULL,
  title TEXT NOT NULL,
  content TEXT NOT NULL,
  deletedAt TEXT NOT NULL,
  entryID INTEGER,
  isPortion INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX trash_item ON trash (itemID);
CREATE INDEX trash_portion ON trash (listID) WHERE isPortion = 1;
CREATE INDEX trash_entry ON trash (entryID) WHERE entryID IS NOT NULL;
CREATE INDEX trash_deleted ON trash (deletedAt) WHERE entryID IS NULL;
