/// Rows of values, without a table (https://sqlite.org/lang_select.html#values).
///
/// ```swift
/// Values(1, "a")                       // SELECT ?, ?
/// Values { (1, "a"); (2, "b") }        // VALUES (?, ?), (?, ?)
/// Select(Values { (1, "a"); (2, "b") }).where { $0 > 1 }
/// // SELECT "column1", "column2" FROM (VALUES (?, ?), (?, ?)) WHERE ("column1" > ?)
/// ```
/// In a trigger, `Values($function())` calls a function.
public struct Values<Output, Picked>: SelectStatement {
  public let query: Query
  public let decode: @Sendable (inout RowReader) throws(DecodingProblem) -> Output
  /// The rows as a source of another query. That is always VALUES, which names its columns.
  let source: QueryFragment

  /// A row with one value: `SELECT ?`.
  public init<E: QueryExpressible>(_ value: E)
  where Output == E.QueryValue.QueryOutput, Picked == E.QueryValue {
    self.init(ValuesBuilder.buildExpression(value))
  }
  /// A row with several values: `SELECT ?, ?`.
  @_disfavoredOverload
  public init<each E: QueryExpressible>(_ values: repeat each E)
  where Output == (repeat (each E).QueryValue.QueryOutput), Picked == (repeat (each E).QueryValue) {
    self.init(ValuesBuilder.buildExpression((repeat each values)))
  }
  private init(_ row: ValuesRows<Output, Picked>) {
    query = Query(row: row.rows[0])
    decode = row.decode
    source = row.query.fragment
  }

  /// Rows of values, one per line: `VALUES (?, ?), (?, ?)`. Supports `if` and `for`. Without rows,
  /// nothing is executed.
  public init(@ValuesBuilder _ rows: () -> ValuesRows<Output, Picked>) {
    let rows = rows()
    query = rows.query
    decode = rows.decode
    source = query.fragment
  }
}

/// The rows of `Values { … }`. `Output` is the type of a row, `Picked` its representation.
public struct ValuesRows<Output, Picked>: Sendable {
  let rows: [[SelectedColumn]]
  let decode: @Sendable (inout RowReader) throws(DecodingProblem) -> Output

  /// No rows, so that nothing is decoded.
  static var none: Self {
    Self(rows: []) { row throws(DecodingProblem) in throw row.problem("no rows") }
  }

  static func joined(_ parts: [Self]) -> Self {
    guard let first = parts.first(where: { !$0.rows.isEmpty }) else { return .none }
    return Self(rows: parts.flatMap(\.rows), decode: first.decode)
  }

  var query: Query {
    guard let first = rows.first else { return Query("", isEmpty: true) }
    let lists = rows.map { "(\($0.map(\.fragment).joined(", ")))" as QueryFragment }
    return Query("VALUES \(lists.joined(", "))", columns: first.map(\.result))
  }
}

/// Builds the rows of `Values { … }`: one value or one tuple of values per line.
@resultBuilder
public enum ValuesBuilder {
  /// A row with one value.
  public static func buildExpression<E: QueryExpressible>(
    _ value: E
  ) -> ValuesRows<E.QueryValue.QueryOutput, E.QueryValue> {
    ValuesRows(rows: [value.selection]) { row throws(DecodingProblem) in
      try E.QueryValue.decode(&row)
    }
  }
  /// A row with several values.
  public static func buildExpression<each E: QueryExpressible>(
    _ values: (repeat each E)
  ) -> ValuesRows<(repeat (each E).QueryValue.QueryOutput), (repeat (each E).QueryValue)> {
    var selection: [SelectedColumn] = []
    for value in repeat each values { selection += value.selection }
    return ValuesRows(rows: [selection]) { row throws(DecodingProblem) in
      (repeat try (each E).QueryValue.decode(&row))
    }
  }
  public static func buildBlock<O, P>(_ parts: ValuesRows<O, P>...) -> ValuesRows<O, P> {
    .joined(parts)
  }
  public static func buildArray<O, P>(_ parts: [ValuesRows<O, P>]) -> ValuesRows<O, P> {
    .joined(parts)
  }
  public static func buildOptional<O, P>(_ part: ValuesRows<O, P>?) -> ValuesRows<O, P> {
    part ?? .none
  }
  public static func buildEither<O, P>(first: ValuesRows<O, P>) -> ValuesRows<O, P> { first }
  public static func buildEither<O, P>(second: ValuesRows<O, P>) -> ValuesRows<O, P> { second }
}

