/// What the code that `@Table`, `@Selection` and `#sql` write calls, and nobody else needs.
public enum MacroSupport {
  /// The stored columns of one property.
  public static func columns<V: QueryRepresentable>(
    _ name: String, _ type: V.Type, isKey: Bool = false, isGenerated: Bool = false
  ) -> [ColumnInfo] {
    let isOptional = V.self != V.Unwrapped.self
    guard V.kind == .row else {
      return [
        ColumnInfo(name, V.kind, isKey: isKey, isGenerated: isGenerated, isOptional: isOptional)
      ]
    }
    guard let group = V.Unwrapped.self as? any Table.Type else {
      preconditionFailure("\(typeName(V.self)) is a group of columns and needs @Selection")
    }
    return allColumns(of: group).map {
      ColumnInfo(
        $0.name, $0.kind, isKey: isKey, isGenerated: isGenerated || $0.isGenerated,
        isOptional: isOptional || $0.isOptional,
        groups: [ResultGroup(name, isOptional: isOptional)] + $0.groups)
    }
  }

  private static func allColumns<T: Table>(of table: T.Type) -> [ColumnInfo] { T.TableColumns.all }

  /// The columns that one argument of `T.Columns(…)` becomes.
  public static func selection<E: QueryExpressible>(
    _ name: String, _ expression: E
  ) -> [SelectedColumn] {
    guard E.QueryValue.kind == .row else {
      return [
        SelectedColumn(
          expression.queryFragment, alias: name, ResultColumn(name, kind: E.QueryValue.kind))
      ]
    }
    let group = ResultGroup(name, isOptional: E.QueryValue.self != E.QueryValue.Unwrapped.self)
    return expression.selection.map {
      var column = $0
      column.alias = $0.alias ?? $0.result.name
      column.result.groups.insert(group, at: 0)
      return column
    }
  }

  /// The same of one case of an enum: the columns of the others are NULL.
  public static func selection<E: QueryExpressible, Row: EnumTable>(
    _ name: String, _ expression: E, of row: Row.Type
  ) -> [SelectedColumn] {
    var given = selection(name, expression)
    if given.allSatisfy({ $0.fragment.isNull }) {
      given[0].fragment = QueryFragment(
        .invalid(
          reason:
            "the case \(name) of \(typeName(Row.self)) is NULL in each of its columns, and is no case then"
        ))
    }
    return Row.TableColumns.all.map { column in
      given.first { $0.alias == column.name }
        ?? SelectedColumn(
          QueryFragment(.null), alias: column.name,
          ResultColumn(column.name, in: column.groups, kind: column.kind))
    }
  }

  /// What an INSERT makes of a row of expressions that names each of its columns.
  public static func assignments(_ selection: [SelectedColumn]) -> [Assignment] {
    selection.map { Assignment($0.alias ?? $0.result.name, $0.fragment) }
  }

  /// One list of several, without `+`, which costs the type checker more the longer it gets.
  public static func joined<Element>(_ parts: [Element]...) -> [Element] { parts.flatMap { $0 } }

  /// The values of one property in an INSERT.
  public static func assign<V: ColumnRepresentation>(
    _ name: String, _ type: V.Type, _ value: V.QueryOutput
  ) -> [Assignment] {
    [Assignment(name, QueryFragment(V.bind(value)))]
  }
  public static func assign<V: Table>(
    _ name: String, _ type: V.Type, _ value: V
  ) -> [Assignment] { value.assignments }
  public static func assign<V: Table>(
    _ name: String, _ type: V?.Type, _ value: V?
  ) -> [Assignment] {
    value?.assignments
      ?? V.TableColumns.all.filter { !$0.isGenerated }.map { Assignment($0.name, "NULL") }
  }

  /// The same for an argument of `T.Columns(…)`.
  public static func assign<E: QueryExpressible>(_ name: String, _ expression: E) -> [Assignment] {
    guard E.QueryValue.kind == .row else { return [Assignment(name, expression.queryFragment)] }
    let generated = Set(columns(name, E.QueryValue.self).filter(\.isGenerated).map(\.name))
    return expression.selection.map { Assignment($0.alias ?? $0.result.name, $0.fragment) }
      .filter { !generated.contains($0.column) }
  }

  /// The same in a draft: what is NULL is left to the column's DEFAULT.
  public static func assignUnlessNil<V: ColumnRepresentation>(
    _ name: String, _ type: V.Type, _ value: V.QueryOutput
  ) -> [Assignment] {
    let binding = V.bind(value)
    return binding == .null ? [] : [Assignment(name, QueryFragment(binding))]
  }
  public static func assignUnlessNil<V: Table>(
    _ name: String, _ type: V?.Type, _ value: V?
  ) -> [Assignment] { value?.assignments ?? [] }

  /// The same of a column that may be NULL in the table, too.
  public static func assignOrOmit<V: ColumnRepresentation>(
    _ name: String, _ type: V.Type, _ value: V.QueryOutput
  ) -> [Assignment] { omittable(V.bind(value) == .null, assign(name, type, value)) }
  public static func assignOrOmit<V: Table>(
    _ name: String, _ type: V?.Type, _ value: V?
  ) -> [Assignment] { omittable(value == nil, assign(name, type, value)) }

  private static func omittable(_ isOmittable: Bool, _ parts: [Assignment]) -> [Assignment] {
    parts.map { part in
      var part = part
      part.isOmittable = isOmittable
      return part
    }
  }

  /// A Swift value as an expression of its representation.
  public static func value<V: ColumnRepresentation>(
    _ value: V.QueryOutput, as type: V.Type
  ) -> SQLQueryExpression<V> { SQLQueryExpression(QueryFragment(V.bind(value))) }
  public static func value<V: Table>(_ value: V, as type: V.Type) -> V.Columns {
    value.columns
  }
  public static func value<V: Table>(_ value: V?, as type: V?.Type) -> V? { value }

  /// The case of a row whose other cases are NULL; `nil` where the row has not exactly one.
  public static func onlyCase<Row: EnumTable>(_ cases: Row?...) -> Row? {
    let present = cases.compactMap { $0 }
    return present.count == 1 ? present[0] : nil
  }

  /// What `#sql` becomes.
  public static func sql<V: QueryRepresentable>(
    _ fragment: QueryFragment, as type: V.Type = V.self
  ) -> SQLQueryExpression<V> {
    SQLQueryExpression(.written(fragment))
  }

  /// What `#bind` becomes: its type is the context's.
  public static func bind<V: ColumnRepresentation>(
    _ value: V.QueryOutput, as type: V.Type = V.self
  ) -> SQLQueryExpression<V> { Self.value(value, as: type) }
  @_disfavoredOverload
  public static func bind<V: QueryBindable>(_ value: V) -> SQLQueryExpression<V> {
    SQLQueryExpression(value.queryFragment)
  }
  @_disfavoredOverload
  public static func bind<V: Codable>(
    _ value: V
  ) -> SQLQueryExpression<CodableJSONRepresentation<V>> {
    Self.value(value, as: CodableJSONRepresentation<V>.self)
  }
}
