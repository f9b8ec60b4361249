-- The tables check their values: a rule is stated once, and not in a trigger of each event. The name of a constraint is
-- the message of its error. A check is passed if it is NULL, so dates are compared by IS.
--
-- A check does not change what is stored, so no row is copied: the definitions in sqlite_schema are replaced
-- (https://sqlite.org/lang_altertable.html#otheralter). Each comes from an empty table, so that SQLite has parsed it. A
-- row with an invalid value, which a program without triggers has left, keeps it until the value is changed.
--
-- Dates begin with the year 1, as those of many languages do. Earlier versions took the year 0 as well.
INSERT INTO repairs (tableName, rowID, columnName, oldValue)
SELECT 'reminders', id, 'dueDate', dueDate FROM reminders WHERE dueDate GLOB '0000-*'
UNION ALL SELECT 'reminders', id, 'startDate', startDate FROM reminders WHERE startDate GLOB '0000-*'
UNION ALL SELECT 'reminders', id, 'recurrenceStart', recurrenceStart FROM reminders WHERE recurrenceStart GLOB '0000-*'
UNION ALL SELECT 'completions', id, 'dueDate', dueDate FROM completions WHERE dueDate GLOB '0000-*'
UNION ALL SELECT 'completions', id, 'startDate', startDate FROM completions WHERE startDate GLOB '0000-*'
UNION ALL SELECT 'completions', id, 'recurrenceStart', recurrenceStart FROM completions WHERE recurrenceStart GLOB '0000-*'
UNION ALL SELECT 'alarms', id, 'at', at FROM alarms WHERE at GLOB '0000-*';
UPDATE reminders SET
  dueDate = iif(dueDate GLOB '0000-*', substr('0001-01-01 00:00:00.000', 1, length(dueDate)), dueDate),
  startDate = iif(startDate GLOB '0000-*', substr('0001-01-01 00:00:00.000', 1, length(startDate)), startDate),
  recurrenceStart = iif(recurrenceStart GLOB '0000-*',
    substr('0001-01-01 00:00:00.000', 1, length(recurrenceStart)), recurrenceStart)
WHERE dueDate GLOB '0000-*' OR startDate GLOB '0000-*' OR recurrenceStart GLOB '0000-*';
UPDATE completions SET
  dueDate = iif(dueDate GLOB '0000-*', substr('0001-01-01 00:00:00.000', 1, length(dueDate)), dueDate),
  startDate = iif(startDate GLOB '0000-*', substr('0001-01-01 00:00:00.000', 1, length(startDate)), startDate),
  recurrenceStart = iif(recurrenceStart GLOB '0000-*',
    substr('0001-01-01 00:00:00.000', 1, length(recurrenceStart)), recurrenceStart)
WHERE dueDate GLOB '0000-*' OR startDate GLOB '0000-*' OR recurrenceStart GLOB '0000-*';
UPDATE alarms SET at = iif(at GLOB '0000-*', substr('0001-01-01 00:00:00.000', 1, length(at)), at)
WHERE at GLOB '0000-*';

CREATE TABLE checked_remindersLists (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  title TEXT NOT NULL DEFAULT ''
    CONSTRAINT "martlet: a title has at most 1000 characters, and none of them is NUL"
    CHECK (instr(title, char(0)) = 0 AND length(title) <= 1000),
  color INTEGER NOT NULL DEFAULT 0x4a99efff
    CONSTRAINT "martlet: a color is 0xRRGGBBAA, from 0 to 4294967295"
    CHECK (color BETWEEN 0 AND 4294967295),
  position INTEGER
    CONSTRAINT "martlet: a position is a whole number from -9007199254740992 to 9007199254740992"
    CHECK (position BETWEEN -9007199254740992 AND 9007199254740992),
  createdAt TEXT
    CONSTRAINT "martlet: createdAt and updatedAt are times in UTC, yyyy-MM-dd HH:mm:ss.SSS"
    CHECK (CASE length(createdAt) WHEN 23
      THEN strftime('%Y-%m-%d %H:%M:%f', max(createdAt, '0001-01-01'), '+0 days') END IS createdAt),
  updatedAt TEXT
    CONSTRAINT "martlet: createdAt and updatedAt are times in UTC, yyyy-MM-dd HH:mm:ss.SSS"
    CHECK (CASE length(updatedAt) WHEN 23
      THEN strftime('%Y-%m-%d %H:%M:%f', max(updatedAt, '0001-01-01'), '+0 days') END IS updatedAt),
  uid TEXT
    CONSTRAINT "martlet: a uid has 1 to 255 characters, none of them a control character"
    CHECK (uid IS NULL OR (instr(uid, char(0)) = 0 AND length(uid) BETWEEN 1 AND 255
      AND uid NOT GLOB '*[' || char(1) || '-' || char(31) || char(127) || ']*')),
  version INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE checked_reminders (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  remindersListID INTEGER NOT NULL REFERENCES remindersLists (id) ON DELETE CASCADE,
  title TEXT NOT NULL DEFAULT ''
    CONSTRAINT "martlet: a title has at most 1000 characters, and none of them is NUL"
    CHECK (instr(title, char(0)) = 0 AND length(title) <= 1000),
  notes TEXT NOT NULL DEFAULT ''
    CONSTRAINT "martlet: notes have at most 100000 characters, and none of them is NUL"
    CHECK (instr(notes, char(0)) = 0 AND length(notes) <= 100000),
  dueDate TEXT
    CONSTRAINT "martlet: a due date is a day that exists, yyyy-MM-dd, or a time in UTC, yyyy-MM-dd HH:mm:ss.SSS"
    CHECK (CASE length(dueDate) WHEN 10 THEN date(max(dueDate, '0001-01-01'), '+0 days')
      WHEN 23 THEN strftime('%Y-%m-%d %H:%M:%f', max(dueDate, '0001-01-01'), '+0 days') END IS dueDate),
  priority INTEGER CHECK (priority BETWEEN 1 AND 3),
  isFlagged INTEGER NOT NULL DEFAULT 0 CHECK (isFlagged IN (0, 1)),
  status INTEGER NOT NULL DEFAULT 0 CHECK (status BETWEEN 0 AND 2),
  position INTEGER
    CONSTRAINT "martlet: a position is a whole number from -9007199254740992 to 9007199254740992"
    CHECK (position BETWEEN -9007199254740992 AND 9007199254740992),
  createdAt TEXT
    CONSTRAINT "martlet: createdAt and updatedAt are times in UTC, yyyy-MM-dd HH:mm:ss.SSS"
    CHECK (CASE length(createdAt) WHEN 23
      THEN strftime('%Y-%m-%d %H:%M:%f', max(createdAt, '0001-01-01'), '+0 days') END IS createdAt),
  updatedAt TEXT
    CONSTRAINT "martlet: createdAt and updatedAt are times in UTC, yyyy-MM-dd HH:mm:ss.SSS"
    CHECK (CASE length(updatedAt) WHEN 23
      THEN strftime('%Y-%m-%d %H:%M:%f', max(updatedAt, '0001-01-01'), '+0 days') END IS updatedAt),
  uid TEXT
    CONSTRAINT "martlet: a uid has 1 to 255 characters, none of them a control character"
    CHECK (uid IS NULL OR (instr(uid, char(0)) = 0 AND length(uid) BETWEEN 1 AND 255
      AND uid NOT GLOB '*[' || char(1) || '-' || char(31) || char(127) || ']*')),
  version INTEGER NOT NULL DEFAULT 0,
  startDate TEXT
    CONSTRAINT "martlet: a start date is a day that exists, yyyy-MM-dd, or a time in UTC, yyyy-MM-dd HH:mm:ss.SSS"
    CHECK (CASE length(startDate) WHEN 10 THEN date(max(startDate, '0001-01-01'), '+0 days')
      WHEN 23 THEN strftime('%Y-%m-%d %H:%M:%f', max(startDate, '0001-01-01'), '+0 days') END IS startDate),
  timeZone TEXT
    CONSTRAINT "martlet: a time zone is a name such as Europe/Vienna"
    CHECK (timeZone IS NULL OR (length(timeZone) BETWEEN 1 AND 200 AND timeZone NOT GLOB '*[^A-Za-z0-9_+/-]*')),
  recurrenceRule TEXT
    CONSTRAINT "martlet: a rule has at most 500 ASCII characters, and excluded is a JSON array of dates"
    CHECK (recurrenceRule IS NULL OR (length(recurrenceRule) BETWEEN 1 AND 500 AND recurrenceRule NOT GLOB '*[^ -~]*')),
  recurrenceBasis INTEGER NOT NULL DEFAULT 0 CHECK (recurrenceBasis BETWEEN 0 AND 2),
  recurrenceStart TEXT
    CONSTRAINT "martlet: a due date is a day that exists, yyyy-MM-dd, or a time in UTC, yyyy-MM-dd HH:mm:ss.SSS"
    CHECK (CASE length(recurrenceStart) WHEN 10 THEN date(max(recurrenceStart, '0001-01-01'), '+0 days')
      WHEN 23 THEN strftime('%Y-%m-%d %H:%M:%f', max(recurrenceStart, '0001-01-01'), '+0 days') END IS recurrenceStart),
  recurrenceExcluded TEXT
    CONSTRAINT "martlet: a rule has at most 500 ASCII characters, and excluded is a JSON array of dates"
    CHECK (recurrenceExcluded IS NULL OR (length(recurrenceExcluded) <= 20000
      AND CASE WHEN json_valid(recurrenceExcluded) THEN json_type(recurrenceExcluded) = 'array'
        AND json(recurrenceExcluded) NOT GLOB '*[[,][^]"]*' ELSE 0 END)),
  completedAt TEXT
    CONSTRAINT "martlet: completedAt is a time in UTC, yyyy-MM-dd HH:mm:ss.SSS"
    CHECK (CASE length(completedAt) WHEN 23
      THEN strftime('%Y-%m-%d %H:%M:%f', max(completedAt, '0001-01-01'), '+0 days') END IS completedAt),
  parentID INTEGER,
  allSubtasks INTEGER NOT NULL DEFAULT 0,
  openSubtasks INTEGER NOT NULL DEFAULT 0,
  alarmCount INTEGER NOT NULL DEFAULT 0,
  calendarVersion INTEGER DEFAULT 0,

    CONSTRAINT "martlet: startDate is a date or a time like dueDate, and not after it"
    CHECK (startDate IS NULL OR dueDate IS NULL OR (length(startDate) = length(dueDate) AND startDate <= dueDate)),

    CONSTRAINT "martlet: a recurrence needs a due date"
    CHECK (recurrenceRule IS NULL OR dueDate IS NOT NULL)
) STRICT;

CREATE TABLE checked_smartLists (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 9007199254740992),
  uid TEXT
    CONSTRAINT "martlet: a uid has 1 to 255 characters, none of them a control character"
    CHECK (uid IS NULL OR (instr(uid, char(0)) = 0 AND length(uid) BETWEEN 1 AND 255
      AND uid NOT GLOB '*[' || char(1) || '-' || char(31) || char(127) || ']*')),
  title TEXT NOT NULL CHECK (instr(title, char(0)) = 0 AND length(title) <= 1000),
  color INTEGER NOT NULL DEFAULT 1251602431 CHECK (color BETWEEN 0 AND 4294967295),
  icon TEXT NOT NULL DEFAULT '' CHECK (instr(icon, char(0)) = 0 AND length(icon) <= 8),
  filter TEXT NOT NULL DEFAULT '{}'
    CHECK (length(filter) <= 20000 AND CASE WHEN json_valid(filter) THEN json_type(filter) = 'object' ELSE 0 END),
  sort TEXT CHECK (sort IS NULL OR length(sort) BETWEEN 1 AND 50),
  position INTEGER
    CONSTRAINT "martlet: a position is a whole number from -9007199254740992 to 9007199254740992"
    CHECK (position BETWEEN -9007199254740992 AND 9007199254740992),
  createdAt TEXT
    CONSTRAINT "martlet: createdAt and updatedAt are times in UTC, yyyy-MM-dd HH:mm:ss.SSS"
    CHECK (CASE length(createdAt) WHEN 23
      THEN strftime('%Y-%m-%d %H:%M:%f', max(createdAt, '0001-01-01'), '+0 days') END IS createdAt),
  updatedAt TEXT
    CONSTRAINT "martlet: createdAt and updatedAt are times in UTC, yyyy-MM-dd HH:mm:ss.SSS"
    CHECK (CASE length(updatedAt) WHEN 23
      THEN strftime('%Y-%m-%d %H:%M:%f', max(updatedAt, '0001-01-01'), '+0 days') END IS updatedAt),
  version INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE checked_completions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  reminderID INTEGER NOT NULL,
  title TEXT NOT NULL
    CONSTRAINT "martlet: a title has at most 1000 characters, and none of them is NUL"
    CHECK (instr(title, char(0)) = 0 AND length(title) <= 1000),
  dueDate TEXT
    CONSTRAINT "martlet: a due date is a day that exists, yyyy-MM-dd, or a time in UTC, yyyy-MM-dd HH:mm:ss.SSS"
    CHECK (CASE length(dueDate) WHEN 10 THEN date(max(dueDate, '0001-01-01'), '+0 days')
      WHEN 23 THEN strftime('%Y-%m-%d %H:%M:%f', max(dueDate, '0001-01-01'), '+0 days') END IS dueDate),
  startDate TEXT
    CONSTRAINT "martlet: a start date is a day that exists, yyyy-MM-dd, or a time in UTC, yyyy-MM-dd HH:mm:ss.SSS"
    CHECK (CASE length(startDate) WHEN 10 THEN date(max(startDate, '0001-01-01'), '+0 days')
      WHEN 23 THEN strftime('%Y-%m-%d %H:%M:%f', max(startDate, '0001-01-01'), '+0 days') END IS startDate),
  recurrenceRule TEXT,
  recurrenceStart TEXT
    CONSTRAINT "martlet: a due date is a day that exists, yyyy-MM-dd, or a time in UTC, yyyy-MM-dd HH:mm:ss.SSS"
    CHECK (CASE length(recurrenceStart) WHEN 10 THEN date(max(recurrenceStart, '0001-01-01'), '+0 days')
      WHEN 23 THEN strftime('%Y-%m-%d %H:%M:%f', max(recurrenceStart, '0001-01-01'), '+0 days') END IS recurrenceStart),
  completedAt TEXT NOT NULL
    CONSTRAINT "martlet: completedAt is a time in UTC, yyyy-MM-dd HH:mm:ss.SSS"
    CHECK (CASE length(completedAt) WHEN 23
      THEN strftime('%Y-%m-%d %H:%M:%f', max(completedAt, '0001-01-01'), '+0 days') END IS completedAt),
  kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 2),
  causeID INTEGER,
  subtasks TEXT
) STRICT;

