// One overload a kind for whole tables and one for chosen columns, each for any number of tables, by
// flattening the tuple.

extension Select where Picked == () {
  /// `JOIN "reminders" ON …`
  @inlinable public consuming func join<each S: Joinable, each O, T: Joinable, P>(
    _ other: Select<T, P, ()>, on condition: ((repeat each S, T)) -> some QueryExpressible<Bool>
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
  @inlinable public consuming func leftJoin<each S: Joinable, each O, T: Joinable, P>(
    _ other: Select<T, P, ()>, on condition: ((repeat each S, T)) -> some QueryExpressible<Bool>
  ) -> Select<(repeat each S, T.Outer), (repeat each O, P?), ()>
  where Scope == (repeat each S), Output == (repeat each O) {
    let all = (repeat each scope, other.scope)
    let scope = (repeat each scope, other.scope.outer)
    let left = decode
    let right = outer(other)
    return Select<(repeat each S, T.Outer), (repeat each O, P?), ()>(
      core: joined(.left, other.core, on: apply(condition, all)), scope: scope
    ) { row throws(DecodingProblem) in
      let left = try left(&row)
      return (repeat each left, try right(&row))
    }
  }

  /// `RIGHT JOIN "reminders" ON …`: the tables so far become optional.
  public func rightJoin<each S: Joinable, T: Joinable, P>(
    _ other: Select<T, P, ()>, on condition: ((repeat each S, T)) -> some QueryExpressible<Bool>
  ) -> Select<
    (repeat (each S).Outer, T), (repeat (each S).Outer.QueryValue.QueryOutput, P), ()
  >
  where Scope == (repeat each S) {
    let right = other.decode
    return Select<
      (repeat (each S).Outer, T), (repeat (each S).Outer.QueryValue.QueryOutput, P), ()
    >(
      core: joined(.right, other.core, on: apply(condition, (repeat each scope, other.scope))),
      scope: (repeat (each scope).outer, other.scope)
    ) { row throws(DecodingProblem) in
      (repeat try (each S).Outer.QueryValue.decode(&row), try right(&row))
    }
  }

  /// `FULL JOIN "reminders" ON …`: either side may be missing.
  public func fullJoin<each S: Joinable, T: Joinable, P>(
    _ other: Select<T, P, ()>, on condition: ((repeat each S, T)) -> some QueryExpressible<Bool>
  ) -> Select<
    (repeat (each S).Outer, T.Outer), (repeat (each S).Outer.QueryValue.QueryOutput, P?), ()
  >
  where Scope == (repeat each S) {
    let right = outer(other)
    return Select<
      (repeat (each S).Outer, T.Outer), (repeat (each S).Outer.QueryValue.QueryOutput, P?), ()
    >(
      core: joined(.full, other.core, on: apply(condition, (repeat each scope, other.scope))),
      scope: (repeat (each scope).outer, other.scope.outer)
    ) { row throws(DecodingProblem) in
      (repeat try (each S).Outer.QueryValue.decode(&row), try right(&row))
    }
  }
}

// Where a side has chosen columns, the rows are what both chose; a side that chose nothing gives
// nothing.
extension Select {
  @_disfavoredOverload
  public func join<
    each S: Joinable, each C: QueryRepresentable, T: Joinable, O, each D: QueryRepresentable
  >(
    _ other: Select<T, O, (repeat each D)>,
    on condition: ((repeat each S, T)) -> some QueryExpressible<Bool>
  ) -> Select<
    (repeat each S, T), (repeat (each C).QueryOutput, repeat (each D).QueryOutput),
    (repeat each C, repeat each D)
  >
  where Scope == (repeat each S), Picked == (repeat each C) {
    let all = (repeat each scope, other.scope)
    return Select<
      (repeat each S, T), (repeat (each C).QueryOutput, repeat (each D).QueryOutput),
      (repeat each C, repeat each D)
    >(
      core: joined(.inner, other.core, on: apply(condition, all)), scope: all
    ) { row throws(DecodingProblem) in
      (repeat try (each C).decode(&row), repeat try (each D).decode(&row))
    }
  }

