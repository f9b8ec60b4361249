import MartletSQLite

/// Detects commits by other programs. It uses the writer's connection, on which `PRAGMA
/// data_version` changes only for commits of other connections
/// (https://sqlite.org/pragma.html#pragma_data_version).
struct OtherWriters {
  private var dataVersion: Int64
  private var schemaVersion: Int64

  init(_ connection: Connection) throws(SQLiteError) {
    dataVersion = try connection.dataVersion()
    schemaVersion = try Self.schemaVersion(connection)
  }

  /// Returns whether another program has committed since the last call.
  mutating func haveWritten(_ connection: Connection) throws(SQLiteError) -> Bool {
    let now = try connection.dataVersion()
    defer { dataVersion = now }
    return now != dataVersion
  }

  /// Returns whether the schema has changed since the last call. Hooks report row changes only, not
  /// schema changes.
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