CREATE TABLE checked_alarms (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 9007199254740992),
  reminderID INTEGER NOT NULL,
  at TEXT
    CONSTRAINT "martlet: the times of an alarm are in UTC, yyyy-MM-dd HH:mm:ss.SSS"
    CHECK (CASE length(at) WHEN 23 THEN strftime('%Y-%m-%d %H:%M:%f', max(at, '0001-01-01'), '+0 days') END IS at),
  anchor INTEGER CHECK (anchor BETWEEN 0 AND 1),
  offset TEXT CHECK (length(offset) BETWEEN 2 AND 40 AND offset NOT GLOB '*[^-+PDTHMSW0-9.]*'),
  repeatEvery TEXT CHECK (length(repeatEvery) BETWEEN 3 AND 40 AND repeatEvery NOT GLOB '*[^PDTHMSW0-9.]*'),
  repeatTimes INTEGER NOT NULL DEFAULT 0 CHECK (repeatTimes BETWEEN 0 AND 100),
  state INTEGER NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 4),
  fireAt TEXT
    CONSTRAINT "martlet: the times of an alarm are in UTC, yyyy-MM-dd HH:mm:ss.SSS"
    CHECK (CASE length(fireAt) WHEN 23
      THEN strftime('%Y-%m-%d %H:%M:%f', max(fireAt, '0001-01-01'), '+0 days') END IS fireAt),
  isStale INTEGER NOT NULL DEFAULT 1 CHECK (isStale BETWEEN 0 AND 1),
  rung INTEGER NOT NULL DEFAULT 0 CHECK (rung BETWEEN 0 AND 100),
  firedAt TEXT
    CONSTRAINT "martlet: the times of an alarm are in UTC, yyyy-MM-dd HH:mm:ss.SSS"
    CHECK (CASE length(firedAt) WHEN 23
      THEN strftime('%Y-%m-%d %H:%M:%f', max(firedAt, '0001-01-01'), '+0 days') END IS firedAt),
  snoozedUntil TEXT
    CONSTRAINT "martlet: the times of an alarm are in UTC, yyyy-MM-dd HH:mm:ss.SSS"
    CHECK (CASE length(snoozedUntil) WHEN 23
      THEN strftime('%Y-%m-%d %H:%M:%f', max(snoozedUntil, '0001-01-01'), '+0 days') END IS snoozedUntil),
  acknowledgedAt TEXT
    CONSTRAINT "martlet: the times of an alarm are in UTC, yyyy-MM-dd HH:mm:ss.SSS"
    CHECK (CASE length(acknowledgedAt) WHEN 23
      THEN strftime('%Y-%m-%d %H:%M:%f', max(acknowledgedAt, '0001-01-01'), '+0 days') END IS acknowledgedAt),
  armedFor TEXT,
  CHECK ((at IS NULL) <> (anchor IS NULL)),
  CHECK ((anchor IS NULL) = (offset IS NULL)),
  CHECK ((repeatEvery IS NULL) = (repeatTimes = 0)),
  CHECK (state < 3 OR fireAt IS NULL)
) STRICT;

