/// Generates the forms of an `insert` function that handle conflicts: ON CONFLICT in each spelling.
///
/// A closure that assigns takes the columns of the stored row, `$0`, and optionally those of the
/// row that could not be inserted, `$1`. So does the condition after it. A condition before the
/// update is that of a partial index.
///
///     Tag.insert { tag } onConflict: { $0.title } doUpdate: { $0.uses += $1.uses }
///       where: { $0.uses < 9 }
///     // … ON CONFLICT ("title") DO UPDATE SET "uses" = ("tags"."uses" + "excluded"."uses")
///     //   WHERE ("tags"."uses" < ?)
@attached(peer, names: named(insert))
macro ConflictForms() = #externalMacro(module: "MartletQueryPlugin", type: "ConflictFormsMacro")

extension Insert {
  typealias Columns = Target.TableColumns

  // One overload for each combination of closures that the generated functions pass on.
  func resolving(
    target: (Columns) -> [QueryFragment] = { _ in [] },
    partial: (Columns) -> QueryFragment = { _ in QueryFragment() },
    update: (inout Updates<Target>, Columns) -> Void = { _, _ in },
    condition: (Columns, Columns) -> QueryFragment
  ) -> Self {
    let (stored, excluded) = (Columns(qualifier: qualifier), Columns(qualifier: "excluded"))
    var updates = Updates<Target>(qualifier)
    update(&updates, excluded)
    return with(
      OnConflict(
        columns: target(stored), targetCondition: partial(stored),
        assignments: updates.assignments, condition: condition(stored, excluded)))
  }
  func resolving(
    target: (Columns) -> [QueryFragment] = { _ in [] },
    partial: (Columns) -> QueryFragment = { _ in QueryFragment() },
    update: (inout Updates<Target>, Columns) -> Void = { _, _ in },
    condition: (Columns) -> QueryFragment = { _ in QueryFragment() }
  ) -> Self {
    resolving(
      target: target, partial: partial, update: update,
      condition: { stored, _ in condition(stored) })
  }
  func resolving(
    target: (Columns) -> [QueryFragment] = { _ in [] },
    partial: (Columns) -> QueryFragment = { _ in QueryFragment() },
    update: (inout Updates<Target>) -> Void, condition: (Columns, Columns) -> QueryFragment
  ) -> Self {
    resolving(
      target: target, partial: partial, update: { stored, _ in update(&stored) },
      condition: condition)
  }
  func resolving(
    target: (Columns) -> [QueryFragment] = { _ in [] },
    partial: (Columns) -> QueryFragment = { _ in QueryFragment() },
    update: (inout Updates<Target>) -> Void, condition: (Columns) -> QueryFragment
  ) -> Self {
    resolving(
      target: target, partial: partial, update: update,
      condition: { stored, _ in condition(stored) })
  }
}
