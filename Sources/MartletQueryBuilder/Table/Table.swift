/// What `@Table` and `@Selection` make of a type: its table, its columns, and how a row is read and
/// written. `@Selection` is for rows that only queries make, and for groups of columns.
///
/// ```swift
/// @Selection struct Overview { let title: String; let count: Int }
/// RemindersList.select { Overview.Columns(title: $0.title, count: Reminder.count()) }
/// // SELECT "remindersLists"."title" AS "title", (SELECT …) AS "count" FROM "remindersLists"
/// ```
/// A row is also an expression: the row value of its columns.
@dynamicMemberLookup
public protocol Table: QueryRepresentable, QueryExpressible
where QueryValue == Self, QueryOutput == Self, Members == TableColumns {
  associatedtype Columns: RowExpression where Columns.QueryValue == Self
  associatedtype TableColumns: TableDefinition where TableColumns.QueryValue == Self
  static var tableName: String { get }
  /// The database the table lies in (`main`, `temp`, an attached one), where that is to be said.
  static var schemaName: String? { get }
  /// What stands behind FROM: the table's name, unless the type says otherwise. A table-valued function
  /// (https://sqlite.org/vtab.html#tabfunc2) is a table too: `"pragma_table_info('items')"`.
  static var tableFragment: QueryFragment { get }
  /// The name that it goes by in queries, where that is not ``tableName``.
  static var tableAlias: String? { get }
  /// What every query, update and delete of the table begins with: all rows, unless the table says
  /// otherwise (`static let all = Self.where { !$0.isDeleted }`). ``unscoped`` is without it, and is what a
  /// sub-select of the same table has to begin with in here, and each side of `&&` or `||` where one does: anything
  /// else would ask for `all` while it is made.
  static var all: Select<TableColumns, Self, ()> { get }
  init(row: inout RowReader) throws(DecodingProblem)
  /// The row's own values as expressions: `SELECT 1 AS "value"`.
  var columns: Columns { get }
  /// The row's values as an INSERT gives them.
  var assignments: [Assignment] { get }
}

public protocol PrimaryKeyedTable: Table where TableColumns: PrimaryKeyedDefinition {}

extension Table {
  public static var kind: ColumnKind { .row }
  @inlinable public static func decode(_ row: inout RowReader) throws(DecodingProblem) -> Self {
    try Self(row: &row)
  }
  public var queryFragment: QueryFragment { columns.queryFragment }
  public var selection: [SelectedColumn] { columns.selection }

  public static var schemaName: String? { nil }
  public static var columnCount: Int { TableColumns.all.count }
  /// Its columns from left to right, those of its groups included.
  public static var resultColumns: [ResultColumn] {
    TableColumns.all.map { ResultColumn($0.name, in: $0.groups, kind: $0.kind) }
  }

  /// The columns under the table's own name.
  public static var columns: TableColumns { TableColumns(qualifier: qualifiedName) }

  /// `Reminder.title`
  public static subscript<Member>(
    dynamicMember member: KeyPath<TableColumns, Member>
  ) -> Member { columns[keyPath: member] }

  /// What its columns are qualified with: the name, with the schema where the table says one. Without it a
  /// correlated sub-select of another schema's table of the same name would compare that one with itself.
  @usableFromInline static var qualifiedName: String {
    if let tableAlias { return tableAlias }
    guard let schemaName, tableFragment.traits.contains(.tableName) else { return tableName }
    return schemaName + TextBuffer.schemaMark + tableName
  }

  public static var tableAlias: String? { nil }
  public static var tableFragment: QueryFragment {
    var name = identifier
    name.traits = .tableName
    return name
  }

  /// `"reminders"` or `"main"."reminders"`, whatever stands behind FROM.
  static var identifier: QueryFragment {
    schemaName.map { "\(quote: $0).\(quote: tableName)" } ?? QueryFragment(quote: tableName)
  }

  /// `"reminders"`, `"reminders" AS "r"`, `pragma_table_info('items') AS "columns"`.
  static func reference(as alias: String) -> QueryFragment {
    let table = tableFragment
    let isNamed =
      table.traits.contains(.tableName) && alias == qualifiedName && tableAlias == nil
    return isNamed ? table : "\(table) AS \(quote: alias)"
  }
}

/// A table's columns under some name: its own, an alias, `new`, `excluded`. An alias is another value of
/// the same type, not another type.
public protocol TableDefinition: Joinable where QueryValue: Table {
  var qualifier: String { get }
  init(qualifier: String)
  static var all: [ColumnInfo] { get }
}

public protocol PrimaryKeyedDefinition: TableDefinition {
  associatedtype PrimaryKey: QueryRepresentable
  var primaryKey: TableColumn<QueryValue, PrimaryKey> { get }
  /// That the row's key is this one, or one of these. A key of one column and one of several are written
  /// differently: see KeyConditions.swift.
  func isKey(_ key: PrimaryKey.QueryOutput) -> QueryFragment
  func isKey(in keys: [PrimaryKey.QueryOutput]) -> QueryFragment
}

/// One stored column, as the table declares it.
public struct ColumnInfo: Hashable, Sendable {
  public let name: String
  public let kind: ColumnKind
  public let isKey: Bool
  public let isGenerated: Bool
  /// NULL is a value of its property.
  public let isOptional: Bool
  /// The properties around it, outermost first, where it belongs to a group.
  public let groups: [ResultGroup]

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
  /// The names from the outermost property to its own.
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
  public var outer: OuterColumns<Self> { OuterColumns(base: self) }
  /// SQLite's own row number (https://sqlite.org/rowidtable.html).
  public var rowid: TableColumn<QueryValue, Int> { TableColumn("rowid", -1, of: qualifier) }
}

extension PrimaryKeyedDefinition {
  /// `count("reminders"."id")`: the rows that are there, in an outer join too. Of a key of several
  /// columns the first is counted.
  public func count(
    distinct: Bool = false, filter: (some QueryExpression<Bool>)? = SQLQueryExpression<Bool>?.none
  ) -> AggregateFunctionExpression<Int> {
    let key = QueryFragment(column: primaryKey.parts[0].name, of: qualifier)
    return aggregate("count", key, distinct: distinct, filter)
  }
}

/// What may stand in a query's scope: it knows what it becomes on the empty side of a join.
public protocol Joinable: QueryExpression, ColumnMembers where OuterMembers == Outer {
  associatedtype Outer: Joinable where Outer.Outer == Outer
  var outer: Outer { get }
}
