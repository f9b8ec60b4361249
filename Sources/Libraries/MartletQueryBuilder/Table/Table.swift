/// A type whose values are rows: the conformance that `@Table` and `@Selection` generate.
///
/// It describes the table and its columns, and how a row is decoded and inserted. `@Selection` is
/// for rows that only queries produce, and for groups of columns.
///
/// ```swift
/// @Selection struct Overview { let title: String; let count: Int }
/// RemindersList.select { Overview.Columns(title: $0.title, count: Reminder.count()) }
/// // SELECT "remindersLists"."title" AS "title", (SELECT …) AS "count" FROM "remindersLists"
/// ```
/// A row is also an expression: the row value of its columns (https://sqlite.org/rowvalue.html).
@dynamicMemberLookup
public protocol Table: QueryRepresentable, QueryExpressible
where QueryValue == Self, QueryOutput == Self, Members == TableColumns {
  /// A row of expressions, one for each column.
  associatedtype Columns: RowExpression where Columns.QueryValue == Self
  /// The columns of the table, which closures take as their argument.
  associatedtype TableColumns: TableDefinition where TableColumns.QueryValue == Self
  /// The name of the table in SQL.
  static var tableName: String { get }
  /// The database that holds the table: `main`, `temp` or an attached one. `nil` writes no schema.
  static var schemaName: String? { get }
  /// The source in FROM, by default the name of the table. It may also be a table-valued function,
  /// such as `"pragma_table_info('items')"` (https://sqlite.org/vtab.html#tabfunc2).
  static var tableFragment: QueryFragment { get }
  /// The name of the table in queries, or `nil` for ``tableName``.
  static var tableAlias: String? { get }
  /// The query that every query, UPDATE and DELETE of the table begins with: its default scope.
  ///
  /// By default these are all rows. A table can declare others:
  /// `static let all = Self.where { !$0.isDeleted }`. ``unscoped`` leaves the default scope out.
  ///
  /// Inside the declaration of `all`, begin a subquery of the same table with `unscoped`. If one
  /// side of `&&` or `||` begins so, both sides have to. Anything else would read `all` while it is
  /// initialized.
  static var all: Select<TableColumns, Self, ()> { get }
  /// Decodes a row, reading its columns from left to right.
  init(row: inout RowReader) throws(DecodingProblem)
  /// The values of the row as expressions: `SELECT 1 AS "value"`.
  var columns: Columns { get }
  /// The values of the row as an INSERT assigns them.
  var assignments: [Assignment] { get }
}

/// A table with a primary key of one or several columns.
public protocol PrimaryKeyedTable: Table where TableColumns: PrimaryKeyedDefinition {}

extension Table {
  public static var kind: ColumnKind { .row }
  @inlinable public static func decode(_ row: inout RowReader) throws(DecodingProblem) -> Self {
    try Self(row: &row)
  }
  public var queryFragment: QueryFragment { columns.queryFragment }
  public var selection: [SelectedColumn] { columns.selection }

  /// No schema.
  public static var schemaName: String? { nil }
  /// The number of columns, including those of groups.
  public static var columnCount: Int { TableColumns.all.count }
  /// The columns of a result from left to right, including those of groups.
  public static var resultColumns: [ResultColumn] {
    TableColumns.all.map { ResultColumn($0.name, in: $0.groups, kind: $0.kind) }
  }

  /// The columns, qualified with the table's name.
  public static var columns: TableColumns { TableColumns(qualifier: qualifiedName) }

  /// A column, qualified with the table's name: `Reminder.title`.
  public static subscript<Member>(
    dynamicMember member: KeyPath<TableColumns, Member>
  ) -> Member { columns[keyPath: member] }

  /// The name that qualifies the columns, including the schema if the table declares one. Without
  /// it, a correlated subquery on a table of the same name in another schema would compare that
  /// table with itself.
  @usableFromInline static var qualifiedName: String {
    if let tableAlias { return tableAlias }
    guard let schemaName, tableFragment.traits.contains(.tableName) else { return tableName }
    return schemaName + TextBuffer.schemaMark + tableName
  }

  /// No alias: queries use the name of the table.
  public static var tableAlias: String? { nil }
  /// The name of the table, including the schema if it declares one: `"main"."reminders"`.
  public static var tableFragment: QueryFragment {
    var name = identifier
    name.traits = .tableName
    return name
  }

