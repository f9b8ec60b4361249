/// Conditions, one a line, that hold together: `where`, `having`, `when:`. With `if`, `else`, `for`.
@resultBuilder
public enum WhereBuilder {
  public static func buildExpression<E: QueryExpression>(_ condition: E) -> QueryFragment
  where E.QueryValue.Unwrapped == Bool { condition.queryFragment }
  /// Where nothing else says the type: `where { #sql("…") }`.
  public static func buildExpression(_ condition: SQLQueryExpression<Bool>) -> QueryFragment {
    condition.queryFragment
  }
  /// `nil` is no condition.
  public static func buildExpression<E: QueryExpression>(_ condition: E?) -> QueryFragment
  where E.QueryValue.Unwrapped == Bool { condition?.queryFragment ?? QueryFragment() }
  public static func buildExpression(_ condition: SQLQueryExpression<Bool>?) -> QueryFragment {
    condition?.queryFragment ?? QueryFragment()
  }
  // `(column == nil) == true` compares Swift values, and would find all rows or none.
  @available(
    *, unavailable,
    message: "A 'Bool' of Swift is the same for each row; compare columns, or say '#bind'"
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
    // As a rule there is one.
    if parts.count == 1 { return parts[0] }
    let conditions = parts.filter { !$0.isEmpty }
    return conditions.count == 1
      ? conditions[0] : conditions.map(\.operand).joined(" AND ")
  }
}

/// `($0.a, $0.b.desc())`, or one term a line, with `if` and `else`: `order`, `group`.
@resultBuilder
public enum TermBuilder {
  public static func buildExpression(_ term: some OrderingTerm) -> [QueryFragment] {
    [term.orderFragment]
  }
  /// Where nothing else says the type: `order { #sql("…") }`.
  public static func buildExpression(_ term: SQLQueryExpression<NoRows>) -> [QueryFragment] {
    [term.queryFragment]
  }
  /// `nil` is no term.
  public static func buildExpression(_ term: SQLQueryExpression<NoRows>?) -> [QueryFragment] {
    term.map { [$0.queryFragment] } ?? []
  }
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

/// What a `select` or `returning` closure chose: `Output` is a row, `Picked` its representation.
///
/// The closures' result is one parameter of this kind, and not a `Selected` of two: of a mistake inside the
/// closure the compiler would first say that the two could not be inferred.
public protocol SelectedTerms<Output, Picked>: Sendable {
  associatedtype Output
  associatedtype Picked
  var columns: [SelectedColumn] { get }
  var decode: @Sendable (inout RowReader) throws(DecodingProblem) -> Output { get }
}

/// See ``SelectedTerms``.
public struct Selected<Output, Picked>: SelectedTerms {
  public let columns: [SelectedColumn]
  public let decode: @Sendable (inout RowReader) throws(DecodingProblem) -> Output

  @usableFromInline init(
    _ columns: [SelectedColumn],
    _ decode: @escaping @Sendable (inout RowReader) throws(DecodingProblem) -> Output
  ) {
    self.columns = columns
    self.decode = decode
  }
}

/// One expression, or several in parentheses: `{ $0.title }`, `{ ($0.title, $0.id) }`.
@resultBuilder
public enum SelectBuilder {
  @inlinable public static func buildExpression<A: QueryExpressible>(
    _ column: A
  ) -> Selected<A.QueryValue.QueryOutput, A.QueryValue> {
    Selected(column.selection) { row throws(DecodingProblem) in try A.QueryValue.decode(&row) }
  }

  // The common numbers are spelled out beside the pack: packs are not specialised, which makes decoding
  // 1.4 times slower.
  @inlinable public static func buildExpression<A: QueryExpressible, B: QueryExpressible>(
    _ columns: (A, B)
  ) -> Selected<(A.QueryValue.QueryOutput, B.QueryValue.QueryOutput), (A.QueryValue, B.QueryValue)>
  {
    Selected(columns.0.selection + columns.1.selection) { row throws(DecodingProblem) in
      (try A.QueryValue.decode(&row), try B.QueryValue.decode(&row))
    }
  }
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
