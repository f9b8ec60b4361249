import MartletSQLite

extension Migrator {
  /// Migrates a file before it is opened as a database. The file is created if it does not exist.
  ///
  /// The migrations can use what `configuration` prepares, for example functions.
  @discardableResult
  public func migrate(
    path: String, configuration: Configuration = Configuration()
  ) throws -> Report {
    let connection = try Connection(location: .file(path))
    connection.setBusyTimeout(configuration.busyTimeout)
    // Before anything is written, so that an incompatible file stays unchanged.
    _ = try pending(connection)
    try connection.makeDurable()
    try connection.pragma("foreign_keys", set: "ON")
    try configuration.prepareMigration(connection)
    return try migrate(connection)
  }

  /// Returns what ``migrate(path:configuration:)`` would do to an existing file, or throws the same
  /// error. The file stays unchanged.
  public func rehearse(path: String) throws -> Report {
    let connection = try Connection(location: .file(path), options: .readWrite)
    defer { connection.close() }
    connection.setBusyTimeout(.seconds(5))
    try connection.pragma("foreign_keys", set: "ON")
    _ = try pending(connection)
    return try rehearse(connection)
  }
}