CREATE TABLE checked_channels (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 9007199254740992),
  kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 2),
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200 AND instr(name, char(0)) = 0),
  url TEXT NOT NULL CHECK (length(url) BETWEEN 1 AND 2000 AND url NOT GLOB '*[^!-~]*'),
  events TEXT NOT NULL CHECK (CASE WHEN json_valid(events) THEN json_type(events) = 'array' ELSE 0 END),
  lists TEXT CHECK (lists IS NULL OR CASE WHEN json_valid(lists) THEN json_type(lists) = 'array' ELSE 0 END),
  settings TEXT NOT NULL DEFAULT '{}'
    CHECK (CASE WHEN json_valid(settings) THEN json_type(settings) = 'object' ELSE 0 END),
  credentials TEXT NOT NULL DEFAULT '{}'
    CHECK (CASE WHEN json_valid(credentials) THEN json_type(credentials) = 'object' ELSE 0 END),
  isEnabled INTEGER NOT NULL DEFAULT 1 CHECK (isEnabled BETWEEN 0 AND 1),
  isFollowing INTEGER NOT NULL DEFAULT 0 CHECK (isFollowing BETWEEN 0 AND 1),
  version INTEGER NOT NULL DEFAULT 0,
  reminderID INTEGER NOT NULL DEFAULT 0,
  listID INTEGER NOT NULL DEFAULT 0,
  completionID INTEGER NOT NULL DEFAULT 0,
  failingSince TEXT
    CONSTRAINT "martlet: the times of channels and deliveries are in UTC, yyyy-MM-dd HH:mm:ss.SSS"
    CHECK (CASE length(failingSince) WHEN 23
      THEN strftime('%Y-%m-%d %H:%M:%f', max(failingSince, '0001-01-01'), '+0 days') END IS failingSince),
  lastError TEXT,
  createdAt TEXT NOT NULL
    CONSTRAINT "martlet: the times of channels and deliveries are in UTC, yyyy-MM-dd HH:mm:ss.SSS"
    CHECK (CASE length(createdAt) WHEN 23
      THEN strftime('%Y-%m-%d %H:%M:%f', max(createdAt, '0001-01-01'), '+0 days') END IS createdAt)
) STRICT;

