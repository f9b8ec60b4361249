import MartletSQLite

/// Detects commits by other programs and what they have changed. It uses the writer's connection,
/// on which `PRAGMA data_version` changes only for commits of other connections
/// (https://sqlite.org/pragma.html#pragma_data_version).
///
/// All methods run in a transaction, so that what they read belongs to one commit. The value is
/// replaced only after the transaction: if it fails, the same changes are reported again.
struct OtherWriters {
  private var dataVersion: Int64
  private var schemaVersion: Int64
  private var tables: FollowedTables
  /// The position of the last commit that is known.
  private var position: ChangePosition
  private let watch: Watch

  init(_ connection: Connection, changeTable: ChangeTable?, _ watch: Watch) throws(SQLiteError) {
    self.watch = watch
    dataVersion = try connection.dataVersion()
    schemaVersion = try Self.schemaVersion(connection)
    tables = try FollowedTables(connection, changeTable: changeTable)
    position = try ChangePosition(connection, tables)
  }

  /// Returns whether another program has committed since the last call of ``changes(_:)``.
  func haveWritten(_ connection: Connection) throws(SQLiteError) -> Bool {
    try connection.dataVersion() != dataVersion
  }

  /// Returns what other programs have changed since the last call; `nil` if they have not committed
  /// anything.
  mutating func changes(_ connection: Connection) throws(SQLiteError) -> ForeignChanges? {
    let now = try connection.dataVersion()
    guard now != dataVersion else { return nil }
    dataVersion = now
    if try schemaHasChanged(connection) { return .anything }
    let last = position
    position = try ChangePosition(connection, tables)
    // Nothing is known of attached databases.
    guard !tables.isEmpty, position.follows(last),
      try connection.rows("SELECT 1 FROM pragma_database_list WHERE seq > 1").isEmpty
    else { return .anything }
    return try position.changes(since: last, tables, watch.list, connection)
  }

  /// Takes notice of what the writer has changed in the transaction that it is about to commit.
  /// Returns whether that includes the schema, whose changes hooks do not report.
  mutating func noteOwn(
    _ recorder: ChangeRecorder, _ connection: Connection
  ) throws(SQLiteError) -> Bool {
    if try schemaHasChanged(connection) { return true }
    if !tables.isEmpty, recorder.hasChanged(TableCounters.table) {
      position.counters = try TableCounters.values(connection)
    }
    if let changeTable = tables.changeTable {
      switch recorder.additions(to: changeTable.table) {
      case .none: break
      case .upTo(let version): position.version = max(position.version, version)
      case .unclear: position.version = try ChangePosition.version(changeTable, connection)
      }
    }
    return false
  }

  /// Returns whether the schema has changed since the last call, and learns the new one.
  private mutating func schemaHasChanged(_ connection: Connection) throws(SQLiteError) -> Bool {
    let now = try Self.schemaVersion(connection)
    guard now != schemaVersion else { return false }
    schemaVersion = now
    tables = try FollowedTables(connection, changeTable: tables.configuredTable)
    position = try ChangePosition(connection, tables)
    return true
  }

  private static func schemaVersion(_ connection: Connection) throws(SQLiteError) -> Int64 {
    let statement = try connection.cached("PRAGMA schema_version")
    return try statement.step() ? statement.int64(at: 0) : 0
  }
}

/// The changes of other programs.
struct ForeignChanges {
  /// Whether anything may have changed.
  var everything = false
  /// The tables that have or may have changed.
  var tables: [String: TableChanges] = [:]

  static let anything = ForeignChanges(everything: true)
}
