import MartletStore

/// The tables of the library in a service's database.
///
/// ``Service`` adds them to its migrator. A program that opens the database itself adds them:
/// `migrator.parts = [APITables.keys]`. Invariants are enforced by triggers in plain SQL, so that
/// they also hold for changes from a `sqlite3` shell.
public enum APITables {
  /// API keys, the parts of the data that they are limited to, and live sessions. Required by a
  /// ``Gate``.
  ///
  /// Times are milliseconds since 1970. The last 1,000 expired and revoked keys stay.
  /// `apiKeyHistory` has a row from the first key on: a database that has ever had a key always
  /// requires authentication, and the ID of a deleted key is not reused.
  public static let keys = SchemaPart(
    "API keys",
    sql: """
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

      CREATE TABLE liveSessions (
        id INTEGER PRIMARY KEY,
        keyID INTEGER NOT NULL REFERENCES apiKeys(id) ON DELETE CASCADE,
        hash TEXT NOT NULL,
        expiresAt INTEGER NOT NULL
      ) STRICT;

      CREATE INDEX liveSessions_key ON liveSessions (keyID, expiresAt);

      CREATE TABLE apiKeyHistory (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        lastKeyID INTEGER NOT NULL
      ) STRICT;
      """,
    triggers: [
      (
        "martlet_apiKeys_inserted",
        """
        CREATE TRIGGER martlet_apiKeys_inserted AFTER INSERT ON "apiKeys" BEGIN
          DELETE FROM apiKeyParts WHERE keyID = new.id;
          DELETE FROM liveSessions WHERE keyID = new.id;
          UPDATE apiKeyHistory SET lastKeyID = max(lastKeyID, new.id);
          INSERT INTO apiKeyHistory (id, lastKeyID) SELECT 1, new.id WHERE NOT EXISTS (SELECT 1 FROM apiKeyHistory);
        END
        """
      ),
      (
        "martlet_apiKeys_deleted",
        """
        CREATE TRIGGER martlet_apiKeys_deleted AFTER DELETE ON "apiKeys" BEGIN
          DELETE FROM apiKeyParts WHERE keyID = old.id;
          DELETE FROM liveSessions WHERE keyID = old.id;
        END
        """
      ),
      (
        "martlet_apiKeys_renumbered",
        """
        CREATE TRIGGER martlet_apiKeys_renumbered AFTER UPDATE OF id, rowid, oid, _rowid_ ON "apiKeys" WHEN old.id <> new.id BEGIN
          DELETE FROM apiKeyParts WHERE keyID IN (old.id, new.id);
          DELETE FROM liveSessions WHERE keyID IN (old.id, new.id);
          UPDATE apiKeyHistory SET lastKeyID = max(lastKeyID, new.id);
        END
        """
      ),
    ])

  /// Pairing codes, and which key has paired which. Required by ``Route/pairing(_:_:parts:)``.
  ///
  /// Times are milliseconds since 1970.
  public static let pairing = SchemaPart(
    "pairing",
    sql: """
      CREATE TABLE pairingCodes (
        id INTEGER PRIMARY KEY,
        selector TEXT NOT NULL,
        hash TEXT NOT NULL,
        keyID INTEGER NOT NULL,
        scope TEXT NOT NULL CHECK (scope IN ('read', 'write', 'admin')),
        expiresAt INTEGER NOT NULL
      ) STRICT;

      CREATE TABLE pairedKeys (
        keyID INTEGER PRIMARY KEY,
        pairedBy INTEGER NOT NULL,
        rootID INTEGER NOT NULL
      ) STRICT;

      CREATE INDEX pairedKeys_root ON pairedKeys (rootID);
      CREATE INDEX pairedKeys_by ON pairedKeys (pairedBy);
      """)

  /// Stored responses to requests with an `Idempotency-Key`. Required if
  /// `API.Settings.storesResponses` is true.
  ///
  /// `scope` consists of the method, path and query; `fingerprint` is a hash of the request's body;
  /// `createdAt` is in milliseconds since 1970.
  public static let keptAnswers = SchemaPart(
    "answers to requests with an Idempotency-Key",
    sql: """
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
      """)
}
