import MartletSQLite

extension Migrator: SchemaMigrator {
  /// Migrates the file with ``migrate(path:configuration:)``.
  public func migrateFile(at path: String, configuration: Configuration) throws {
    try migrate(path: path, configuration: configuration)
  }

  /// Migrates a file before it is opened as a database. The file is created if it does not exist.
  @discardableResult
  public func migrate(
    path: String, configuration: Configuration = Configuration()
  ) throws -> Report {
    let connection = try Connection(location: .file(path))
    connection.setBusyTimeout(configuration.busyTimeout)
    // Before anything is written, so that an incompatible file stays unchanged.
    _ = try pending(connection)
    try connection.makeDurable()
    try configuration.prepareMigration(connection)
    return try migrate(connection)
  }

  /// Returns what ``migrate(path:configuration:)`` would do to an existing file, or throws the same
  /// error. The file stays unchanged.
  public func rehearse(path: String) throws -> Report {
    let connection = try Connection(location: .file(path), options: .readWrite)
    defer { connection.close() }
    connection.setBusyTimeout(.seconds(5))
    _ = try pending(connection)
    return try rehearse(connection)
  }
}
