/// `CREATE TRIGGER`, from types (https://sqlite.org/lang_createtrigger.html).
///
/// ```swift
/// RemindersList.createTemporaryTrigger(
///   after: .delete { _ in
///     RemindersList.insert { RemindersList.Draft(title: "Reminders") }
///   } when: { _ in
///     !RemindersList.exists()
///   }
/// )
/// ```
/// Its body is printed with literals, because a trigger takes no parameters. SQLite allows the tables that
/// it changes no schema: a persistent trigger finds them beside itself, a temporary one in `temp`, then in
/// `main`, then in the databases that are attached.
public struct Trigger<Target: Table>: ChangeStatement {
  public enum Lifetime: Sendable {
    /// Gone with the connection.
    case temporary
    /// Part of the schema: every program that writes meets it, so it may call no Swift function.
    case persistent
  }
  public enum Timing: Sendable { case before, after, insteadOf }

  public let name: String
  let lifetime: Lifetime
  let timing: Timing
  let ifNotExists: Bool
  let operation: TriggerOperation<Target>

  /// The statement, and what in it cannot mean what was meant (a date bound once, say).
  public var prepared: (sql: String, issues: [String]) {
    var found = operation.issues
    if operation.body.isEmpty { found.append(("A trigger needs at least one statement.", nil)) }
    if lifetime == .persistent, let issue = fragment.issueInSchema { found.append((issue, nil)) }
    let issues = found.map { issue, column in
      let place = column.map { ", column \"\($0)\"" } ?? ""
      return "\(issue) (trigger \"\(name)\" on \"\(Target.tableName)\"\(place))"
    }
    return (fragment.prepare(.literal).sql, issues)
  }

  private var identifier: QueryFragment {
    guard lifetime == .persistent, let schema = Target.schemaName else { return "\(quote: name)" }
    return "\(quote: schema).\(quote: name)"
  }

  private var fragment: QueryFragment {
    var sql: QueryFragment =
      lifetime == .temporary ? "CREATE TEMPORARY TRIGGER " : "CREATE TRIGGER "
    if ifNotExists { sql += "IF NOT EXISTS " }
    // A temporary trigger names its table's schema, a persistent one lies in it.
    let table = lifetime == .temporary ? Target.identifier : "\(quote: Target.tableName)"
    sql += "\(identifier) \(raw: timing.keyword) \(operation.event) ON \(table) FOR EACH ROW "
    if !operation.condition.isEmpty { sql += "WHEN \(operation.condition) " }
    sql += "BEGIN "
    for step in operation.body { sql += "\(step.fragment); " }
    sql += "END"
    return sql
  }

  public var query: Query {
    let (sql, issues) = prepared
    let text = QueryFragment(raw: sql).requiring(fragment.requirements)
    // A statement with an invalid binding is never executed: the issue is its reason.
    guard let issue = issues.first else { return Query(text) }
    return Query("\(text) \(QueryBinding.invalid(reason: issue))")
  }

  /// `DROP TRIGGER "…"`
  public func drop(ifExists: Bool = false) -> Change {
    Change(Query("DROP TRIGGER \(ifExists ? "IF EXISTS " : "")\(identifier)"))
  }
}

extension Trigger.Timing {
  var keyword: String {
    switch self {
    case .before: "BEFORE"
    case .after: "AFTER"
    case .insteadOf: "INSTEAD OF"
    }
  }
}

/// A statement without rows that is no builder's: `DROP TRIGGER`, `#sql`.
public struct Change: Statement {
  public typealias Output = Never
  public let query: Query
  public init(_ query: Query) { self.query = query }
}

// One initializer for all: a generated name says where the trigger was written.
extension Trigger {
  init(
    temporary name: String?, _ timing: Timing, _ ifNotExists: Bool,
    _ operation: TriggerOperation<Target>, _ place: String
  ) {
    let when =
      switch timing {
      case .before: "before"
      case .after: "after"
      case .insteadOf: "instead_of"
      }
    self.init(
      name: name ?? "\(when)_\(operation.name)_on_\(Target.tableName)@\(place)",
      lifetime: .temporary, timing: timing, ifNotExists: ifNotExists, operation: operation)
  }
}

extension Table {
  /// Temporary: gone when the connection closes. The name without `name` says where it was written.
  public static func createTemporaryTrigger(
    _ name: String? = nil, ifNotExists: Bool = false, after operation: TriggerOperation<Self>,
    fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Trigger<Self> {
    Trigger(temporary: name, .after, ifNotExists, operation, "\(fileID):\(line):\(column)")
  }
  public static func createTemporaryTrigger(
    _ name: String? = nil, ifNotExists: Bool = false, before operation: TriggerOperation<Self>,
    fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Trigger<Self> {
    Trigger(temporary: name, .before, ifNotExists, operation, "\(fileID):\(line):\(column)")
  }
  /// What happens in place of a change to a view.
  public static func createTemporaryTrigger(
    _ name: String? = nil, ifNotExists: Bool = false, insteadOf operation: TriggerOperation<Self>,
    fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Trigger<Self> {
    Trigger(temporary: name, .insteadOf, ifNotExists, operation, "\(fileID):\(line):\(column)")
  }

  /// Persistent, hence always with a name: one made of line numbers would come back beside itself after
  /// the next edit of the file.
  public static func createTrigger(
    _ name: String, ifNotExists: Bool = false, after operation: TriggerOperation<Self>
  ) -> Trigger<Self> {
    Trigger(
      name: name, lifetime: .persistent, timing: .after, ifNotExists: ifNotExists,
      operation: operation)
  }
  public static func createTrigger(
    _ name: String, ifNotExists: Bool = false, before operation: TriggerOperation<Self>
  ) -> Trigger<Self> {
    Trigger(
      name: name, lifetime: .persistent, timing: .before, ifNotExists: ifNotExists,
      operation: operation)
  }
  /// What happens in place of a change to a view, for every program that opens the file.
  public static func createTrigger(
    _ name: String, ifNotExists: Bool = false, insteadOf operation: TriggerOperation<Self>
  ) -> Trigger<Self> {
    Trigger(
      name: name, lifetime: .persistent, timing: .insteadOf, ifNotExists: ifNotExists,
      operation: operation)
  }
}
