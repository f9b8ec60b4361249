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
/// Its body is printed with literals, because a trigger takes no parameters.
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
    let printed = fragment.prepare(.literal)
    return (
      printed.sql, printed.issues.map { "\($0) (trigger \"\(name)\" on \"\(Target.tableName)\")" }
    )
  }

  private var fragment: QueryFragment {
    var sql: QueryFragment =
      lifetime == .temporary ? "CREATE TEMPORARY TRIGGER " : "CREATE TRIGGER "
    if ifNotExists { sql += "IF NOT EXISTS " }
    sql +=
      "\(quote: name) \(QueryFragment(timing.keyword)) \(operation.event) ON \(quote: Target.tableName) FOR EACH ROW "
    if !operation.condition.isEmpty { sql += "WHEN \(operation.condition) " }
    sql += "BEGIN "
    for statement in operation.body { sql += "\(statement); " }
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
    Change(Query("DROP TRIGGER \(ifExists ? "IF EXISTS " : "")\(quote: name)"))
  }
}

extension Trigger.Timing {
  var keyword: StaticString {
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
  public var decode: @Sendable (inout RowReader) throws(DecodingProblem) -> Never {
    { row throws(DecodingProblem) in throw row.problem("no rows") }
  }
}

extension Table {
  /// Temporary: gone when the connection closes. The name without `name` says where it was written.
  public static func createTemporaryTrigger(
    _ name: String? = nil, ifNotExists: Bool = false, after operation: TriggerOperation<Self>,
    fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Trigger<Self> {
    Trigger(
      name: name ?? "after_\(operation.name)_on_\(tableName)@\(fileID):\(line):\(column)",
      lifetime: .temporary, timing: .after, ifNotExists: ifNotExists, operation: operation)
  }
  public static func createTemporaryTrigger(
    _ name: String? = nil, ifNotExists: Bool = false, before operation: TriggerOperation<Self>,
    fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Trigger<Self> {
    Trigger(
      name: name ?? "before_\(operation.name)_on_\(tableName)@\(fileID):\(line):\(column)",
      lifetime: .temporary, timing: .before, ifNotExists: ifNotExists, operation: operation)
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
}
