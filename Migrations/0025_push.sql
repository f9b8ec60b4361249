-- Web Push: the subscription of a browser is a channel of the kind 3. channels.keyID: the API key that made it, NULL if
-- there was none; it ends with the key. sentAt: when its push service last accepted a message. seenAt: when the device
-- last reported that it has shown one. lostAt: when the push service reported that the subscription has ended.
-- brokenAt: since when people should know that a channel of any kind does not work, NULL if it does.
--
-- pushKey: the key pair by which push services know this server, in Base64 for URLs. One row, or none before the first use.
ALTER TABLE channels ADD COLUMN keyID INTEGER REFERENCES apiKeys (id) ON DELETE CASCADE;
ALTER TABLE channels ADD COLUMN sentAt TEXT
  CONSTRAINT "martlet: the times of channels and deliveries are in UTC, yyyy-MM-dd HH:mm:ss.SSS"
  CHECK (CASE length(sentAt) WHEN 23
    THEN strftime('%Y-%m-%d %H:%M:%f', max(sentAt, '0001-01-01'), '+0 days') END IS sentAt);
ALTER TABLE channels ADD COLUMN seenAt TEXT
  CONSTRAINT "martlet: the times of channels and deliveries are in UTC, yyyy-MM-dd HH:mm:ss.SSS"
  CHECK (CASE length(seenAt) WHEN 23
    THEN strftime('%Y-%m-%d %H:%M:%f', max(seenAt, '0001-01-01'), '+0 days') END IS seenAt);
ALTER TABLE channels ADD COLUMN lostAt TEXT
  CONSTRAINT "martlet: the times of channels and deliveries are in UTC, yyyy-MM-dd HH:mm:ss.SSS"
  CHECK (CASE length(lostAt) WHEN 23
    THEN strftime('%Y-%m-%d %H:%M:%f', max(lostAt, '0001-01-01'), '+0 days') END IS lostAt);
ALTER TABLE channels ADD COLUMN brokenAt TEXT
  CONSTRAINT "martlet: the times of channels and deliveries are in UTC, yyyy-MM-dd HH:mm:ss.SSS"
  CHECK (CASE length(brokenAt) WHEN 23
    THEN strftime('%Y-%m-%d %H:%M:%f', max(brokenAt, '0001-01-01'), '+0 days') END IS brokenAt);

CREATE TABLE pushKey (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  privateKey TEXT NOT NULL CHECK (length(privateKey) BETWEEN 1 AND 100),
  publicKey TEXT NOT NULL CHECK (length(publicKey) BETWEEN 1 AND 100),
  createdAt TEXT NOT NULL
) STRICT;

-- Another kind is allowed; no row is copied, as in the migration 19.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, 'CHECK (kind BETWEEN 0 AND 2)', 'CHECK (kind BETWEEN 0 AND 3)')
WHERE type = 'table' AND name = 'channels';
PRAGMA writable_schema = RESET;
