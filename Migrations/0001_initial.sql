-- Lists, reminders, tags, and the full-text index over them.
--
-- Instants are text in UTC, yyyy-MM-dd HH:mm:ss.SSS. A due date may also be a bare yyyy-MM-dd, which
-- sorts before every instant of its day. position, createdAt and updatedAt are filled by triggers.

-- AUTOINCREMENT: an id is never given twice. Whoever still holds the URL of something deleted must not
-- find something else there.

CREATE TABLE remindersLists (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  title TEXT NOT NULL DEFAULT '',
  color INTEGER NOT NULL DEFAULT 0x4a99efff,
  position INTEGER,
  createdAt TEXT,
  updatedAt TEXT
) STRICT;

CREATE INDEX remindersLists_position ON remindersLists (position);

CREATE TABLE reminders (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  remindersListID INTEGER NOT NULL REFERENCES remindersLists (id) ON DELETE CASCADE,
  title TEXT NOT NULL DEFAULT '',
  notes TEXT NOT NULL DEFAULT '',
  dueDate TEXT,
  priority INTEGER CHECK (priority BETWEEN 1 AND 3),
  isFlagged INTEGER NOT NULL DEFAULT 0 CHECK (isFlagged IN (0, 1)),
  status INTEGER NOT NULL DEFAULT 0 CHECK (status BETWEEN 0 AND 2),
  position INTEGER,
  createdAt TEXT,
  updatedAt TEXT
) STRICT;

-- A list's reminders in their order, and how many of them are open.
CREATE INDEX reminders_list_position ON reminders (remindersListID, position);
CREATE INDEX reminders_list_status ON reminders (remindersListID, status);
-- Open reminders by when they are due; the completed ones, which in time are most, are not in it.
CREATE INDEX reminders_open_due ON reminders (dueDate) WHERE status <> 1;
-- Those of one status by when they are due. Holds all that the statistics ask for.
CREATE INDEX reminders_status_due ON reminders (status, dueDate, id, isFlagged);
-- One for each order that a client may ask for.
CREATE INDEX reminders_position ON reminders (position);
CREATE INDEX reminders_due ON reminders (dueDate);
CREATE INDEX reminders_title ON reminders (title COLLATE NOCASE);
CREATE INDEX reminders_priority ON reminders (priority);
CREATE INDEX reminders_created ON reminders (createdAt);
CREATE INDEX reminders_updated ON reminders (updatedAt);

CREATE TABLE tags (
  title TEXT PRIMARY KEY COLLATE NOCASE NOT NULL CHECK (title <> '')
) STRICT, WITHOUT ROWID;

CREATE TABLE remindersTags (
  id INTEGER PRIMARY KEY,
  reminderID INTEGER NOT NULL REFERENCES reminders (id) ON DELETE CASCADE,
  tagID TEXT NOT NULL COLLATE NOCASE REFERENCES tags (title) ON DELETE CASCADE ON UPDATE CASCADE,
  UNIQUE (reminderID, tagID)
) STRICT;

CREATE INDEX remindersTags_tag ON remindersTags (tagID, reminderID);

CREATE VIRTUAL TABLE reminderTexts USING fts5 (
  title,
  notes,
  tags,
  tokenize = 'unicode61 remove_diacritics 2',
  prefix = '2 3'
);

-- There is always at least one list. From the second on, a trigger sees to it.
INSERT INTO remindersLists (title, position, createdAt, updatedAt)
VALUES (
  'Reminders', 0, strftime('%Y-%m-%d %H:%M:%f', 'now'), strftime('%Y-%m-%d %H:%M:%f', 'now')
);
