-- Answers to messages about alarms. deliveries.token: a secret that lets the reader of the message answer the alarm,
-- NULL if it cannot be answered. deliveries.answer: what was answered with it. firings.endedAt: when the service saw
-- that the alarm does not ring any more, NULL before that; of older rows this is not known.
ALTER TABLE deliveries ADD COLUMN token TEXT;
ALTER TABLE deliveries ADD COLUMN answer TEXT;
ALTER TABLE firings ADD COLUMN endedAt TEXT;
UPDATE firings SET endedAt = firedAt;
CREATE INDEX firings_open ON firings (firedAt) WHERE endedAt IS NULL;