  /// `"reminders"` or `"main"."reminders"`, whatever ``tableFragment`` is.
  static var identifier: QueryFragment {
    schemaName.map { "\(quote: $0).\(quote: tableName)" } ?? QueryFragment(quote: tableName)
  }

  /// The source in FROM: `"reminders"`, `"reminders" AS "r"`,
  /// `pragma_table_info('items') AS "columns"`.
  static func reference(as alias: String) -> QueryFragment {
    let table = tableFragment
    let isNamed =
      table.traits.contains(.tableName) && alias == qualifiedName && tableAlias == nil
    return isNamed ? table : "\(table) AS \(quote: alias)"
  }
}

/// The columns of a table with a qualifier: the table's name, an alias, `new`, `old` or `excluded`.
///
/// Under another name the columns are another value of the same type.
public protocol TableDefinition: Joinable where QueryValue: Table {
  /// The name that qualifies the columns.
  var qualifier: String { get }
  /// Creates the columns with a qualifier.
  init(qualifier: String)
  /// The stored columns from left to right.
  static var all: [ColumnInfo] { get }
}

/// The columns of a table with a primary key.
public protocol PrimaryKeyedDefinition: TableDefinition {
  /// The representation of the primary key: a single column's, or a row of several.
  associatedtype PrimaryKey: QueryRepresentable
  /// The column, or the group of columns, that is the primary key.
  var primaryKey: TableColumn<QueryValue, PrimaryKey> { get }
  /// The condition that the row has this primary key. Keys of one and of several columns are
  /// compared differently: see KeyConditions.swift.
  func isKey(_ key: PrimaryKey.QueryOutput) -> QueryFragment
  /// The condition that the row has one of these primary keys.
  func isKey(in keys: [PrimaryKey.QueryOutput]) -> QueryFragment
}

/// A stored column, as its table declares it.
public struct ColumnInfo: Hashable, Sendable {
  /// The name of the column.
  public let name: String
  /// The meaning of its values.
  public let kind: ColumnKind
  /// Whether it is the primary key, or a part of it.
  public let isKey: Bool
  /// Whether SQLite generates its values, so that they are never written.
  public let isGenerated: Bool
  /// Whether its property accepts NULL.
  public let isOptional: Bool
  /// The properties around the column, outermost first, if it belongs to a group.
  public let groups: [ResultGroup]

  /// Creates a column.
  public init(
    _ name: String, _ kind: ColumnKind, isKey: Bool = false, isGenerated: Bool = false,
    isOptional: Bool = false, groups: [ResultGroup] = []
  ) {
    self.name = name
    self.kind = kind
    self.isKey = isKey
    self.isGenerated = isGenerated
    self.isOptional = isOptional
    self.groups = groups
  }
}

extension ColumnInfo {
  /// The names from the outermost property to the column.
  public var path: [String] { groups.map(\.name) + [name] }
}

extension TableDefinition {
  public var queryFragment: QueryFragment {
    "(\(Self.all.map { QueryFragment(column: $0.name, of: qualifier) }.joined(", ")))"
  }
  public var selection: [SelectedColumn] {
    Self.all.map {
      SelectedColumn(
        QueryFragment(column: $0.name, of: qualifier),
        ResultColumn($0.name, in: $0.groups, kind: $0.kind))
    }
  }
  /// The columns of the table where it may be missing: all of them are optional.
  public var outer: OuterColumns<Self> { OuterColumns(base: self) }
  /// SQLite's rowid (https://sqlite.org/rowidtable.html).
  public var rowid: TableColumn<QueryValue, Int> { TableColumn("rowid", -1, of: qualifier) }
}

extension PrimaryKeyedDefinition {
  /// The number of rows: `count("reminders"."id")`.
  ///
  /// Rows that are missing in an outer join are not counted. If the key has several columns, the
  /// first one is counted.
  public func count(
    distinct: Bool = false, filter: (some QueryExpression<Bool>)? = SQLQueryExpression<Bool>?.none
  ) -> AggregateFunctionExpression<Int> {
    let key = QueryFragment(column: primaryKey.parts[0].name, of: qualifier)
    return aggregate("count", key, distinct: distinct, filter)
  }
}

/// The columns of a table in a query, which may be the optional side of an outer join.
public protocol Joinable: QueryExpression, ColumnMembers where OuterMembers == Outer {
  /// The columns where the table may be missing.
  associatedtype Outer: Joinable where Outer.Outer == Outer
  /// The columns where the table may be missing.
  var outer: Outer { get }
}
