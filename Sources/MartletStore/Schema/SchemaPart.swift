import MartletSQLite

/// Tables that a library keeps in the database of a service, with their indexes and triggers.
///
/// A service adds a part to its migrator, and no migration of its own mentions the tables:
///
/// ```swift
/// migrator.parts = [APITables.keys]
/// ```
///
/// Each start makes what is missing of it. What is there in another form is an error, and then the file stays as it is.
public struct SchemaPart: Sendable {
  /// What errors call it.
  public let name: String
  /// The tables and indexes: `CREATE` statements without `IF NOT EXISTS`.
  public let sql: String
  public let triggers: [TriggerInstaller.Trigger]

  /// The names of the triggers begin with ``TriggerInstaller/prefix``.
  public init(_ name: String, sql: String, triggers: [(name: String, sql: String)] = []) {
    self.name = name
    self.sql = sql
    self.triggers = TriggerInstaller(triggers).triggers
  }

  /// Makes what is missing, triggers too, in the transaction of the connection. Throws ``MigrationError`` where a table or
  /// an index of its names is another one.
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

  /// The statements that make what the file lacks of the tables and indexes.
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

  /// A statement without the differences that white space makes.
  private static func words(_ sql: String) -> [Substring] {
    sql.split(whereSeparator: \.isWhitespace)
  }
}
