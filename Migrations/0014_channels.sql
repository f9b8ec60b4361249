-- Channels: where alarms and changes are sent, and the outbox of what is to be sent.
--
-- kind: 0 webhook, 1 ntfy, 2 template. events: a JSON array of the types that are sent, '*' for all. lists: a JSON array
-- of the lists whose reminders are sent, NULL for all. settings: a JSON object, with *** in place of secrets.
-- credentials: a JSON object with the secrets, in clear, because messages are signed with them. isFollowing: whether
-- changes are sent, and not only alarms. version, reminderID, listID and completionID: the newest change, reminder, list
-- and completion that the channel has seen. failingSince: since when no message has been delivered, if that is so.
CREATE TABLE channels (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 9007199254740992),
  kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 2),
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200 AND instr(name, char(0)) = 0),
  url TEXT NOT NULL CHECK (length(url) BETWEEN 1 AND 2000 AND url NOT GLOB '*[^!-~]*'),
  events TEXT NOT NULL CHECK (CASE WHEN json_valid(events) THEN json_type(events) = 'array' ELSE 0 END),
  lists TEXT CHECK (lists IS NULL OR CASE WHEN json_valid(lists) THEN json_type(lists) = 'array' ELSE 0 END),
  settings TEXT NOT NULL DEFAULT '{}' CHECK (CASE WHEN json_valid(settings) THEN json_type(settings) = 'object' ELSE 0 END),
  credentials TEXT NOT NULL DEFAULT '{}'
    CHECK (CASE WHEN json_valid(credentials) THEN json_type(credentials) = 'object' ELSE 0 END),
  isEnabled INTEGER NOT NULL DEFAULT 1 CHECK (isEnabled BETWEEN 0 AND 1),
  isFollowing INTEGER NOT NULL DEFAULT 0 CHECK (isFollowing BETWEEN 0 AND 1),
  version INTEGER NOT NULL DEFAULT 0,
  reminderID INTEGER NOT NULL DEFAULT 0,
  listID INTEGER NOT NULL DEFAULT 0,
  completionID INTEGER NOT NULL DEFAULT 0,
  failingSince TEXT,
  lastError TEXT,
  createdAt TEXT NOT NULL
) STRICT;

-- eventID: the same for every channel and every attempt. body: the event as JSON. state: 0 waiting, 1 delivered, 2 dead.
-- nextAt: when the next attempt is made, exactly while it is waiting. expiresAt: when it is given up. endedAt: when it
-- was delivered or given up. lastStatus and lastError: what became of the last attempt.
CREATE TABLE deliveries (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 9007199254740992),
  channelID INTEGER NOT NULL,
  eventID TEXT NOT NULL CHECK (length(eventID) BETWEEN 1 AND 100 AND eventID NOT GLOB '*[^a-z0-9-]*'),
  type TEXT NOT NULL,
  body TEXT NOT NULL CHECK (json_valid(body)),
  state INTEGER NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 2),
  createdAt TEXT NOT NULL,
  expiresAt TEXT NOT NULL,
  nextAt TEXT,
  attempts INTEGER NOT NULL DEFAULT 0,
  endedAt TEXT,
  lastStatus INTEGER,
  lastError TEXT,
  UNIQUE (channelID, eventID),
  CHECK ((nextAt IS NULL) = (state > 0)),
  CHECK ((endedAt IS NULL) = (state = 0))
) STRICT;

CREATE INDEX deliveries_channel ON deliveries (channelID, id);
CREATE INDEX deliveries_due ON deliveries (channelID, nextAt, id) WHERE state = 0;
CREATE INDEX deliveries_expiry ON deliveries (expiresAt, id) WHERE state = 0;
-- One for each state: an index that begins with the state would be taken for what is sent next and expires next.
CREATE INDEX deliveries_waiting ON deliveries (id, state) WHERE state = 0;
CREATE INDEX deliveries_delivered ON deliveries (id, state) WHERE state = 1;
CREATE INDEX deliveries_dead ON deliveries (id, state) WHERE state = 2;
CREATE INDEX deliveries_createdAt ON deliveries (createdAt, id);
