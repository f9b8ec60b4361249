import MartletQueryBuilder
import MartletSQLite

/// The digest of the content that the file of a node had at an entry of the log.
public struct ContentDigest: Sendable, Equatable {
  /// The rows of a table, those of virtual tables included.
  public struct Table: Sendable, Equatable {
    /// The number of rows.
    public var rows: Int
    /// A hash of all values, in the order of the primary key.
    public var hash: UInt64

    /// Creates the digest of a table.
    public init(rows: Int, hash: UInt64) {
      self.rows = rows
      self.hash = hash
    }
  }

  /// The number of the entry.
  public var seq: Int64
  /// The replicated tables, by name.
  public var tables: [String: Table]

  /// Creates a digest.
  public init(seq: Int64, tables: [String: Table]) {
    self.seq = seq
    self.tables = tables
  }

  /// Reads everything that is replicated, in the transaction of the connection.
  init(_ connection: Connection) throws {
    guard let position = try NodePosition(connection) else { throw ReplicationError.otherCluster }
    seq = position.seq
    tables = [:]
    for (name, shape) in try RowShape.all(connection) {
      tables[name] = try Table(shape.get().readAll, connection)
    }
    // It exists once a table has had AUTOINCREMENT (https://sqlite.org/autoinc.html).
    if try connection.tableExists("sqlite_sequence") {
      tables["sqlite_sequence"] = try Table(
        "SELECT name, seq FROM main.sqlite_sequence ORDER BY name", connection)
    }
  }

  /// The names of the tables that differ, in order.
  public func differences(from other: ContentDigest) -> [String] {
    Set(tables.keys).union(other.tables.keys).filter { tables[$0] != other.tables[$0] }.sorted()
  }
}

extension ContentDigest.Table {
  fileprivate init(_ sql: String, _ connection: Connection) throws(SQLiteError) {
    let statement = try connection.prepare(sql: sql)
    let width = statement.columnCount
    var hash = FNV1a()
    rows = 0
    while try statement.step() {
      rows += 1
      for column in 0..<width { hash.add(statement, column) }
    }
    self.hash = hash.value
  }
}

extension FNV1a {
  /// Adds the type of a value, and the value as it is stored.
  fileprivate mutating func add(_ statement: PreparedStatement, _ column: Int) {
    switch statement.storage(at: column) {
    case .null: add(0 as UInt8)
    case .integer:
      add(1 as UInt8)
      add(UInt64(bitPattern: statement.int64(at: column)))
    case .real:
      add(2 as UInt8)
      add(statement.double(at: column).bitPattern)
    case .text, .blob:
      add(statement.storage(at: column) == .text ? 3 : 4 as UInt8)
      let bytes = statement.blobBytes(at: column)
      add(UInt64(bytes.count))
      for byte in bytes { add(byte) }
    }
  }
}
