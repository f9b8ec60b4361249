/// A column of a table: `"reminders"."title"`.
///
/// One whose value takes several columns (an embedded `@Selection`) is a group, and gives its parts by
/// name: `$0.timestamps.createdAt`. As a whole it is a row value: `("items"."createdAt", …)`.
@dynamicMemberLookup
public struct TableColumn<Root: Table, QueryValue: QueryRepresentable>: QueryExpression {
  // Not `name` and `index`: a group's members may be called so.
  let columnName: String
  let columnIndex: Int
  let qualifier: String
  /// Otherwise than it lies there, in `json_each`.
  let reading: JSONElementReading

  public init(_ name: String, _ index: Int, of qualifier: String) {
    self.init(name, index, of: qualifier, reading: .asStored)
  }
  init(_ name: String, _ index: Int, of qualifier: String, reading: JSONElementReading) {
    columnName = name
    columnIndex = index
    self.qualifier = qualifier
    self.reading = reading
  }

  public var queryFragment: QueryFragment {
    if isGroup { return "(\(selection.map(\.fragment).joined(", ")))" }
    let column = QueryFragment(column: columnName, of: qualifier)
    return reading == .asStored ? column : reading(column, of: qualifier)
  }
  public var selection: [SelectedColumn] {
    guard isGroup else {
      return [SelectedColumn(queryFragment, ResultColumn(columnName, kind: QueryValue.kind))]
    }
    return parts.map {
      SelectedColumn(
        QueryFragment(column: $0.name, of: qualifier),
        ResultColumn($0.name, in: Array($0.groups.dropFirst()), kind: $0.kind))
    }
  }

  private var isGroup: Bool { if case .row = QueryValue.kind { true } else { false } }
  /// The stored columns: itself, or those of a group.
  var parts: [ColumnInfo] { MacroSupport.columns(columnName, QueryValue.self) }
}

extension TableColumn where QueryValue: ColumnRepresentation {
  public var name: String { columnName }
  /// Its number in the table, counted from 0: FTS5's functions ask for it.
  public var index: Int { columnIndex }
}

extension TableColumn {
  /// A part of a group. Those of a group that may be missing are optional.
  public subscript<Group: Table, V>(
    dynamicMember member: KeyPath<QueryValue.Members, TableColumn<Group, V>>
  ) -> TableColumn<Root, V> {
    let column = QueryValue.Members(qualifier: qualifier)[keyPath: member]
    return TableColumn<Root, V>(column.columnName, column.columnIndex, of: qualifier)
  }
}

// Groups, and the cases of an enum table, are columns like others: `func due(_ times: ColumnGroup<Item, Timestamps>)`.
public typealias ColumnGroup<Root: Table, Values: Table> = TableColumn<Root, Values>
public typealias OptionalColumnGroup<Root: Table, Values: Table> = TableColumn<Root, Values?>
public typealias CaseColumn<Root: Table, Value: QueryRepresentable> = TableColumn<Root, Value?>
public typealias CaseColumnGroup<Root: Table, Values: Table> = TableColumn<Root, Values?>

/// The columns of a table that may have no row: each is optional, reusable expressions too.
@dynamicMemberLookup
public struct OuterColumns<Base: TableDefinition>: Joinable {
  public typealias QueryValue = Base.QueryValue?
  let base: Base

  init(base: Base) { self.base = base }
  public init(qualifier: String) { base = Base(qualifier: qualifier) }

  public var outer: Self { self }
  public var queryFragment: QueryFragment { base.queryFragment }
  public var selection: [SelectedColumn] { base.selection }

  public subscript<V>(
    dynamicMember member: KeyPath<Base, TableColumn<Base.QueryValue, V>>
  ) -> TableColumn<Base.QueryValue, V.Unwrapped?> {
    let column = base[keyPath: member]
    return TableColumn<Base.QueryValue, V.Unwrapped?>(
      column.columnName, column.columnIndex, of: base.qualifier, reading: column.reading)
  }
  @_disfavoredOverload
  public subscript<E: QueryExpressible>(
    dynamicMember member: KeyPath<Base, E>
  ) -> SQLQueryExpression<E.QueryValue.Unwrapped?> {
    SQLQueryExpression(base[keyPath: member].queryFragment)
  }
}

extension OuterColumns {
  /// What `transform` makes of a row that is there; of one that is missing, nothing. Chosen columns as an optional member of a
  /// selection:
  ///
  /// ```swift
  /// Route.leftJoin(Wall.all) { $0.wallID == $1.id }
  ///   .select { route, wall in
  ///     RouteRow.Columns(id: route.id, wall: wall.map { WallName.Columns(id: $0.id, name: $0.name) })
  ///   }
  /// ```
  ///
  /// A member is missing when each of its columns is NULL, so that one of them should be a column that never is.
  public func map<R: QueryExpressible>(
    _ transform: (Base) -> R
  ) -> SQLQueryExpression<R.QueryValue.Unwrapped?> {
    let isMissing: QueryFragment =
      "(\(base.queryFragment) IS \(rowValue(nil as Base.QueryValue?)))"
    return SQLQueryExpression(
      columns: transform(base).selection.map { column in
        // A column is NULL by itself where its row is missing.
        guard !column.fragment.isColumn else { return column }
        var column = column
        column.fragment = "CASE \(isMissing) WHEN 1 THEN NULL ELSE \(column.fragment) END"
        return column
      })
  }
}

extension OuterColumns where Base: PrimaryKeyedDefinition {
  /// The rows that are there.
  public func count(
    filter: (some QueryExpression<Bool>)? = SQLQueryExpression<Bool>?.none
  ) -> AggregateFunctionExpression<Int> { base.count(filter: filter) }
}
