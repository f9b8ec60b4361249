/// A column of a table: `"reminders"."title"`.
///
/// A property of a `@Selection` type takes several columns and is a group. Its parts are members:
/// `$0.timestamps.createdAt`. As a whole it is a row value: `("items"."createdAt", …)`.
@dynamicMemberLookup
public struct TableColumn<Root: Table, QueryValue: QueryRepresentable>: QueryExpression {
  // Not called `name` and `index`, because members of a group may have these names.
  let columnName: String
  let columnIndex: Int
  let qualifier: String
  /// How the value is read from an element of `json_each`, which differs from a stored column.
  let reading: JSONElementReading

  /// Creates a column from its name and its position in the table.
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
  /// The stored columns: the column itself, or those of the group.
  var parts: [ColumnInfo] { MacroSupport.columns(columnName, QueryValue.self) }
}

extension TableColumn where QueryValue: ColumnRepresentation {
  /// The name of the column.
  public var name: String { columnName }
  /// The position in the table, counted from 0, as FTS5's functions take it.
  public var index: Int { columnIndex }
}

extension TableColumn {
  /// A part of a group. If the group may be missing, the part is optional.
  public subscript<Group: Table, V>(
    dynamicMember member: KeyPath<QueryValue.Members, TableColumn<Group, V>>
  ) -> TableColumn<Root, V> {
    let column = QueryValue.Members(qualifier: qualifier)[keyPath: member]
    return TableColumn<Root, V>(column.columnName, column.columnIndex, of: qualifier)
  }
}

// Groups and the cases of an enum are columns, and have names for use in signatures:
// `func due(_ times: ColumnGroup<Item, Timestamps>)`.

/// A group of columns of a table.
public typealias ColumnGroup<Root: Table, Values: Table> = TableColumn<Root, Values>
/// A group of columns that may be missing.
public typealias OptionalColumnGroup<Root: Table, Values: Table> = TableColumn<Root, Values?>
/// A case of an enum that is stored in one column.
public typealias CaseColumn<Root: Table, Value: QueryRepresentable> = TableColumn<Root, Value?>
/// A case of an enum that is stored as a group of columns.
public typealias CaseColumnGroup<Root: Table, Values: Table> = TableColumn<Root, Values?>

/// The columns of a table that may be missing in an outer join. Each is optional, and so are the
/// expressions declared on them.
@dynamicMemberLookup
public struct OuterColumns<Base: TableDefinition>: Joinable {
  public typealias QueryValue = Base.QueryValue?
  let base: Base

  init(base: Base) { self.base = base }
  /// Creates the columns with a qualifier.
  public init(qualifier: String) { base = Base(qualifier: qualifier) }

  /// The columns themselves, which are optional already.
  public var outer: Self { self }
  public var queryFragment: QueryFragment { base.queryFragment }
  public var selection: [SelectedColumn] { base.selection }

  /// A column, as an optional.
  public subscript<V>(
    dynamicMember member: KeyPath<Base, TableColumn<Base.QueryValue, V>>
  ) -> TableColumn<Base.QueryValue, V.Unwrapped?> {
    let column = base[keyPath: member]
    return TableColumn<Base.QueryValue, V.Unwrapped?>(
      column.columnName, column.columnIndex, of: base.qualifier, reading: column.reading)
  }
  /// An expression declared on the columns, as an optional.
  @_disfavoredOverload
  public subscript<E: QueryExpressible>(
    dynamicMember member: KeyPath<Base, E>
  ) -> SQLQueryExpression<E.QueryValue.Unwrapped?> {
    SQLQueryExpression(base[keyPath: member].queryFragment)
  }
}

extension OuterColumns {
  /// The expressions of `transform`, or NULL where the row is missing.
  ///
  /// Use it to select some columns of the table as an optional member of a selection:
  ///
  /// ```swift
  /// Route.leftJoin(Wall.all) { $0.wallID == $1.id }
  ///   .select { route, wall in
  ///     RouteRow.Columns(
  ///       id: route.id, wall: wall.map { WallName.Columns(id: $0.id, name: $0.name) })
  ///   }
  /// ```
  ///
  /// A member is `nil` if each of its columns is NULL, so select at least one column that is never
  /// NULL in a row that exists.
  public func map<R: QueryExpressible>(
    _ transform: (Base) -> R
  ) -> SQLQueryExpression<R.QueryValue.Unwrapped?> {
    let isMissing: QueryFragment =
      "(\(base.queryFragment) IS \(rowValue(nil as Base.QueryValue?)))"
    return SQLQueryExpression(
      columns: transform(base).selection.map { column in
        // A plain column of the row is NULL anyway if the row is missing.
        guard !column.fragment.isColumn(of: base.qualifier) else { return column }
        var column = column
        column.fragment = "CASE \(isMissing) WHEN 1 THEN NULL ELSE \(column.fragment) END"
        return column
      })
  }
}

extension OuterColumns where Base: PrimaryKeyedDefinition {
  /// The number of rows that are not missing: `count("reminders"."id")`.
  public func count(
    filter: (some QueryExpression<Bool>)? = SQLQueryExpression<Bool>?.none
  ) -> AggregateFunctionExpression<Int> { base.count(filter: filter) }
}