CREATE TABLE checked_deliveries (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 9007199254740992),
  channelID INTEGER NOT NULL,
  eventID TEXT NOT NULL CHECK (length(eventID) BETWEEN 1 AND 100 AND eventID NOT GLOB '*[^a-z0-9-]*'),
  type TEXT NOT NULL,
  body TEXT NOT NULL CHECK (json_valid(body)),
  state INTEGER NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 3),
  createdAt TEXT NOT NULL
    CONSTRAINT "martlet: the times of channels and deliveries are in UTC, yyyy-MM-dd HH:mm:ss.SSS"
    CHECK (CASE length(createdAt) WHEN 23
      THEN strftime('%Y-%m-%d %H:%M:%f', max(createdAt, '0001-01-01'), '+0 days') END IS createdAt),
  expiresAt TEXT NOT NULL
    CONSTRAINT "martlet: the times of channels and deliveries are in UTC, yyyy-MM-dd HH:mm:ss.SSS"
    CHECK (CASE length(expiresAt) WHEN 23
      THEN strftime('%Y-%m-%d %H:%M:%f', max(expiresAt, '0001-01-01'), '+0 days') END IS expiresAt),
  nextAt TEXT
    CONSTRAINT "martlet: the times of channels and deliveries are in UTC, yyyy-MM-dd HH:mm:ss.SSS"
    CHECK (CASE length(nextAt) WHEN 23
      THEN strftime('%Y-%m-%d %H:%M:%f', max(nextAt, '0001-01-01'), '+0 days') END IS nextAt),
  attempts INTEGER NOT NULL DEFAULT 0,
  endedAt TEXT
    CONSTRAINT "martlet: the times of channels and deliveries are in UTC, yyyy-MM-dd HH:mm:ss.SSS"
    CHECK (CASE length(endedAt) WHEN 23
      THEN strftime('%Y-%m-%d %H:%M:%f', max(endedAt, '0001-01-01'), '+0 days') END IS endedAt),
  lastStatus INTEGER,
  lastError TEXT,
  UNIQUE (channelID, eventID),
  CHECK ((nextAt IS NULL) = (state > 0)),
  CHECK ((endedAt IS NULL) = (state = 0))
) STRICT;

