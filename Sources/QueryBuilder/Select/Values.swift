/// Rows without a table: `SELECT 1, 'a'`, or several of them.
///
/// ```swift
/// Values(1, "a")                       // SELECT ?, ?
/// Values { (1, "a"); (2, "b") }        // VALUES (?, ?), (?, ?)
/// Select(Values { (1, "a"); (2, "b") }).where { $0 > 1 }
/// // SELECT "column1", "column2" FROM (VALUES (?, ?), (?, ?)) WHERE ("column1" > ?)
/// ```
/// In a trigger `Values($function())` calls a function.
public struct Values<Output, Picked>: SelectStatement {
  public let query: Query
  public let decode: @Sendable (inout RowReader) throws(DecodingProblem) -> Output

  /// One value, which is no tuple.
  public init<E: QueryExpression>(_ value: E)
  where Output == E.QueryValue.QueryOutput, Picked == E.QueryValue {
    query = Query(
      "SELECT \(value.selection.map(\.clause).joined(", "))",
      columns: value.selection.map(\.result))
    decode = { row throws(DecodingProblem) in try E.QueryValue.decode(&row) }
  }
  @_disfavoredOverload
  public init<each E: QueryExpression>(_ values: repeat each E)
  where Output == (repeat (each E).QueryValue.QueryOutput), Picked == (repeat (each E).QueryValue) {
    var columns: [SelectedColumn] = []
    for value in repeat each values { columns += value.selection }
    query = Query(
      "SELECT \(columns.map(\.clause).joined(", "))", columns: columns.map(\.result))
    decode = { row throws(DecodingProblem) in (repeat try (each E).QueryValue.decode(&row)) }
  }

  /// A row a line, with `if` and `for`. Without a row nothing is executed.
  public init(@ValuesBuilder _ rows: () -> ValuesRows<Picked>)
  where Picked: QueryRepresentable, Output == Picked.QueryOutput {
    query = rows().query
    decode = { row throws(DecodingProblem) in try Picked.decode(&row) }
  }
  public init<each V: QueryRepresentable>(
    @ValuesBuilder _ rows: () -> ValuesRows<(repeat each V)>
  ) where Output == (repeat (each V).QueryOutput), Picked == (repeat each V) {
    query = rows().query
    decode = { row throws(DecodingProblem) in (repeat try (each V).decode(&row)) }
  }
}

/// The lines of `Values { … }`: `Picked` is the representation of a row.
public struct ValuesRows<Picked>: Sendable {
  let rows: [[SelectedColumn]]

  var query: Query {
    guard let first = rows.first else { return Query("", isEmpty: true) }
    let lists = rows.map { "(\($0.map(\.fragment).joined(", ")))" as QueryFragment }
    return Query("VALUES \(lists.joined(", "))", columns: first.map(\.result))
  }
}

@resultBuilder
public enum ValuesBuilder {
  public static func buildExpression<E: QueryExpression>(_ value: E) -> ValuesRows<E.QueryValue> {
    ValuesRows(rows: [value.selection])
  }
  public static func buildExpression<each E: QueryExpression>(
    _ values: (repeat each E)
  ) -> ValuesRows<(repeat (each E).QueryValue)> {
    var columns: [SelectedColumn] = []
    for value in repeat each values { columns += value.selection }
    return ValuesRows(rows: [columns])
  }
  public static func buildBlock<P>(_ parts: ValuesRows<P>...) -> ValuesRows<P> {
    ValuesRows(rows: parts.flatMap(\.rows))
  }
  public static func buildArray<P>(_ parts: [ValuesRows<P>]) -> ValuesRows<P> {
    ValuesRows(rows: parts.flatMap(\.rows))
  }
  public static func buildOptional<P>(_ part: ValuesRows<P>?) -> ValuesRows<P> {
    part ?? ValuesRows(rows: [])
  }
  public static func buildEither<P>(first: ValuesRows<P>) -> ValuesRows<P> { first }
  public static func buildEither<P>(second: ValuesRows<P>) -> ValuesRows<P> { second }
}

/// A column of `Select(Values { … })`: `"column1"`, by the names that SQLite gives them.
@dynamicMemberLookup
public struct ValuesColumn<QueryValue: QueryRepresentable>: QueryOperand {
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

  /// A column of a row among the values.
  public subscript<V>(
    dynamicMember member: KeyPath<QueryValue.TableColumns, TableColumn<QueryValue, V>>
  ) -> ValuesColumn<V> where QueryValue: Table {
    let part = QueryValue.columns[keyPath: member].parts[0].name
    let offset = QueryValue.TableColumns.all.firstIndex { $0.name == part } ?? 0
    return ValuesColumn<V>(first: first + offset)
  }

  private func name(_ number: Int) -> QueryFragment { "\(quote: "column\(number)")" }
}

extension Select {
  /// A query of `Values { … }`.
  public init<V: QueryRepresentable>(_ values: Values<V.QueryOutput, V>)
  where Scope == ValuesColumn<V>, Output == V.QueryOutput, Picked == () {
    let column = ValuesColumn<V>(first: 1)
    self.init(
      core: SelectCore(columns: column.selection, values: values.query), scope: column,
      decode: values.decode)
  }
  @_disfavoredOverload
  public init<each V: QueryRepresentable>(
    _ values: Values<(repeat (each V).QueryOutput), (repeat each V)>
  )
  where
    Scope == (repeat ValuesColumn<each V>), Output == (repeat (each V).QueryOutput), Picked == ()
  {
    var next = 1
    func column<C: QueryRepresentable>(_ type: C.Type) -> ValuesColumn<C> {
      defer { next += C.columnCount }
      return ValuesColumn<C>(first: next)
    }
    let scope = (repeat column((each V).self))
    var columns: [SelectedColumn] = []
    for column in repeat each scope { columns += column.selection }
    self.init(
      core: SelectCore(columns: columns, values: values.query), scope: scope,
      decode: values.decode)
  }

  /// An expression without a table: `Select(1)` is `SELECT 1`.
  public init<E: QueryExpression>(_ value: E)
  where Scope == (), Output == E.QueryValue.QueryOutput, Picked == E.QueryValue {
    var core = SelectCore(columns: value.selection, source: .init(table: "", qualifier: ""))
    core.isPicked = true
    self.init(core: core, scope: ()) { row throws(DecodingProblem) in
      try E.QueryValue.decode(&row)
    }
  }
}

extension SelectCore {
  fileprivate init(columns: [SelectedColumn], values: Query) {
    self.init(columns: columns, source: .init(table: "(\(values.fragment))", qualifier: ""))
    isNone = values.isEmpty
  }
}
