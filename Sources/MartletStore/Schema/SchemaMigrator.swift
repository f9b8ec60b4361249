import MartletSQLite

/// Brings a database file to the schema that a program knows: ``Migrator`` or ``DatabaseMigrator``.
public protocol SchemaMigrator: Sendable {
  /// Tables of libraries, made beside the program's own.
  var parts: [SchemaPart] { get set }

  /// Migrates a file, which is made if it does not exist, before it is opened as a database. `configuration` says what its
  /// connection is given first. Throws ``MigrationError``, and then the file is as it was.
  func migrateFile(at path: String, configuration: Configuration) throws
}

extension DatabaseMigrator: SchemaMigrator {
  public func migrateFile(at path: String, configuration: Configuration) throws {
    try migrate(path: path, configuration: configuration)
  }
}
