/// What the code that `@Table` and `@Selection` write calls, and nobody else needs.
public enum MacroSupport {
  /// The stored columns of one property.
  public static func columns<V: QueryRepresentable>(
    _ name: String, _ type: V.Type, isKey: Bool = false, isGenerated: Bool = false
  ) -> [ColumnInfo] {
    guard V.kind == .row else {
      return [ColumnInfo(name, V.kind, isKey: isKey, isGenerated: isGenerated)]
    }
    guard let group = V.Unwrapped.self as? any Table.Type else {
      preconditionFailure("\(V.self) is a group of columns and needs @Table")
    }
    return group.allColumns.map {
      ColumnInfo($0.name, $0.kind, isKey: isKey, isGenerated: isGenerated, groups: [name] + $0.groups)
    }
  }

  /// The columns that one argument of `T.Columns(…)` becomes.
  public static func selection<E: QueryExpression>(
    _ name: String, _ expression: E
  ) -> [SelectedColumn] {
    guard E.QueryValue.kind == .row else {
      return [
        SelectedColumn(
          expression.queryFragment, alias: name, ResultColumn(name, kind: E.QueryValue.kind))
      ]
    }
    return expression.selection.map {
      var column = $0
      column.alias = $0.alias ?? $0.result.name
      column.result.groups.insert(name, at: 0)
      return column
    }
  }

  /// The values of one property in an INSERT.
  public static func assign<V: ColumnRepresentation>(
    _ name: String, _ type: V.Type, _ value: V.QueryOutput
  ) -> [Assignment] {
    [Assignment(name, QueryFragment(V.bind(value)))]
  }
  public static func assign<V: Table>(
    _ name: String, _ type: V.Type, _ value: V
  ) -> [Assignment] { value.assignments }

  /// The same for an argument of `T.Columns(…)`.
  public static func assign<E: QueryExpression>(_ name: String, _ expression: E) -> [Assignment] {
    guard E.QueryValue.kind == .row else { return [Assignment(name, expression.queryFragment)] }
    return expression.selection.map { Assignment($0.alias ?? $0.result.name, $0.fragment) }
  }

  /// A Swift value as an expression of its representation.
  public static func value<V: ColumnRepresentation>(
    _ value: V.QueryOutput, as type: V.Type
  ) -> SQLQueryExpression<V> { SQLQueryExpression(QueryFragment(V.bind(value))) }
  public static func value<V: Selection>(_ value: V, as type: V.Type) -> V.Columns {
    value.columns
  }
}

extension Table {
  fileprivate static var allColumns: [ColumnInfo] { TableColumns.all }
}
