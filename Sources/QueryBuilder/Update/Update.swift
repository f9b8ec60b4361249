/// INSERT, UPDATE, DELETE: no rows until `returning` is asked for.
public protocol ChangeStatement<Target>: Statement where Output == Never {
  associatedtype Target: Table
}

extension ChangeStatement {
  public var decode: @Sendable (inout RowReader) throws(DecodingProblem) -> Never {
    { row throws(DecodingProblem) in throw row.problem("no rows") }
  }
}

/// `UPDATE "reminders" SET "title" = ? WHERE …`. One that assigns nothing executes nothing.
public struct Update<Target: Table>: ChangeStatement {
  let core: SelectCore
  let assignments: [Assignment]

  public var query: Query {
    let list = assignments.map { "\(quote: $0.column) = \($0.value)" as QueryFragment }
    return Query(
      "UPDATE \(core.source.table) SET \(list.joined(", "))\(core.changeCondition)",
      isEmpty: assignments.isEmpty || core.isNone)
  }
}

// UPDATE and DELETE come from any one-table select: `Reminder.find(1).update { … }`.
extension Select where Picked == (), Output: Table, Scope == Output.TableColumns {
  public func update(_ assign: (inout Updates<Output>) -> Void) -> Update<Output> {
    var updates = Updates<Output>(scope)
    assign(&updates)
    return Update(core: core, assignments: updates.assignments)
  }
  public func delete() -> Delete<Output> { Delete(core: core) }
}
