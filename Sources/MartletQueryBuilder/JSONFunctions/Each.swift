// JSON as a table (https://sqlite.org/json1.html#jeach): queried by itself, joined, under an alias.

extension QueryExpression
where QueryValue: ColumnRepresentation, QueryValue.Unwrapped: JSONDocument {
  /// The elements of an array, with their positions.
  ///
  /// ```swift
  /// Item.join(Item.tags.jsonEach()) { _, tag in tag.value.hasPrefix("a") }
  /// // FROM "items" JOIN json_each("items"."tags") ON ("json_each"."value" LIKE ?)
  /// ```
  public func jsonEach<V: QueryBindable>() -> JSONElement<Int, V>.All
  where Document.QueryOutput == [V] { elements("json_each", alias: nil) }
  public func jsonEach<V: QueryBindable, A: AliasName>(as: A.Type) -> JSONElement<Int, V>.All
  where Document.QueryOutput == [V] { elements("json_each", alias: A.aliasName) }
  /// Of an array of arrays or objects.
  @_disfavoredOverload
  public func jsonEach<V: Codable & Sendable>() -> JSONElement<Int, V.JSONRepresentation>.All
  where Document.QueryOutput == [V] { elements("json_each", alias: nil) }
  @_disfavoredOverload
  public func jsonEach<V: Codable & Sendable, A: AliasName>(
    as: A.Type
  ) -> JSONElement<Int, V.JSONRepresentation>.All
  where Document.QueryOutput == [V] { elements("json_each", alias: A.aliasName) }

  /// The members of an object, with their names.
  public func jsonEach<V: QueryBindable>() -> JSONElement<String, V>.All
  where Document.QueryOutput == [String: V] { elements("json_each", alias: nil) }
  public func jsonEach<V: QueryBindable, A: AliasName>(as: A.Type) -> JSONElement<String, V>.All
  where Document.QueryOutput == [String: V] { elements("json_each", alias: A.aliasName) }

  @_disfavoredOverload
  public func jsonEach<V: Codable & Sendable>() -> JSONElement<String, V.JSONRepresentation>.All
  where Document.QueryOutput == [String: V] { elements("json_each", alias: nil) }
  @_disfavoredOverload
  public func jsonEach<V: Codable & Sendable, A: AliasName>(
    as: A.Type
  ) -> JSONElement<String, V.JSONRepresentation>.All
  where Document.QueryOutput == [String: V] { elements("json_each", alias: A.aliasName) }

  /// The elements of an array in the document, the members of an object in it.
  public func jsonEach<D: ColumnRepresentation, V: QueryBindable>(
    _ path: JSONKeyPath<Document, D>
  ) -> JSONElement<Int, V>.All where D.Unwrapped: JSONDocument, D.Unwrapped.QueryOutput == [V] {
    elements("json_each", path.fragment(), alias: nil)
  }
  @_disfavoredOverload
  public func jsonEach<D: ColumnRepresentation, V: Codable & Sendable>(
    _ path: JSONKeyPath<Document, D>
  ) -> JSONElement<Int, V.JSONRepresentation>.All
  where D.Unwrapped: JSONDocument, D.Unwrapped.QueryOutput == [V] {
    elements("json_each", path.fragment(), alias: nil)
  }
  public func jsonEach<D: ColumnRepresentation, V: QueryBindable>(
    _ path: JSONKeyPath<Document, D>
  ) -> JSONElement<String, V>.All
  where D.Unwrapped: JSONDocument, D.Unwrapped.QueryOutput == [String: V] {
    elements("json_each", path.fragment(), alias: nil)
  }
  @_disfavoredOverload
  public func jsonEach<D: ColumnRepresentation, V: Codable & Sendable>(
    _ path: JSONKeyPath<Document, D>
  ) -> JSONElement<String, V.JSONRepresentation>.All
  where D.Unwrapped: JSONDocument, D.Unwrapped.QueryOutput == [String: V] {
    elements("json_each", path.fragment(), alias: nil)
  }

  /// The elements of what `jsonGroupArray` made, in their own representation.
  public func jsonEach<V: ColumnRepresentation>() -> JSONElement<Int, V>.All
  where Document == JSONArray<V> { elements("json_each", alias: nil) }

  /// The same as JSONB. Needs SQLite 3.51.
  public func jsonbEach<V: QueryBindable>() -> JSONElement<Int, V>.All
  where Document.QueryOutput == [V] { binaryElements(alias: nil) }
  public func jsonbEach<V: QueryBindable, A: AliasName>(as: A.Type) -> JSONElement<Int, V>.All
  where Document.QueryOutput == [V] { binaryElements(alias: A.aliasName) }
  @_disfavoredOverload
  public func jsonbEach<V: Codable & Sendable>() -> JSONElement<Int, V.JSONBRepresentation>.All
  where Document.QueryOutput == [V] { binaryElements(alias: nil) }
  @_disfavoredOverload
  public func jsonbEach<V: Codable & Sendable, A: AliasName>(
    as: A.Type
  ) -> JSONElement<Int, V.JSONBRepresentation>.All
  where Document.QueryOutput == [V] { binaryElements(alias: A.aliasName) }
  public func jsonbEach<V: QueryBindable>() -> JSONElement<String, V>.All
  where Document.QueryOutput == [String: V] { binaryElements(alias: nil) }
  @_disfavoredOverload
  public func jsonbEach<V: Codable & Sendable>() -> JSONElement<String, V.JSONBRepresentation>.All
  where Document.QueryOutput == [String: V] { binaryElements(alias: nil) }

  private func binaryElements<T: Table>(alias: String?) -> T.All {
    let rows: T.All = elements("jsonb_each", alias: alias)
    return rows.with {
      $0.source.table = $0.source.table.requiring("jsonb_each()", since: 3, 51)
    }
  }

  /// Every value in the document, however deep, the document itself first.
  public func jsonTree() -> JSONNode.All { elements("json_tree", alias: nil) }
  public func jsonTree<A: AliasName>(as: A.Type) -> JSONNode.All {
    elements("json_tree", alias: A.aliasName)
  }

  private func elements<T: Table>(
    _ function: String, _ path: QueryFragment? = nil, alias: String?
  ) -> T.All {
    let scope = T.TableColumns(qualifier: alias ?? function)
    var table: QueryFragment =
      "\(raw: function)(\(([document] + [path].compactMap(\.self)).joined(", ")))"
    if let alias { table += " AS \(quote: alias)" }
    return Select(
      core: SelectCore(
        columns: scope.selection, source: .init(table: table, qualifier: scope.qualifier)),
      scope: scope, decode: T.decode)
  }
}

