-- Answers to requests that carried an Idempotency-Key, kept for a day in case a request comes again.
-- scope is method and path; fingerprint tells the request's body from another one; createdAt is in
-- milliseconds since 1970, and is compared with the server's clock alone.

CREATE TABLE idempotentAnswers (
  id INTEGER PRIMARY KEY,
  scope TEXT NOT NULL,
  key TEXT NOT NULL,
  fingerprint INTEGER NOT NULL,
  status INTEGER NOT NULL,
  location TEXT,
  etag TEXT,
  body BLOB,
  createdAt INTEGER NOT NULL,
  UNIQUE (scope, key)
) STRICT;

CREATE INDEX idempotentAnswers_created ON idempotentAnswers (createdAt);
