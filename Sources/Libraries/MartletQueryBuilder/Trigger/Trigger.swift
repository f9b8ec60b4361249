/// A CREATE TRIGGER statement (https://sqlite.org/lang_createtrigger.html).
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
/// The body is printed with literals, because a trigger takes no parameters.
///
/// The tables that a trigger changes are printed without a schema, as SQLite requires. A persistent
/// trigger changes tables of its own database. A temporary one looks for them in `temp`, then in
/// `main`, then in the attached databases.
public struct Trigger<Target: Table>: ChangeStatement {
  /// How long a trigger exists.
  public enum Lifetime: Sendable {
    /// Until the connection closes.
    case temporary
    /// As part of the schema. It fires for every program that writes to the database, so it cannot
    /// call Swift functions.
    case persistent
  }
  /// When a trigger fires: `before` or `after` a change of a table, or `insteadOf` a change of a
  /// view.
  public enum Timing: Sendable { case before, after, insteadOf }

  /// The name of the trigger in SQL.
  public let name: String
  let lifetime: Lifetime
  let timing: Timing
  let ifNotExists: Bool
  let operation: TriggerOperation<Target>

  /// The SQL text, and the reasons why the trigger cannot work as written, such as a date that
  /// would be bound only once.
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
    // A temporary trigger names the schema of its table. A persistent one is created in that
    // schema.
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
    // A statement with an invalid binding is never executed. It fails with the issue as its
    // message.
    guard let issue = issues.first else { return Query(text) }
    return Query("\(text) \(QueryBinding.invalid(reason: issue))")
  }

  /// Drops the trigger: `DROP TRIGGER "…"`.
  public func drop(ifExists: Bool = false) -> PlainStatement {
    PlainStatement(Query("DROP TRIGGER \(ifExists ? "IF EXISTS " : "")\(identifier)"))
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

/// A statement without rows that has no builder of its own, such as `DROP TRIGGER`.
public struct PlainStatement: Statement {
  public typealias Output = Never
  public let query: Query
  /// Creates a statement from a query.
  public init(_ query: Query) { self.query = query }
}

// All temporary triggers use this initializer. A generated name contains the place in the source.
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
  /// Creates a trigger that fires after a change and exists until the connection closes:
  /// `CREATE TEMPORARY TRIGGER … AFTER …`.
  ///
  /// By default the name of the trigger contains the place in the source.
  public static func createTemporaryTrigger(
    _ name: String? = nil, ifNotExists: Bool = false, after operation: TriggerOperation<Self>,
    fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Trigger<Self> {
    Trigger(temporary: name, .after, ifNotExists, operation, "\(fileID):\(line):\(column)")
  }
  /// Creates a trigger that fires before a change and exists until the connection closes:
  /// `CREATE TEMPORARY TRIGGER … BEFORE …`.
  public static func createTemporaryTrigger(
    _ name: String? = nil, ifNotExists: Bool = false, before operation: TriggerOperation<Self>,
    fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Trigger<Self> {
    Trigger(temporary: name, .before, ifNotExists, operation, "\(fileID):\(line):\(column)")
  }
  /// Creates a trigger that runs instead of a change of a view and exists until the connection
  /// closes: `CREATE TEMPORARY TRIGGER … INSTEAD OF …`.
  public static func createTemporaryTrigger(
    _ name: String? = nil, ifNotExists: Bool = false, insteadOf operation: TriggerOperation<Self>,
    fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Trigger<Self> {
    Trigger(temporary: name, .insteadOf, ifNotExists, operation, "\(fileID):\(line):\(column)")
  }

  /// Creates a trigger that fires after a change and is part of the schema:
  /// `CREATE TRIGGER "…" AFTER …`.
  ///
  /// It needs a name. A generated one contains a line number, so that after the next edit of the
  /// file the trigger would be created a second time.
  public static func createTrigger(
    _ name: String, ifNotExists: Bool = false, after operation: TriggerOperation<Self>
  ) -> Trigger<Self> {
    Trigger(
      name: name, lifetime: .persistent, timing: .after, ifNotExists: ifNotExists,
      operation: operation)
  }
  /// Creates a trigger that fires before a change and is part of the schema:
  /// `CREATE TRIGGER "…" BEFORE …`.
  public static func createTrigger(
    _ name: String, ifNotExists: Bool = false, before operation: TriggerOperation<Self>
  ) -> Trigger<Self> {
    Trigger(
      name: name, lifetime: .persistent, timing: .before, ifNotExists: ifNotExists,
      operation: operation)
  }
  /// Creates a trigger that runs instead of a change of a view and is part of the schema:
  /// `CREATE TRIGGER "…" INSTEAD OF …`.
  public static func createTrigger(
    _ name: String, ifNotExists: Bool = false, insteadOf operation: TriggerOperation<Self>
  ) -> Trigger<Self> {
    Trigger(
      name: name, lifetime: .persistent, timing: .insteadOf, ifNotExists: ifNotExists,
      operation: operation)
  }
}
