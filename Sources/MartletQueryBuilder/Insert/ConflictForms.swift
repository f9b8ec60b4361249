/// ON CONFLICT behind a source of an INSERT, in each of its spellings.
///
/// A closure that assigns takes the stored row's columns, `$0`, and if it wants to those of the row that
/// could not be inserted, `$1`; so does the condition behind it. A condition in front of the update is that
/// of a partial index.
///
///     Tag.insert { tag } onConflict: { $0.title } doUpdate: { $0.uses += $1.uses } where: { $0.uses < 9 }
///     // … ON CONFLICT ("title") DO UPDATE SET "uses" = ("tags"."uses" + "excluded"."uses")
///     //   WHERE ("tags"."uses" < ?)
@attached(peer, names: named(insert))
macro ConflictForms() = #externalMacro(module: "MartletQueryMacros", type: "ConflictFormsMacro")

extension Insert {
  typealias Columns = Target.TableColumns

  // One for each shape of the closures: what the generated functions hand on is fitted here.
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
