import MartletStore

/// The tables that the library keeps in a service's database. ``Service`` adds them to its migrator; a program that is put
/// together by hand does so itself: `migrator.parts = [APITables.keys]`.
///
/// What is there for good is kept by triggers in plain SQL, so that it holds for a `sqlite3` shell too.
public enum APITables {
  /// API keys, what they are limited to, and live sessions: needed by a ``Gate``.
  ///
  /// Times are milliseconds since 1970. A key that was revoked or has expired stays. `apiKeyHistory` has a row
  /// from the first key on: a database that ever had one is never open to everybody again, and the id of a key
  /// that was deleted is not given to another one.
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
        CREATE TRIGGER martlet_apiKeys_renumbered AFTER UPDATE OF id ON "apiKeys" WHEN old.id <> new.id BEGIN
          DELETE FROM apiKeyParts WHERE keyID IN (old.id, new.id);
          DELETE FROM liveSessions WHERE keyID IN (old.id, new.id);
          UPDATE apiKeyHistory SET lastKeyID = max(lastKeyID, new.id);
        END
        """
      ),
    ])

  /// Answers to requests with an `Idempotency-Key`: needed where ``API/Settings/keepsAnswers`` is set.
  ///
  /// `scope` is method, path and query; `fingerprint` tells the request's body from another one; `createdAt` is
  /// in milliseconds since 1970.
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
