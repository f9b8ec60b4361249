/// Builds the condition of `where`, `having` and `when:`.
///
/// Each line is a condition, and all of them must hold (AND). Supports `if`, `else` and `for`.
@resultBuilder
public enum WhereBuilder {
  /// A condition.
  public static func buildExpression<E: QueryExpression>(_ condition: E) -> QueryFragment
  where E.QueryValue.Unwrapped == Bool { condition.queryFragment }
  /// A condition whose type nothing else determines: `where { #sql("…") }`.
  public static func buildExpression(_ condition: SQLQueryExpression<Bool>) -> QueryFragment {
    condition.queryFragment
  }
  /// An optional condition. `nil` adds none.
  public static func buildExpression<E: QueryExpression>(_ condition: E?) -> QueryFragment
  where E.QueryValue.Unwrapped == Bool { condition?.queryFragment ?? QueryFragment() }
  /// An optional condition written as SQL. `nil` adds none.
  public static func buildExpression(_ condition: SQLQueryExpression<Bool>?) -> QueryFragment {
    condition?.queryFragment ?? QueryFragment()
  }
  // `(column == nil) == true` compares two Swift values: the result would be the same for each row.
  @available(
    *, unavailable,
    message: "A Swift 'Bool' is the same for each row: compare columns, or use '#bind'"
  )
  public static func buildExpression(_ condition: Bool) -> QueryFragment { condition.queryFragment }
  @available(
    *, unavailable,
    message: "A condition is an expression of 'Bool', such as '$0.isDone' or '$0.id == 1'"
  )
  @_disfavoredOverload
  public static func buildExpression<T>(_ condition: T) -> QueryFragment { QueryFragment() }
  public static func buildBlock(_ parts: QueryFragment...) -> QueryFragment { all(parts) }
  public static func buildOptional(_ part: QueryFragment?) -> QueryFragment {
    part ?? QueryFragment()
  }
  public static func buildEither(first: QueryFragment) -> QueryFragment { first }
  public static func buildEither(second: QueryFragment) -> QueryFragment { second }
  public static func buildArray(_ parts: [QueryFragment]) -> QueryFragment { all(parts) }

  private static func all(_ parts: [QueryFragment]) -> QueryFragment {
    // The common case.
    if parts.count == 1 { return parts[0] }
    let conditions = parts.filter { !$0.isEmpty }
    return conditions.count == 1
      ? conditions[0] : conditions.map(\.operand).joined(" AND ")
  }
}

/// Builds the terms of `order` and `group`: a term, a tuple `($0.a, $0.b.desc())`, or one term per
/// line. Supports `if` and `else`.
@resultBuilder
public enum TermBuilder {
  /// A term.
  public static func buildExpression(_ term: some OrderingTerm) -> [QueryFragment] {
    [term.orderFragment]
  }
  /// A term whose type nothing else determines: `order { #sql("…") }`.
  public static func buildExpression(_ term: SQLQueryExpression<NoRows>) -> [QueryFragment] {
    [term.queryFragment]
  }
  /// An optional term written as SQL. `nil` adds none.
  public static func buildExpression(_ term: SQLQueryExpression<NoRows>?) -> [QueryFragment] {
    term.map { [$0.queryFragment] } ?? []
  }
  /// A tuple of terms.
  public static func buildExpression<each E: OrderingTerm>(
    _ terms: (repeat each E)
  ) -> [QueryFragment] {
    var result: [QueryFragment] = []
    for term in repeat each terms { result.append(term.orderFragment) }
    return result
  }
  @available(
    *, unavailable,
    message: "A term is a column, an expression, or one with '.asc()' or '.desc()'"
  )
  @_disfavoredOverload
  public static func buildExpression<T>(_ term: T) -> [QueryFragment] { [] }
  public static func buildBlock(_ parts: [QueryFragment]...) -> [QueryFragment] {
    parts.flatMap { $0 }
  }
  public static func buildOptional(_ part: [QueryFragment]?) -> [QueryFragment] { part ?? [] }
  public static func buildEither(first: [QueryFragment]) -> [QueryFragment] { first }
  public static func buildEither(second: [QueryFragment]) -> [QueryFragment] { second }
}

