import MartletSQLite

/// Keeps the persistent triggers of a file in step with those of the program: exactly these, and no
/// other whose name begins with ``prefix``.
public struct TriggerInstaller: Sendable {
  /// A trigger as its name and its whole `CREATE TRIGGER` statement.
  public struct Trigger: Sendable, Hashable {
    public var name: String
    public var sql: String

    public init(name: String, sql: String) {
      self.name = name
      self.sql = sql
    }
  }

  /// What the names of all triggers begin with that this type creates and drops.
  public static let prefix = "martlet_"

  public let triggers: [Trigger]

  public init(_ triggers: [(name: String, sql: String)]) {
    self.init(triggers.map { Trigger(name: $0.name, sql: $0.sql) })
  }

  init(_ triggers: [Trigger]) { self.triggers = triggers }

  /// Whether the file has exactly these triggers.
  func isInStep(_ connection: Connection) throws(SQLiteError) -> Bool {
    try differences(connection).isEmpty
  }

  /// How a file's triggers differ from the program's.
  public struct Difference: Sendable, Hashable {
    public enum Kind: Sendable, Hashable { case missing, changed, unknown }
    public var name: String
    public var kind: Kind
  }

  /// Every trigger of the program that the file lacks or has otherwise, and those with the prefix that the program
  /// does not have. Empty where the next start makes none anew.
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

  /// Drops every trigger with the prefix. Before migrations: an old trigger can break `DROP
  /// COLUMN`, and a migration's `UPDATE` must not fire any.
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
    // Not LIKE, in which the underscore stands for any character.
    let rows = try connection.rows(
      "SELECT name, sql FROM main.sqlite_schema WHERE type = 'trigger' AND substr(name, 1, ?) = ?",
      .integer(Int64(Self.prefix.count)), .text(Self.prefix))
    return rows.map { Trigger(name: $0[0].text ?? "", sql: $0[1].text ?? "") }
  }

  /// The text that SQLite keeps of a trigger: `CREATE TRIGGER `, then the statement from the
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
  /// The first place of `other`, which is not empty.
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
