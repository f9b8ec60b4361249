import MartletSQLite

/// Tables that a library keeps in a service's database, with their indexes and triggers.
///
/// A service adds the part to its migrator. Its own migrations do not mention the tables:
///
/// ```swift
/// migrator.parts = [APITables.keys]
/// ```
///
/// Each start creates what is missing. If a table exists in a different form, an error is thrown
/// and the file stays unchanged.
public struct SchemaPart: Sendable {
  /// The name of the part in error messages.
  public let name: String
  /// The tables and indexes, as `CREATE` statements without `IF NOT EXISTS`.
  public let sql: String
  /// The triggers of the tables.
  public let triggers: [TriggerInstaller.Trigger]

  /// Creates a part. The triggers' names must begin with ``TriggerInstaller/prefix``.
  public init(_ name: String, sql: String, triggers: [(name: String, sql: String)] = []) {
    self.name = name
    self.sql = sql
    self.triggers = TriggerInstaller(triggers).triggers
  }

  /// Creates missing tables, indexes and triggers, in the connection's open transaction. Throws
  /// ``MigrationError/otherObject(_:part:)`` if one of the names is used by a different table or
  /// index.
  public func install(in connection: Connection) throws {
    for statement in try missing(connection) { try connection.execute(statement) }
    let installer = TriggerInstaller(triggers.map { ($0.name, $0.sql) })
    for difference in try installer.differences(connection) {
      guard let trigger = triggers.first(where: { $0.name == difference.name }) else { continue }
      if difference.kind == .changed {
        try connection.execute("DROP TRIGGER \"\(trigger.name)\"")
      }
      try connection.execute(trigger.sql)
    }
  }

  /// Returns the statements that create the tables and indexes missing from the file.
  func missing(_ connection: Connection) throws -> [String] {
    let fresh = try Connection(location: .inMemory)
    defer { fresh.close() }
    try fresh.execute(sql)
    return try fresh.rows(
      "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid"
    ).compactMap { row in
      let name = row[0].text ?? ""
      let wanted = row[1].text ?? ""
      let found = try connection.value(
        "SELECT sql FROM main.sqlite_schema WHERE name = ?", .text(name))
      guard let found else { return wanted }
      guard Self.words(found.text ?? "") == Self.words(wanted) else {
        throw MigrationError.otherObject(name, part: self.name)
      }
      return nil
    }
  }

  /// The words of a statement, for a comparison that ignores whitespace.
  private static func words(_ sql: String) -> [Substring] {
    sql.split(whereSeparator: \.isWhitespace)
  }
}
