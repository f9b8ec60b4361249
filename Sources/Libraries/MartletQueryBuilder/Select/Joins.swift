// Each kind of join has an overload for whole tables and one for selected columns. Both take any
// number of tables: the tuples of both sides are flattened
// (https://sqlite.org/lang_select.html#fromclause).

extension Select where Picked == () {
  /// Joins another query: `JOIN "reminders" ON …`.
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

  /// Joins another query and keeps rows without a match: `LEFT JOIN "reminders" ON …`. The joined
  /// table becomes optional.
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

  /// Joins another query and keeps its rows without a match: `RIGHT JOIN "reminders" ON …`. The
  /// tables so far become optional.
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

  /// Joins another query and keeps the rows of both without a match: `FULL JOIN "reminders" ON …`.
  /// All tables become optional.
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

// If a side has selected columns, a row consists of the columns selected by both sides. A side
// without `select` contributes none.
extension Select {
  /// Joins a query, with the selected columns of both sides in each row: `JOIN "lists" ON …`.
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

  /// Joins a query and keeps rows without a match, with the selected columns of both sides in each
  /// row: `LEFT JOIN "lists" ON …`. The columns of the joined query become optional.
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

  // Swift has no tuples of one element. If only one side has selected columns, and only one column,
  // that column is the row.

  /// Joins a query without `select`. The row is the column selected so far.
  public func join<each S: Joinable, T: Joinable, O>(
    _ other: Select<T, O, ()>, on condition: ((repeat each S, T)) -> some QueryExpressible<Bool>
  ) -> Select<(repeat each S, T), Output, Picked>
  where Scope == (repeat each S), Picked: QueryRepresentable, Picked.QueryOutput == Output {
    let all = (repeat each scope, other.scope)
    return Select<(repeat each S, T), Output, Picked>(
      core: joined(.inner, other.core, on: apply(condition, all)), scope: all, decode: decode)
  }
  /// Joins a query without `select` and keeps rows without a match. The row is the column selected
  /// so far.
  public func leftJoin<each S: Joinable, T: Joinable, O>(
    _ other: Select<T, O, ()>, on condition: ((repeat each S, T)) -> some QueryExpressible<Bool>
  ) -> Select<(repeat each S, T.Outer), Output, Picked>
  where Scope == (repeat each S), Picked: QueryRepresentable, Picked.QueryOutput == Output {
    let all = (repeat each scope, other.scope)
    return Select<(repeat each S, T.Outer), Output, Picked>(
      core: joined(.left, other.core, on: apply(condition, all)),
      scope: (repeat each scope, other.scope.outer), decode: decode)
  }
  /// Joins a query with one selected column, which is the row.
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
  /// Joins a query with one selected column and keeps rows without a match. The row is that column,
  /// as an optional.
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

/// Calls a closure whose tuple parameter contains a pack. A direct call crashes Swift 6.3 in
/// SILGen.
@inlinable func apply<Argument, Result>(
  _ closure: (Argument) -> Result, _ argument: Argument
) -> Result {
  closure(argument)
}

/// Decodes a row of the query, or `nil` if all of its columns are NULL.
@usableFromInline func outer<T: Joinable, P>(
  _ other: Select<T, P, ()>
) -> @Sendable (inout RowReader) throws(DecodingProblem) -> P? {
  let count = T.QueryValue.columnCount
  let decode = other.decode
  return { row throws(DecodingProblem) in row.skipNulls(count) ? nil : try decode(&row) }
}
