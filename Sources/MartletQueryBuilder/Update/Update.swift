/// INSERT, UPDATE, DELETE: no rows until `returning` is asked for.
public protocol ChangeStatement<Target>: Statement where Output == Never {
  associatedtype Target: Table
}

/// `UPDATE "reminders" SET "title" = ? WHERE …`. One that assigns nothing executes nothing.
public struct Update<Target: Table>: ChangeStatement {
  var core: SelectCore
  let assignments: [Assignment]
  /// A further table that the values come from: `UPDATE … FROM`.
  var from: QueryFragment?

  public var query: Query {
    let core = core.resolved
    let list = assignments.map { "\(quote: $0.column) = \($0.value)" as QueryFragment }
    var sql: QueryFragment = "UPDATE \(core.source.table) SET \(list.joined(", "))"
    if let from { sql += " FROM \(from)" }
    sql += core.changeCondition
    return assignments.isEmpty || core.isNone ? Query("", isEmpty: true) : Query(sql)
  }

  /// Fewer rows. Several calls hold together.
  public func `where`(@WhereBuilder _ predicate: (Target.TableColumns) -> QueryFragment) -> Self {
    var copy = self
    copy.core.restrictChange(predicate(Target.TableColumns(qualifier: core.source.qualifier)))
    return copy
  }
}

/// A change of the rows that a condition holds for: UPDATE and DELETE.
public protocol ConditionalChange: ChangeStatement {
  func `where`(@WhereBuilder _ predicate: (Target.TableColumns) -> QueryFragment) -> Self
}
extension Update: ConditionalChange {}
extension Delete: ConditionalChange {}

extension ConditionalChange {
  public func `where`<E: QueryExpression>(_ column: KeyPath<Target.TableColumns, E>) -> Self
  where E.QueryValue.Unwrapped == Bool { self.where { $0[keyPath: column] } }
}

extension ConditionalChange where Target.TableColumns: PrimaryKeyedDefinition {
  public func find(_ key: Target.TableColumns.PrimaryKey.QueryOutput) -> Self {
    self.where { SQLQueryExpression<Bool>($0.isKey(key)) }
  }
  public func find(_ keys: [Target.TableColumns.PrimaryKey.QueryOutput]) -> Self {
    self.where { SQLQueryExpression<Bool>($0.isKey(in: keys)) }
  }
}

// UPDATE and DELETE come from any one-table select: `Reminder.find(1).update { … }`.
extension Select where Picked == (), Output: Table, Scope == Output.TableColumns {
  public func update(_ assign: (inout Updates<Output>) -> Void) -> Update<Output> {
    var updates = Updates<Output>(core.source.qualifier)
    assign(&updates)
    return Update(core: core, assignments: updates.assignments)
  }

  /// `UPDATE … SET … FROM "other" WHERE …`: values from another table
  /// (https://sqlite.org/lang_update.html#update_from).
  public func update<T: Joinable, P>(
    from other: Select<T, P, ()>, _ assign: (inout Updates<Output>, T) -> Void,
    @WhereBuilder where condition: (Scope, T) -> QueryFragment
  ) -> Update<Output> {
    var updates = Updates<Output>(core.source.qualifier)
    assign(&updates, other.scope)
    var core = core
    let source = other.core.resolved
    core.isNone = core.isNone || source.isNone
    // A plain table's conditions go to the others; what has more clauses stands for itself.
    let isPlain = source.isPlainCondition && !source.distinct
    if isPlain { for condition in source.conditions { core.restrictChange(condition) } }
    let condition = condition(scope, other.scope)
    if source.source.hasName(of: core.source) {
      let reason =
        "update(from:) has the table \(source.source.plainName) twice: give one an alias, as(_:)"
      let from: QueryFragment = "\(source.source.table) \(QueryBinding.invalid(reason: reason))"
      return Update(core: core, assignments: updates.assignments, from: from)
    }
    if isPlain {
      core.restrictChange(condition)
      return Update(core: core, assignments: updates.assignments, from: source.source.table)
    }
    let (old, name) = (source.source.qualifier, source.source.derivedName)
    core.restrictChange(condition.renaming(old, name))
    return Update(
      core: core,
      assignments: updates.assignments.map { Assignment($0.column, $0.value.renaming(old, name)) },
      from: "(\(source.fragment)) AS \(quote: name)")
  }

  public func delete() -> Delete<Output> { Delete(core: core) }
}

extension Table {
  public static func update<T: Joinable, P>(
    from other: Select<T, P, ()>, _ assign: (inout Updates<Self>, T) -> Void,
    @WhereBuilder where condition: (TableColumns, T) -> QueryFragment
  ) -> Update<Self> { scoped.update(from: other, assign, where: condition) }
}

extension PrimaryKeyedTable {
  /// All columns of a row but its key: `UPDATE … SET … WHERE ("reminders"."id" = ?)`.
  public static func update(_ row: Self) -> Update<Self> {
    let (keys, others) = row.keyed
    return Update(core: unscoped.having(keys).core, assignments: others.refusingDuplicates)
  }

  public static func delete(_ row: Self) -> Delete<Self> {
    Delete(core: unscoped.having(row.keyed.keys).core)
  }

  private var keyed: (keys: [Assignment], others: [Assignment]) {
    let names = Set(TableColumns.all.filter(\.isKey).map(\.name))
    return (
      assignments.filter { names.contains($0.column) },
      assignments.filter { !names.contains($0.column) }
    )
  }
}

extension Select {
  fileprivate func having(_ keys: [Assignment]) -> Self {
    with { core in
      for key in keys {
        core.restrict(
          infix(
            QueryFragment(column: key.column, of: core.source.qualifier),
            key.value == QueryFragment(.null) ? "IS" : "=", key.value))
      }
    }
  }
}
