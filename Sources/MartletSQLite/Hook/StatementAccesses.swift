import CMartletSQLite

/// What one statement reads and writes, collected by the ``Authorizer`` while it was prepared.
///
/// Triggers and views count with what they touch. A virtual table counts by its own name alone: it
/// reaches its shadow tables with statements of its own.
public struct StatementAccesses: Sendable, Hashable {
  /// A table in one of the connection's databases.
  public struct Table: Sendable, Hashable {
    public var database: String
    public var name: String

    public init(database: String = "main", name: String) {
      self.database = database
      self.name = name
    }
  }

  /// The columns read, by table. An empty set means its rows: how many there are, not what is in
  /// them (`SELECT count(*) FROM t`).
  public private(set) var reads: [Table: Set<String>] = [:]
  /// The tables that rows are inserted into, updated in or deleted from.
  public private(set) var writes: Set<Table> = []
  /// The SQL functions called, in lower case.
  public private(set) var functions: Set<String> = []

  public init() {}

  mutating func add(_ request: Authorizer.Request) {
    let database = request.database ?? "main"
    switch request.action {
    case SQLITE_READ:
      guard let name = request.first else { return }
      var columns = reads[Table(database: database, name: name)] ?? []
      if let column = request.second, !column.isEmpty { columns.insert(column) }
      reads[Table(database: database, name: name)] = columns
    case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE:
      guard let name = request.first else { return }
      writes.insert(Table(database: database, name: name))
    case SQLITE_FUNCTION:
      if let name = request.second { functions.insert(name.lowercased()) }
    default: return
    }
  }
}
