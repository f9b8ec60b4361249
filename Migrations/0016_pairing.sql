-- Pairing: a code that a device shows, and that another one trades for a key of its own. Times are milliseconds since
-- 1970.
--
-- selector: the part of a code by which it is found. hash: of the whole code (crypt(3)). keyID: the key that has made
-- it. scope: what the new key may do at most.
CREATE TABLE pairingCodes (
  id INTEGER PRIMARY KEY,
  selector TEXT NOT NULL,
  hash TEXT NOT NULL,
  keyID INTEGER NOT NULL,
  scope TEXT NOT NULL CHECK (scope IN ('read', 'write', 'admin')),
  expiresAt INTEGER NOT NULL
) STRICT;

-- Which key has paired which. rootID: the first of such a chain, which was not paired itself.
CREATE TABLE pairedKeys (
  keyID INTEGER PRIMARY KEY,
  pairedBy INTEGER NOT NULL,
  rootID INTEGER NOT NULL
) STRICT;

CREATE INDEX pairedKeys_root ON pairedKeys (rootID);
CREATE INDEX pairedKeys_by ON pairedKeys (pairedBy);
