-- Mail: a channel of the kind 4. A delivery of the state 4 was merged into the message about several alarms.
-- settings.cannotSendSince: since when the service itself cannot send to channels, NULL if it can.
ALTER TABLE settings ADD COLUMN cannotSendSince TEXT
  CONSTRAINT "martlet: the times of settings are in UTC, yyyy-MM-dd HH:mm:ss.SSS"
  CHECK (CASE length(cannotSendSince) WHEN 23
    THEN strftime('%Y-%m-%d %H:%M:%f', max(cannotSendSince, '0001-01-01'), '+0 days') END IS cannotSendSince);

-- Another kind and another state are allowed; no row is copied, as in the migration 19.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, 'CHECK (kind BETWEEN 0 AND 3)', 'CHECK (kind BETWEEN 0 AND 4)')
WHERE type = 'table' AND name = 'channels';
UPDATE sqlite_schema SET sql = replace(sql, 'CHECK (state BETWEEN 0 AND 3)', 'CHECK (state BETWEEN 0 AND 4)')
WHERE type = 'table' AND name = 'deliveries';
PRAGMA writable_schema = RESET;

CREATE INDEX deliveries_merged ON deliveries (id, state) WHERE state = 4;
