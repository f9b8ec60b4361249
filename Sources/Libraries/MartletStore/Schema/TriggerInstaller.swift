import MartletSQLite

/// Keeps the persistent triggers of a file identical to the program's: creates these, and drops any
/// other whose name begins with ``prefix``.
public struct TriggerInstaller: Sendable {
  /// A trigger's name and complete `CREATE TRIGGER` statement.
  public struct Trigger: Sendable, Hashable {
    /// The trigger's name, which must begin with ``TriggerInstaller/prefix``.
    public var name: String
    /// The `CREATE TRIGGER` statement.
    public var sql: String

    /// Creates a trigger.
    public init(name: String, sql: String) {
      self.name = name
      self.sql = sql
    }
  }

  /// The prefix of the names of all triggers that this type creates and drops.
  public static let prefix = "martlet_"

  /// The triggers of the program.
  public let triggers: [Trigger]

  /// Creates an installer from `CREATE TRIGGER` statements by name.
  public init(_ triggers: [(name: String, sql: String)]) {
    self.init(triggers.map { Trigger(name: $0.name, sql: $0.sql) })
  }

  init(_ triggers: [Trigger]) { self.triggers = triggers }

  /// Whether the file has exactly these triggers.
  func isInStep(_ connection: Connection) throws(SQLiteError) -> Bool {
    try differences(connection).isEmpty
  }

  /// A trigger that differs between the file and the program.
  public struct Difference: Sendable, Hashable {
    /// How the trigger differs: missing from the file, different SQL, or unknown to the program.
    public enum Kind: Sendable, Hashable { case missing, changed, unknown }
    /// The trigger's name.
    public var name: String
    /// How the trigger differs.
    public var kind: Kind
  }

  /// Returns the triggers that are missing from the file or differ in it, and the file's triggers
  /// with the prefix that the program does not have. If the result is empty, the next start creates
  /// no triggers.
  public func differences(_ connection: Connection) throws(SQLiteError) -> [Difference] {
    let present = try self.present(connection)
    var differences: [Difference] = []
    for trigger in triggers {
      guard let found = present.first(where: { $0.name == trigger.name }) else {
        differences.append(Difference(name: trigger.name, kind: .missing))
        continue
      }
      if found.sql != storedForm(of: trigger) {
        differences.append(Difference(name: trigger.name, kind: .changed))
      }
    }
    let known = Set(triggers.map(\.name))
    for trigger in present where !known.contains(trigger.name) {
      differences.append(Difference(name: trigger.name, kind: .unknown))
    }
    return differences
  }

  /// Drops every trigger with the prefix. Runs before migrations, because an old trigger can break
  /// `DROP COLUMN`, and an `UPDATE` in a migration must not fire triggers.
  func dropAll(_ connection: Connection) throws(SQLiteError) {
    for trigger in try present(connection) {
      try connection.execute("DROP TRIGGER \"\(trigger.name)\"")
    }
  }

  func createAll(_ connection: Connection) throws {
    for trigger in triggers {
      guard trigger.name.hasPrefix(Self.prefix), !trigger.name.contains("\"") else {
        throw MigrationError.triggerName(name: trigger.name)
      }
      do throws(SQLiteError) {
        try connection.execute(trigger.sql)
      } catch {
        throw MigrationError.trigger(name: trigger.name, error)
      }
    }
    let names = Set(try present(connection).map(\.name))
    for trigger in triggers where !names.contains(trigger.name) {
      throw MigrationError.triggerName(name: trigger.name)
    }
  }

  private func present(_ connection: Connection) throws(SQLiteError) -> [Trigger] {
    // Not LIKE, where the underscore matches any character.
    let rows = try connection.rows(
      "SELECT name, sql FROM main.sqlite_schema WHERE type = 'trigger' AND substr(name, 1, ?) = ?",
      .integer(Int64(Self.prefix.count)), .text(Self.prefix))
    return rows.map { Trigger(name: $0[0].text ?? "", sql: $0[1].text ?? "") }
  }

  /// The text that SQLite stores for a trigger: `CREATE TRIGGER `, then the statement from the
  /// trigger's name to its `END`.
  private func storedForm(of trigger: Trigger) -> String? {
    guard let name = trigger.sql.range(of: trigger.name) else { return nil }
    var start = name.lowerBound
    if start > trigger.sql.startIndex {
      let before = trigger.sql.index(before: start)
      if "\"'`[".contains(trigger.sql[before]) { start = before }
    }
    var text = trigger.sql[start...]
    while let last = text.last, last == ";" || last.isWhitespace { text.removeLast() }
    return "CREATE TRIGGER " + text
  }
}

extension String {
  /// Returns the first range of `other`, which must not be empty.
  fileprivate func range(of other: String) -> Range<String.Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(other) {
        return start..<index(start, offsetBy: other.count)
      }
      start = index(after: start)
    }
    return nil
  }
}
