/// A statement that changes a table. It returns no rows unless `returning` is called.
public protocol ChangeStatement<Target>: Statement where Output == Never {
  /// The table that it changes.
  associatedtype Target: Table
}

/// An UPDATE statement: `UPDATE "reminders" SET "title" = ? WHERE …`
/// (https://sqlite.org/lang_update.html).
///
/// Without assignments nothing is executed.
public struct Update<Target: Table>: ChangeStatement {
  var core: SelectCore
  let assignments: [Assignment]
  /// Another table that the values come from: `UPDATE … FROM`.
  var from: QueryFragment?

  public var query: Query {
    let core = core.resolved
    let list = assignments.map { "\(quote: $0.column) = \($0.value)" as QueryFragment }
    var sql: QueryFragment = "UPDATE \(core.source.table) SET \(list.joined(", "))"
    if let from { sql += " FROM \(from)" }
    sql += core.changeCondition
    return assignments.isEmpty || core.isNone ? Query("", isEmpty: true) : Query(sql)
  }

  /// Restricts the update to fewer rows: `WHERE …`. Several calls are combined with AND.
  public func `where`(@WhereBuilder _ predicate: (Target.TableColumns) -> QueryFragment) -> Self {
    var copy = self
    copy.core.restrictChange(predicate(Target.TableColumns(qualifier: core.source.qualifier)))
    return copy
  }
}

/// An UPDATE or DELETE, which changes the rows that fulfill a condition.
public protocol ConditionalChange: ChangeStatement {
  /// Restricts the change to fewer rows. Several calls are combined with AND.
  func `where`(@WhereBuilder _ predicate: (Target.TableColumns) -> QueryFragment) -> Self
}
extension Update: ConditionalChange {}
extension Delete: ConditionalChange {}

extension ConditionalChange {
  /// Restricts the change to rows in which a Boolean column is true:
  /// `WHERE "reminders"."isFlagged"`.
  public func `where`<E: QueryExpression>(_ column: KeyPath<Target.TableColumns, E>) -> Self
  where E.QueryValue.Unwrapped == Bool { self.where { $0[keyPath: column] } }
}

extension ConditionalChange where Target.TableColumns: PrimaryKeyedDefinition {
  /// Restricts the change to the row with this primary key: `WHERE ("reminders"."id" = ?)`.
  public func find(_ key: Target.TableColumns.PrimaryKey.QueryOutput) -> Self {
    self.where { SQLQueryExpression<Bool>($0.isKey(key)) }
  }
  /// Restricts the change to the rows with one of these primary keys:
  /// `WHERE ("reminders"."id" IN (?, ?))`.
  public func find(_ keys: [Target.TableColumns.PrimaryKey.QueryOutput]) -> Self {
    self.where { SQLQueryExpression<Bool>($0.isKey(in: keys)) }
  }
}

// UPDATE and DELETE continue any query of one table: `Reminder.find(1).update { … }`.
extension Select where Picked == (), Output: Table, Scope == Output.TableColumns {
  /// Updates the rows of the query: `UPDATE "reminders" SET "title" = ? WHERE …`.
  public func update(_ assign: (inout Updates<Output>) -> Void) -> Update<Output> {
    var updates = Updates<Output>(core.source.qualifier)
    assign(&updates)
    return Update(core: core, assignments: updates.assignments)
  }

  /// Updates the rows of the query with values from another query:
  /// `UPDATE … SET … FROM "other" WHERE …` (https://sqlite.org/lang_update.html#update_from).
  public func update<T: Joinable, P>(
    from other: Select<T, P, ()>, _ assign: (inout Updates<Output>, T) -> Void,
    @WhereBuilder where condition: (Scope, T) -> QueryFragment
  ) -> Update<Output> {
    var updates = Updates<Output>(core.source.qualifier)
    assign(&updates, other.scope)
    var core = core
    let source = other.core.resolved
    core.isNone = core.isNone || source.isNone
    // The conditions of a plain query are added to those of the update. A query with more clauses
    // becomes a subquery.
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

  /// Deletes the rows of the query: `DELETE FROM "reminders" WHERE …`.
  public func delete() -> Delete<Output> { Delete(core: core) }
}

extension Table {
  /// Updates all rows with values from another query: `UPDATE … SET … FROM "other" WHERE …`.
  public static func update<T: Joinable, P>(
    from other: Select<T, P, ()>, _ assign: (inout Updates<Self>, T) -> Void,
    @WhereBuilder where condition: (TableColumns, T) -> QueryFragment
  ) -> Update<Self> { scoped.update(from: other, assign, where: condition) }
}

extension PrimaryKeyedTable {
  /// Updates all columns of a row except its primary key:
  /// `UPDATE … SET … WHERE ("reminders"."id" = ?)`.
  public static func update(_ row: Self) -> Update<Self> {
    let (keys, others) = row.keyed
    return Update(core: unscoped.having(keys).core, assignments: others.refusingDuplicates)
  }

  /// Deletes the row with the primary key of this one:
  /// `DELETE FROM … WHERE ("reminders"."id" = ?)`.
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