/// A column of `Select(Values { … })`, under the name that SQLite gives it: `"column1"`.
@dynamicMemberLookup
public struct ValuesColumn<QueryValue: QueryRepresentable>: QueryExpression {
  let first: Int

  public var queryFragment: QueryFragment {
    let names = (0..<QueryValue.columnCount).map { name(first + $0) }
    return names.count == 1 ? names[0] : "(\(names.joined(", ")))"
  }
  public var selection: [SelectedColumn] {
    resultColumns(of: QueryValue.self).enumerated().map { offset, column in
      SelectedColumn(name(first + offset), column)
    }
  }

  /// A column of a row that is one of the values.
  public subscript<Row: Table, V>(
    dynamicMember member: KeyPath<QueryValue.Members, TableColumn<Row, V>>
  ) -> ValuesColumn<V> {
    let part = QueryValue.Members(qualifier: "")[keyPath: member].parts[0].name
    let offset = resultColumns(of: QueryValue.self).firstIndex { $0.name == part } ?? 0
    return ValuesColumn<V>(first: first + offset)
  }

  private func name(_ number: Int) -> QueryFragment { "\(quote: "column\(number)")" }
}

extension Select {
  /// Selects from rows with one value: `SELECT "column1" FROM (VALUES (?), (?))`.
  public init<V: QueryRepresentable>(_ values: Values<Output, V>)
  where Scope == ValuesColumn<V>, Picked == () {
    var columns = ValuesColumns()
    self.init(values, columns.next(V.self), columns)
  }
  // Two to four columns have their own overloads, because a key path such as `\.1` cannot refer to
  // an element of a pack.

  /// Selects from rows with two values: `SELECT "column1", "column2" FROM (VALUES (?, ?))`.
  public init<A: QueryRepresentable, B: QueryRepresentable>(_ values: Values<Output, (A, B)>)
  where Scope == (ValuesColumn<A>, ValuesColumn<B>), Picked == () {
    var columns = ValuesColumns()
    self.init(values, (columns.next(A.self), columns.next(B.self)), columns)
  }
  /// Selects from rows with three values.
  public init<A: QueryRepresentable, B: QueryRepresentable, C: QueryRepresentable>(
    _ values: Values<Output, (A, B, C)>
  ) where Scope == (ValuesColumn<A>, ValuesColumn<B>, ValuesColumn<C>), Picked == () {
    var columns = ValuesColumns()
    self.init(
      values, (columns.next(A.self), columns.next(B.self), columns.next(C.self)), columns)
  }
  /// Selects from rows with four values.
  public init<
    A: QueryRepresentable, B: QueryRepresentable, C: QueryRepresentable, D: QueryRepresentable
  >(_ values: Values<Output, (A, B, C, D)>)
  where
    Scope == (ValuesColumn<A>, ValuesColumn<B>, ValuesColumn<C>, ValuesColumn<D>), Picked == ()
  {
    var columns = ValuesColumns()
    let scope = (
      columns.next(A.self), columns.next(B.self), columns.next(C.self), columns.next(D.self)
    )
    self.init(values, scope, columns)
  }
  /// Selects from rows with any number of values.
  @_disfavoredOverload
  public init<each V: QueryRepresentable>(_ values: Values<Output, (repeat each V)>)
  where Scope == (repeat ValuesColumn<each V>), Picked == () {
    var columns = ValuesColumns()
    let scope = (repeat columns.next((each V).self))
    self.init(values, scope, columns)
  }
  private init<V>(_ values: Values<Output, V>, _ scope: Scope, _ columns: ValuesColumns)
  where Picked == () {
    var core = SelectCore(
      columns: columns.selection,
      source: .init(table: "(\(values.source))", qualifier: ""))
    core.isNone = values.query.isEmpty
    self.init(core: core, scope: scope, decode: values.decode)
  }

  /// Selects an expression without a table: `Select(1)` is `SELECT ?`.
  public init<E: QueryExpressible>(_ value: E)
  where Scope == (), Output == E.QueryValue.QueryOutput, Picked == E.QueryValue {
    var core = SelectCore(columns: value.selection, source: .init(table: "", qualifier: ""))
    core.isPicked = true
    self.init(core: core, scope: ()) { row throws(DecodingProblem) in
      try E.QueryValue.decode(&row)
    }
  }
}

/// Creates the columns of VALUES, from left to right.
private struct ValuesColumns {
  private var number = 1
  var selection: [SelectedColumn] = []

  mutating func next<V: QueryRepresentable>(_ type: V.Type) -> ValuesColumn<V> {
    let column = ValuesColumn<V>(first: number)
    number += V.columnCount
    selection += column.selection
    return column
  }
}
