import MartletSQLite

/// Migrates a database file to the schema of the program. ``Migrator`` and ``DatabaseMigrator``
/// conform to it.
public protocol SchemaMigrator: Sendable {
  /// Tables of libraries, created in addition to the program's own.
  var parts: [SchemaPart] { get set }

  /// Migrates a file before it is opened as a database. The file is created if it does not exist.
  /// `configuration` prepares the connection. Throws ``MigrationError``; then the file is
  /// unchanged.
  func migrateFile(at path: String, configuration: Configuration) throws
}

extension DatabaseMigrator: SchemaMigrator {
  /// Migrates the file with ``migrate(path:configuration:)``.
  public func migrateFile(at path: String, configuration: Configuration) throws {
    try migrate(path: path, configuration: configuration)
  }
}