  @_disfavoredOverload
  public func leftJoin<
    each S: Joinable, each C: QueryRepresentable, T: Joinable, O, each D: QueryRepresentable
  >(
    _ other: Select<T, O, (repeat each D)>,
    on condition: ((repeat each S, T)) -> some QueryExpressible<Bool>
  ) -> Select<
    (repeat each S, T.Outer),
    (repeat (each C).QueryOutput, repeat Optional<(each D).Unwrapped>.QueryOutput),
    (repeat each C, repeat Optional<(each D).Unwrapped>)
  >
  where Scope == (repeat each S), Picked == (repeat each C) {
    let all = (repeat each scope, other.scope)
    return Select<
      (repeat each S, T.Outer),
      (repeat (each C).QueryOutput, repeat Optional<(each D).Unwrapped>.QueryOutput),
      (repeat each C, repeat Optional<(each D).Unwrapped>)
    >(
      core: joined(.left, other.core, on: apply(condition, all)),
      scope: (repeat each scope, other.scope.outer)
    ) { row throws(DecodingProblem) in
      (
        repeat try (each C).decode(&row),
        repeat try Optional<(each D).Unwrapped>.decode(&row)
      )
    }
  }

  // A tuple of one is none: where exactly one side chose exactly one column, it is the row.
  public func join<each S: Joinable, T: Joinable, O>(
    _ other: Select<T, O, ()>, on condition: ((repeat each S, T)) -> some QueryExpressible<Bool>
  ) -> Select<(repeat each S, T), Output, Picked>
  where Scope == (repeat each S), Picked: QueryRepresentable, Picked.QueryOutput == Output {
    let all = (repeat each scope, other.scope)
    return Select<(repeat each S, T), Output, Picked>(
      core: joined(.inner, other.core, on: apply(condition, all)), scope: all, decode: decode)
  }
  public func leftJoin<each S: Joinable, T: Joinable, O>(
    _ other: Select<T, O, ()>, on condition: ((repeat each S, T)) -> some QueryExpressible<Bool>
  ) -> Select<(repeat each S, T.Outer), Output, Picked>
  where Scope == (repeat each S), Picked: QueryRepresentable, Picked.QueryOutput == Output {
    let all = (repeat each scope, other.scope)
    return Select<(repeat each S, T.Outer), Output, Picked>(
      core: joined(.left, other.core, on: apply(condition, all)),
      scope: (repeat each scope, other.scope.outer), decode: decode)
  }
  public func join<each S: Joinable, T: Joinable, D: QueryRepresentable>(
    _ other: Select<T, D.QueryOutput, D>,
    on condition: ((repeat each S, T)) -> some QueryExpressible<Bool>
  ) -> Select<(repeat each S, T), D.QueryOutput, D>
  where Scope == (repeat each S), Picked == () {
    let all = (repeat each scope, other.scope)
    return Select<(repeat each S, T), D.QueryOutput, D>(
      core: joined(.inner, other.core, on: apply(condition, all)), scope: all,
      decode: other.decode)
  }
  public func leftJoin<each S: Joinable, T: Joinable, D: QueryRepresentable>(
    _ other: Select<T, D.QueryOutput, D>,
    on condition: ((repeat each S, T)) -> some QueryExpressible<Bool>
  ) -> Select<(repeat each S, T.Outer), D.Unwrapped.QueryOutput?, D.Unwrapped?>
  where Scope == (repeat each S), Picked == () {
    let all = (repeat each scope, other.scope)
    return Select<(repeat each S, T.Outer), D.Unwrapped.QueryOutput?, D.Unwrapped?>(
      core: joined(.left, other.core, on: apply(condition, all)),
      scope: (repeat each scope, other.scope.outer)
    ) { row throws(DecodingProblem) in try D.Unwrapped?.decode(&row) }
  }

  @inlinable consuming func joined(
    _ kind: SelectCore.JoinKind, _ other: SelectCore, on condition: some QueryExpressible
  ) -> SelectCore {
    core.join(kind, other, on: condition.queryFragment)
    return core
  }
}

/// Calls a closure whose tuple parameter holds a pack. Called directly, Swift 6.3 crashes in SILGen.
@inlinable func apply<Argument, Result>(
  _ closure: (Argument) -> Result, _ argument: Argument
) -> Result {
  closure(argument)
}

/// `nil` where all of a query's columns are NULL.
@usableFromInline func outer<T: Joinable, P>(
  _ other: Select<T, P, ()>
) -> @Sendable (inout RowReader) throws(DecodingProblem) -> P? {
  let count = T.QueryValue.columnCount
  let decode = other.decode
  return { row throws(DecodingProblem) in row.skipNulls(count) ? nil : try decode(&row) }
}
