/// Triggers that delete the grants and sessions of a deleted API key, so that a later key with its
/// ID does not inherit them, and that record the last key ID.
///
/// They are the triggers that `APITables.keys` of MartletLiveAPI requires, word for word (a test
/// compares them). Installed together with the domain's triggers, they are restored at the next
/// start if a shell drops one.
enum KeyTriggers {
  static let all = [inserted, deleted, renumbered]

  static let inserted = (
    name: "martlet_apiKeys_inserted",
    sql: """
    CREATE TRIGGER martlet_apiKeys_inserted AFTER INSERT ON "apiKeys" BEGIN
      DELETE FROM apiKeyParts WHERE keyID = new.id;
      DELETE FROM liveSessions WHERE keyID = new.id;
      UPDATE apiKeyHistory SET lastKeyID = max(lastKeyID, new.id);
      INSERT INTO apiKeyHistory (id, lastKeyID) SELECT 1, new.id WHERE NOT EXISTS (SELECT 1 FROM apiKeyHistory);
    END
    """
  )

  static let deleted = (
    name: "martlet_apiKeys_deleted",
    sql: """
    CREATE TRIGGER martlet_apiKeys_deleted AFTER DELETE ON "apiKeys" BEGIN
      DELETE FROM apiKeyParts WHERE keyID = old.id;
      DELETE FROM liveSessions WHERE keyID = old.id;
    END
    """
  )

  static let renumbered = (
    name: "martlet_apiKeys_renumbered",
    sql: """
    CREATE TRIGGER martlet_apiKeys_renumbered AFTER UPDATE OF id, rowid, oid, _rowid_ ON "apiKeys" WHEN old.id <> new.id BEGIN
      DELETE FROM apiKeyParts WHERE keyID IN (old.id, new.id);
      DELETE FROM liveSessions WHERE keyID IN (old.id, new.id);
      UPDATE apiKeyHistory SET lastKeyID = max(lastKeyID, new.id);
    END
    """
  )
}