/// The columns that a closure of `select` or `returning` selects.
///
/// The closures return a single generic parameter of this protocol instead of a ``Selected`` with
/// two parameters. Otherwise the compiler would answer a mistake inside the closure with the
/// message that those two could not be inferred.
public protocol SelectedTerms<Output, Picked>: Sendable {
  /// The type of a row.
  associatedtype Output
  /// The representation of the columns: one type, or a tuple of types.
  associatedtype Picked
  /// The selected columns, from left to right.
  var columns: [SelectedColumn] { get }
  /// Decodes one row.
  var decode: @Sendable (inout RowReader) throws(DecodingProblem) -> Output { get }
}

/// The columns that a closure selects, as ``SelectBuilder`` builds them.
public struct Selected<Output, Picked>: SelectedTerms {
  /// The selected columns, from left to right.
  public let columns: [SelectedColumn]
  /// Decodes one row.
  public let decode: @Sendable (inout RowReader) throws(DecodingProblem) -> Output

  @usableFromInline init(
    _ columns: [SelectedColumn],
    _ decode: @escaping @Sendable (inout RowReader) throws(DecodingProblem) -> Output
  ) {
    self.columns = columns
    self.decode = decode
  }
}

/// Builds the columns of a `select`: one expression, `{ $0.title }`, or a tuple,
/// `{ ($0.title, $0.id) }`.
@resultBuilder
public enum SelectBuilder {
  /// A single column.
  @inlinable public static func buildExpression<A: QueryExpressible>(
    _ column: A
  ) -> Selected<A.QueryValue.QueryOutput, A.QueryValue> {
    Selected(column.selection) { row throws(DecodingProblem) in try A.QueryValue.decode(&row) }
  }

  // Tuples of two and three have their own overloads: Swift does not specialize parameter packs,
  // which makes decoding 1.4 times slower.

  /// A tuple of two columns.
  @inlinable public static func buildExpression<A: QueryExpressible, B: QueryExpressible>(
    _ columns: (A, B)
  ) -> Selected<(A.QueryValue.QueryOutput, B.QueryValue.QueryOutput), (A.QueryValue, B.QueryValue)>
  {
    Selected(columns.0.selection + columns.1.selection) { row throws(DecodingProblem) in
      (try A.QueryValue.decode(&row), try B.QueryValue.decode(&row))
    }
  }
  /// A tuple of three columns.
  @inlinable
  public static func buildExpression<
    A: QueryExpressible, B: QueryExpressible, C: QueryExpressible
  >(
    _ columns: (A, B, C)
  ) -> Selected<
    (A.QueryValue.QueryOutput, B.QueryValue.QueryOutput, C.QueryValue.QueryOutput),
    (A.QueryValue, B.QueryValue, C.QueryValue)
  > {
    Selected(columns.0.selection + columns.1.selection + columns.2.selection) {
      row throws(DecodingProblem) in
      (
        try A.QueryValue.decode(&row), try B.QueryValue.decode(&row),
        try C.QueryValue.decode(&row)
      )
    }
  }
  /// A tuple of any number of columns.
  public static func buildExpression<each E: QueryExpressible>(
    _ columns: (repeat each E)
  ) -> Selected<(repeat (each E).QueryValue.QueryOutput), (repeat (each E).QueryValue)> {
    var selection: [SelectedColumn] = []
    for column in repeat each columns { selection += column.selection }
    return Selected(selection) { row throws(DecodingProblem) in
      (repeat try (each E).QueryValue.decode(&row))
    }
  }

  @inlinable public static func buildBlock<S: SelectedTerms>(_ selected: S) -> S { selected }
}
