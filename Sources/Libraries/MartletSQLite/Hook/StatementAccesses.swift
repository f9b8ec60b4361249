import CMartletSQLite

/// The tables and columns that one statement reads and writes, recorded by the ``Authorizer`` while
/// it is prepared.
///
/// Accesses by triggers and views are included. A virtual table appears only under its own name: it
/// accesses its shadow tables with its own statements.
public struct StatementAccesses: Sendable, Hashable {
  /// A table in one of the connection's databases.
  public struct Table: Sendable, Hashable {
    /// The name of the database: `main`, `temp` or that of an attached database.
    public var database: String
    /// The name of the table.
    public var name: String

    /// Names a table in a database.
    public init(database: String = "main", name: String) {
      self.database = database
      self.name = name
    }
  }

  /// The columns read, by table. An empty set means that only the rows are counted
  /// (`SELECT count(*) FROM t`).
  public private(set) var reads: [Table: Set<String>] = [:]
  /// The tables into which rows are inserted and in which rows are updated or deleted.
  public private(set) var writes: Set<Table> = []
  /// The SQL functions called, in lower case.
  public private(set) var functions: Set<String> = []

  /// No accesses.
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
