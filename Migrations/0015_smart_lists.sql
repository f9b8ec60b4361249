-- Smart lists: stored filters of reminders.
--
-- filter: a JSON object with the names and values of the parameters of GET /v1/reminders. sort: as the parameter sort,
-- NULL for the default. position: ascending, with gaps. version: the row's line in changes (kind 3). uid: unique; a
-- trigger checks this, because INSERT OR REPLACE would delete the other row without running its triggers.
CREATE TABLE smartLists (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 9007199254740992),
  uid TEXT,
  title TEXT NOT NULL CHECK (instr(title, char(0)) = 0 AND length(title) <= 1000),
  color INTEGER NOT NULL DEFAULT 1251602431 CHECK (color BETWEEN 0 AND 4294967295),
  icon TEXT NOT NULL DEFAULT '' CHECK (instr(icon, char(0)) = 0 AND length(icon) <= 8),
  filter TEXT NOT NULL DEFAULT '{}'
    CHECK (length(filter) <= 20000 AND CASE WHEN json_valid(filter) THEN json_type(filter) = 'object' ELSE 0 END),
  sort TEXT CHECK (sort IS NULL OR length(sort) BETWEEN 1 AND 50),
  position INTEGER CHECK (position BETWEEN -9007199254740992 AND 9007199254740992),
  createdAt TEXT,
  updatedAt TEXT,
  version INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX smartLists_uid ON smartLists (uid) WHERE uid IS NOT NULL;
