import MartletSQLite
import TestSupport

@testable import MartletStore

extension FuzzTarget {
  /// An entry of a cluster's log. Applying it fails as a whole, or gives a file that is intact.
  static let entry = FuzzTarget(name: "entry") {
    let replica = try Replica()
    return { bytes in try replica.run(Array(bytes)) }
  }
}

private final class Replica {
  private let connection: Connection
  private let applier: RowApplier

  init() throws {
    connection = try Connection(location: .inMemory)
    try connection.execute(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT UNIQUE, b);
      CREATE TABLE k (a TEXT COLLATE NOCASE, b, PRIMARY KEY (a)) WITHOUT ROWID;
      CREATE TABLE l (a, b);
      INSERT INTO t (a, b) VALUES ('x', 1), ('y', x'00');
      INSERT INTO k VALUES ('x', 1), ('Y', NULL);
      INSERT INTO l VALUES (1, 2), (3, 4);
      """)
    sqlite3_limit(connection.handle, SQLITE_LIMIT_LENGTH, 100_000)
    applier = try RowApplier(connection)
  }

  func run(_ bytes: [UInt8]) throws {
    try connection.execute("BEGIN")
    defer { try? connection.execute("ROLLBACK") }
    let before = try StoredContents.of(connection)
    do {
      try applier.apply(bytes)
    } catch is ReplicationError {
      // The store rolls the transaction back.
      try connection.execute("ROLLBACK; BEGIN")
      try expect(try StoredContents.of(connection) == before, "a refused entry left something")
      return
    }
    let check = try connection.value("PRAGMA integrity_check")
    try expect(check?.text == "ok", "\(check ?? .null)")
  }
}
