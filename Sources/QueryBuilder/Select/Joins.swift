// One overload a kind, for any number of tables, by flattening the tuple.

extension Select where Picked == () {
  /// `JOIN "reminders" ON …`
  public func join<each S: Joinable, each O, T: Joinable, P>(
    _ other: Select<T, P, ()>, on condition: ((repeat each S, T)) -> some QueryExpression<Bool>
  ) -> Select<(repeat each S, T), (repeat each O, P), ()>
  where Scope == (repeat each S), Output == (repeat each O) {
    let all = (repeat each scope, other.scope)
    let left = decode
    let right = other.decode
    return Select<(repeat each S, T), (repeat each O, P), ()>(
      core: joined(.inner, other.core, on: apply(condition, all)), scope: all
    ) { row throws(DecodingProblem) in
      let left = try left(&row)
      return (repeat each left, try right(&row))
    }
  }

  /// `LEFT JOIN "reminders" ON …`: the joined table becomes optional.
  public func leftJoin<each S: Joinable, each O, T: Joinable, P>(
    _ other: Select<T, P, ()>, on condition: ((repeat each S, T)) -> some QueryExpression<Bool>
  ) -> Select<(repeat each S, T.Outer), (repeat each O, P?), ()>
  where Scope == (repeat each S), Output == (repeat each O) {
    let all = (repeat each scope, other.scope)
    let left = decode
    let right = outer(other)
    return Select<(repeat each S, T.Outer), (repeat each O, P?), ()>(
      core: joined(.left, other.core, on: apply(condition, all)),
      scope: (repeat each scope, other.scope.outer)
    ) { row throws(DecodingProblem) in
      let left = try left(&row)
      return (repeat each left, try right(&row))
    }
  }

  private func joined(
    _ kind: SelectCore.JoinKind, _ other: SelectCore, on condition: some QueryExpression
  ) -> SelectCore {
    var core = core
    core.join(kind, other, on: condition.queryFragment)
    return core
  }
}

/// Calls a closure whose tuple parameter holds a pack. Called directly, Swift 6.3 crashes in SILGen.
private func apply<Argument, Result>(
  _ closure: (Argument) -> Result, _ argument: Argument
) -> Result {
  closure(argument)
}

/// `nil` where all of a query's columns are NULL.
private func outer<T, P>(
  _ other: Select<T, P, ()>
) -> @Sendable (inout RowReader) throws(DecodingProblem) -> P? {
  let count = other.core.columns.count
  let decode = other.decode
  return { row throws(DecodingProblem) in row.skipNulls(count) ? nil : try decode(&row) }
}
