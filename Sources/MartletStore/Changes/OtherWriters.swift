import MartletSQLite

/// Finds out whether another program has written the file, from the writer's connection: there, and
/// only there, `PRAGMA data_version` moves for foreign commits alone
/// (https://sqlite.org/pragma.html#pragma_data_version).
struct OtherWriters {
  private var dataVersion: Int64
  private var schemaVersion: Int64

  init(_ connection: Connection) throws(SQLiteError) {
    dataVersion = try connection.dataVersion()
    schemaVersion = try Self.schemaVersion(connection)
  }

  /// Whether another program has committed since the last look.
  mutating func haveWritten(_ connection: Connection) throws(SQLiteError) -> Bool {
    let now = try connection.dataVersion()
    defer { dataVersion = now }
    return now != dataVersion
  }

  /// Whether the schema is another than at the last look. Changes of the schema are no changes of
  /// rows: no hook reports them.
  mutating func schemaHasChanged(_ connection: Connection) throws(SQLiteError) -> Bool {
    let now = try Self.schemaVersion(connection)
    defer { schemaVersion = now }
    return now != schemaVersion
  }

  private static func schemaVersion(_ connection: Connection) throws(SQLiteError) -> Int64 {
    let statement = try connection.cached("PRAGMA schema_version")
    return try statement.step() ? statement.int64(at: 0) : 0
  }
}
