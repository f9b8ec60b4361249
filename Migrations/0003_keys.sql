-- API keys. A key is shown once, when it is made; here is a hash of its secret (crypt(3)). scope is read, write
-- or admin. A key that isLimited is for the parts of the data that apiKeyParts names, and no others: lists.
-- Times are milliseconds since 1970. What was revoked or has expired stays, so that its id stays its own.

CREATE TABLE apiKeys (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  scope TEXT NOT NULL CHECK (scope IN ('read', 'write', 'admin')),
  isLimited INTEGER NOT NULL DEFAULT 0,
  hash TEXT NOT NULL,
  createdAt INTEGER NOT NULL,
  expiresAt INTEGER,
  revokedAt INTEGER
) STRICT;

CREATE TABLE apiKeyParts (
  id INTEGER PRIMARY KEY,
  keyID INTEGER NOT NULL REFERENCES apiKeys(id) ON DELETE CASCADE,
  part INTEGER NOT NULL,
  UNIQUE (keyID, part)
) STRICT;

CREATE INDEX apiKeyParts_part ON apiKeyParts (part);

-- What a page follows event streams with, in the URL: a secret that reads, for as long as its key holds.

CREATE TABLE liveSessions (
  id INTEGER PRIMARY KEY,
  keyID INTEGER NOT NULL REFERENCES apiKeys(id) ON DELETE CASCADE,
  hash TEXT NOT NULL,
  expiresAt INTEGER NOT NULL
) STRICT;

CREATE INDEX liveSessions_key ON liveSessions (keyID, expiresAt);
