import MartletSQLite

extension Migrator: SchemaMigrator {
  public func migrateFile(at path: String, configuration: Configuration) throws {
    try migrate(path: path, configuration: configuration)
  }

  /// Brings the schema of a file to what this program knows, before the file is opened as a database.
  @discardableResult
  public func migrate(
    path: String, configuration: Configuration = Configuration()
  ) throws -> Report {
    let connection = try Connection(location: .file(path))
    connection.setBusyTimeout(configuration.busyTimeout)
    // Before anything is written: a file that does not fit is left as it is.
    _ = try pending(connection)
    try connection.makeDurable()
    try configuration.prepareMigration(connection)
    return try migrate(connection)
  }

  /// What ``migrate(path:configuration:)`` would do to a file that exists, or would throw. The file stays as it is.
  public func rehearse(path: String) throws -> Report {
    let connection = try Connection(location: .file(path), options: .readWrite)
    defer { connection.close() }
    connection.setBusyTimeout(.seconds(5))
    _ = try pending(connection)
    return try rehearse(connection)
  }
}