/// An element of a JSON array or object: a row of `json_each`.
public struct JSONElement<Key: QueryBindable, Value: ColumnRepresentation>: Table
where Key.QueryOutput == Key, Value.QueryOutput: Sendable {
  public typealias Target = Self
  /// The position, counted from 0, or the name.
  public let key: Key
  public let value: Value.QueryOutput

  public static var tableName: String { "json_each" }
  public init(row: inout RowReader) throws(DecodingProblem) {
    key = try Key.decode(&row)
    value = try Value.decode(&row)
  }
  public var columns: Columns {
    Columns(key: key, value: MacroSupport.value(value, as: Value.self))
  }
  public var assignments: [Assignment] { columns.assignments }

  public struct TableColumns: TableDefinition {
    public typealias QueryValue = JSONElement<Key, Value>
    public let qualifier: String
    public init(qualifier: String) { self.qualifier = qualifier }
    public var key: TableColumn<QueryValue, Key> { TableColumn("key", 0, of: qualifier) }
    public var value: TableColumn<QueryValue, Value> {
      TableColumn("value", 1, of: qualifier, reading: JSONElementReading(Value.self))
    }
    public var selection: [SelectedColumn] { key.selection + value.selection }
    public static var all: [ColumnInfo] {
      [ColumnInfo("key", Key.kind), ColumnInfo("value", Value.kind)]
    }
  }

  public struct Columns: RowExpression {
    public typealias QueryValue = JSONElement<Key, Value>
    public let selection: [SelectedColumn]
    public init(key: some QueryExpressible<Key>, value: some QueryExpressible<Value>) {
      selection =
        MacroSupport.selection("key", key) + MacroSupport.selection("value", value)
    }
    var assignments: [Assignment] { selection.map { Assignment($0.result.name, $0.fragment) } }
  }
}

extension JSONElement: Equatable where Key: Equatable, Value.QueryOutput: Equatable {}

/// A value somewhere in a JSON document: a row of `json_tree`.
@Table("json_tree")
public struct JSONNode: Equatable, Sendable {
  /// The name or position in what holds it. The document itself has none.
  public let key: String?
  /// A plain value as text; an array or object as JSON.
  public let value: String?
  /// `object`, `array`, `text`, `integer`, `real`, `true`, `false` or `null`.
  public let type: String
  /// `$.place.city`
  public let fullkey: String
  /// The path of what holds it.
  public let path: String
}
