/// A column of a table: `"reminders"."title"`.
///
/// A column whose value takes several columns (an embedded `@Selection`) gives its parts by name:
/// `$0.timestamps.createdAt`.
@dynamicMemberLookup
public struct TableColumn<Root: Table, QueryValue: QueryRepresentable>: QueryOperand {
  public let name: String
  /// Its number in the table, counted from 0: FTS5's functions ask for it.
  public let index: Int
  let qualifier: String

  public init(_ name: String, _ index: Int, of qualifier: String) {
    self.name = name
    self.index = index
    self.qualifier = qualifier
  }

  public var queryFragment: QueryFragment { QueryFragment(column: name, of: qualifier) }
  public var selection: [SelectedColumn] {
    [SelectedColumn(queryFragment, ResultColumn(name, kind: QueryValue.kind))]
  }
}

extension TableColumn where QueryValue: Table {
  public subscript<V>(
    dynamicMember member: KeyPath<QueryValue.TableColumns, TableColumn<QueryValue, V>>
  ) -> TableColumn<Root, V> {
    let column = QueryValue.TableColumns(qualifier: qualifier)[keyPath: member]
    return TableColumn<Root, V>(column.name, column.index, of: qualifier)
  }
}

/// The columns of a table that may have no row: each is optional, reusable expressions too.
@dynamicMemberLookup
public struct OuterColumns<Base: TableDefinition>: Joinable {
  public typealias QueryValue = Base.QueryValue?
  let base: Base

  public var outer: Self { self }
  public var queryFragment: QueryFragment { base.queryFragment }
  public var selection: [SelectedColumn] { base.selection }

  public subscript<E: QueryExpression>(
    dynamicMember member: KeyPath<Base, E>
  ) -> SQLQueryExpression<E.QueryValue.Unwrapped?> {
    SQLQueryExpression(base[keyPath: member].queryFragment)
  }
}

extension OuterColumns where Base: PrimaryKeyedDefinition {
  /// The rows that are there.
  public func count(
    filter: (some QueryOperand<Bool>)? = SQLQueryExpression<Bool>?.none
  ) -> AggregateFunctionExpression<Int> { base.count(filter: filter) }
}