CREATE TABLE checked_trash (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind INTEGER NOT NULL CHECK (kind BETWEEN 1 AND 2),
  itemID INTEGER NOT NULL,
  listID INTEGER NOT NULL,
  title TEXT NOT NULL
    CONSTRAINT "martlet: a title has at most 1000 characters, and none of them is NUL"
    CHECK (instr(title, char(0)) = 0 AND length(title) <= 1000),
  content TEXT NOT NULL
    CHECK (content = '' OR CASE WHEN json_valid(content) THEN json_type(content) = 'object' ELSE 0 END),
  deletedAt TEXT NOT NULL
    CHECK (CASE length(deletedAt) WHEN 23
      THEN strftime('%Y-%m-%d %H:%M:%f', max(deletedAt, '0001-01-01'), '+0 days') END IS deletedAt),
  entryID INTEGER,
  isPortion INTEGER NOT NULL DEFAULT 0,
  parentID INTEGER
) STRICT;

PRAGMA writable_schema = ON;
UPDATE sqlite_schema AS kept SET sql = replace((
  SELECT checked.sql FROM sqlite_schema AS checked WHERE checked.name = 'checked_' || kept.name),
  'checked_', '')
WHERE type = 'table' AND name IN ('remindersLists', 'reminders', 'smartLists', 'completions', 'alarms', 'channels',
  'deliveries', 'trash');
PRAGMA writable_schema = RESET;
DROP TABLE checked_remindersLists;
DROP TABLE checked_reminders;
DROP TABLE checked_smartLists;
DROP TABLE checked_completions;
DROP TABLE checked_alarms;
DROP TABLE checked_channels;
DROP TABLE checked_deliveries;
DROP TABLE checked_trash;

CREATE INDEX IF NOT EXISTS deliveries_answered ON deliveries (id, state) WHERE state = 3;
