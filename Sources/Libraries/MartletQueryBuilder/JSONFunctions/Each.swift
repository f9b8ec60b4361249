// JSON as a table (https://sqlite.org/json1.html#jeach) that can be queried, joined, and given an
// alias.

extension QueryExpression
where QueryValue: ColumnRepresentation, QueryValue.Unwrapped: JSONDocument {
  /// The elements of an array with their positions, as a table.
  ///
  /// ```swift
  /// Item.join(Item.tags.jsonEach()) { _, tag in tag.value.hasPrefix("a") }
  /// // FROM "items" JOIN json_each("items"."tags") ON ("json_each"."value" LIKE ?)
  /// ```
  public func jsonEach<V: QueryBindable>() -> JSONElement<Int, V>.All
  where Document.QueryOutput == [V] { elements("json_each", alias: nil) }
  /// The elements of an array under an alias: `json_each("items"."tags") AS "a"`.
  public func jsonEach<V: QueryBindable, A: AliasName>(as: A.Type) -> JSONElement<Int, V>.All
  where Document.QueryOutput == [V] { elements("json_each", alias: A.aliasName) }
  /// The elements of an array of arrays or objects: `json_each("items"."lists")`.
  @_disfavoredOverload
  public func jsonEach<V: Codable & Sendable>() -> JSONElement<Int, V.JSONRepresentation>.All
  where Document.QueryOutput == [V] { elements("json_each", alias: nil) }
  /// The elements of an array of arrays or objects under an alias:
  /// `json_each("items"."lists") AS "a"`.
  @_disfavoredOverload
  public func jsonEach<V: Codable & Sendable, A: AliasName>(
    as: A.Type
  ) -> JSONElement<Int, V.JSONRepresentation>.All
  where Document.QueryOutput == [V] { elements("json_each", alias: A.aliasName) }

  /// The members of an object with their names: `json_each("items"."sizes")`.
  public func jsonEach<V: QueryBindable>() -> JSONElement<String, V>.All
  where Document.QueryOutput == [String: V] { elements("json_each", alias: nil) }
  /// The members of an object under an alias: `json_each("items"."sizes") AS "a"`.
  public func jsonEach<V: QueryBindable, A: AliasName>(as: A.Type) -> JSONElement<String, V>.All
  where Document.QueryOutput == [String: V] { elements("json_each", alias: A.aliasName) }

  /// The members of an object of arrays or objects: `json_each("items"."parts")`.
  @_disfavoredOverload
  public func jsonEach<V: Codable & Sendable>() -> JSONElement<String, V.JSONRepresentation>.All
  where Document.QueryOutput == [String: V] { elements("json_each", alias: nil) }
  /// The members of an object of arrays or objects under an alias:
  /// `json_each("items"."parts") AS "a"`.
  @_disfavoredOverload
  public func jsonEach<V: Codable & Sendable, A: AliasName>(
    as: A.Type
  ) -> JSONElement<String, V.JSONRepresentation>.All
  where Document.QueryOutput == [String: V] { elements("json_each", alias: A.aliasName) }

  /// The elements of an array in the document: `json_each("items"."label", '$.codes')`.
  public func jsonEach<D: ColumnRepresentation, V: QueryBindable>(
    _ path: JSONKeyPath<Document, D>
  ) -> JSONElement<Int, V>.All where D.Unwrapped: JSONDocument, D.Unwrapped.QueryOutput == [V] {
    elements("json_each", path.fragment(), alias: nil)
  }
  /// The elements of an array of arrays or objects in the document:
  /// `json_each("items"."label", '$.lists')`.
  @_disfavoredOverload
  public func jsonEach<D: ColumnRepresentation, V: Codable & Sendable>(
    _ path: JSONKeyPath<Document, D>
  ) -> JSONElement<Int, V.JSONRepresentation>.All
  where D.Unwrapped: JSONDocument, D.Unwrapped.QueryOutput == [V] {
    elements("json_each", path.fragment(), alias: nil)
  }
  /// The members of an object in the document: `json_each("items"."label", '$.sizes')`.
  public func jsonEach<D: ColumnRepresentation, V: QueryBindable>(
    _ path: JSONKeyPath<Document, D>
  ) -> JSONElement<String, V>.All
  where D.Unwrapped: JSONDocument, D.Unwrapped.QueryOutput == [String: V] {
    elements("json_each", path.fragment(), alias: nil)
  }
  /// The members of an object of arrays or objects in the document:
  /// `json_each("items"."label", '$.parts')`.
  @_disfavoredOverload
  public func jsonEach<D: ColumnRepresentation, V: Codable & Sendable>(
    _ path: JSONKeyPath<Document, D>
  ) -> JSONElement<String, V.JSONRepresentation>.All
  where D.Unwrapped: JSONDocument, D.Unwrapped.QueryOutput == [String: V] {
    elements("json_each", path.fragment(), alias: nil)
  }

  /// The elements of an array made by `jsonGroupArray`, in their own representation:
  /// `json_each(…)`.
  public func jsonEach<V: ColumnRepresentation>() -> JSONElement<Int, V>.All
  where Document == JSONArray<V> { elements("json_each", alias: nil) }

  /// The elements of an array: `jsonb_each("items"."tags")`. Needs SQLite 3.51.
  public func jsonbEach<V: QueryBindable>() -> JSONElement<Int, V>.All
  where Document.QueryOutput == [V] { binaryElements(alias: nil) }
  /// The elements of an array under an alias: `jsonb_each("items"."tags") AS "a"`. Needs SQLite
  /// 3.51.
  public func jsonbEach<V: QueryBindable, A: AliasName>(as: A.Type) -> JSONElement<Int, V>.All
  where Document.QueryOutput == [V] { binaryElements(alias: A.aliasName) }
  /// The elements of an array of arrays or objects, as JSONB: `jsonb_each("items"."lists")`. Needs
  /// SQLite 3.51.
  @_disfavoredOverload
  public func jsonbEach<V: Codable & Sendable>() -> JSONElement<Int, V.JSONBRepresentation>.All
  where Document.QueryOutput == [V] { binaryElements(alias: nil) }
  /// The elements of an array of arrays or objects under an alias, as JSONB:
  /// `jsonb_each("items"."lists") AS "a"`.
  ///
  /// Needs SQLite 3.51.
  @_disfavoredOverload
  public func jsonbEach<V: Codable & Sendable, A: AliasName>(
    as: A.Type
  ) -> JSONElement<Int, V.JSONBRepresentation>.All
  where Document.QueryOutput == [V] { binaryElements(alias: A.aliasName) }
  /// The members of an object: `jsonb_each("items"."sizes")`. Needs SQLite 3.51.
  public func jsonbEach<V: QueryBindable>() -> JSONElement<String, V>.All
  where Document.QueryOutput == [String: V] { binaryElements(alias: nil) }
  /// The members of an object of arrays or objects, as JSONB: `jsonb_each("items"."parts")`. Needs
  /// SQLite 3.51.
  @_disfavoredOverload
  public func jsonbEach<V: Codable & Sendable>() -> JSONElement<String, V.JSONBRepresentation>.All
  where Document.QueryOutput == [String: V] { binaryElements(alias: nil) }

  private func binaryElements<T: Table>(alias: String?) -> T.All {
    let rows: T.All = elements("jsonb_each", alias: alias)
    return rows.with {
      $0.source.table = $0.source.table.requiring("jsonb_each()", since: 3, 51)
    }
  }

  /// All values of the document at any depth, the document itself first:
  /// `json_tree("items"."label")`.
  public func jsonTree() -> JSONNode.All { elements("json_tree", alias: nil) }
  /// All values of the document at any depth, under an alias: `json_tree("items"."label") AS "a"`.
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
  /// The table that its columns belong to.
  public typealias Target = Self
  /// The element's position, counted from 0, or the member's name.
  public let key: Key
  /// The element's value.
  public let value: Value.QueryOutput

  /// The name of the table-valued function: `json_each`.
  public static var tableName: String { "json_each" }
  /// Reads the key and the value of a row.
  public init(row: inout RowReader) throws(DecodingProblem) {
    key = try Key.decode(&row)
    value = try Value.decode(&row)
  }
  /// The key and the value as expressions.
  public var columns: Columns {
    Columns(key: key, value: MacroSupport.value(value, as: Value.self))
  }
  /// The key and the value with their columns' names.
  public var assignments: [Assignment] { columns.assignments }

  /// The columns of `json_each` that are read: `key` and `value`.
  public struct TableColumns: TableDefinition {
    public typealias QueryValue = JSONElement<Key, Value>
    /// The name that the columns are qualified with: `json_each`, `jsonb_each`, or an alias.
    public let qualifier: String
    /// Makes the columns of `json_each` with a qualifier.
    public init(qualifier: String) { self.qualifier = qualifier }
    /// The position or name: `"json_each"."key"`.
    public var key: TableColumn<QueryValue, Key> { TableColumn("key", 0, of: qualifier) }
    /// The value, converted to its representation: `"json_each"."value"`.
    public var value: TableColumn<QueryValue, Value> {
      TableColumn("value", 1, of: qualifier, reading: JSONElementReading(Value.self))
    }
    public var selection: [SelectedColumn] { key.selection + value.selection }
    /// The names and kinds of the columns.
    public static var all: [ColumnInfo] {
      [ColumnInfo("key", Key.kind), ColumnInfo("value", Value.kind)]
    }
  }

  /// An element made of expressions.
  public struct Columns: RowExpression {
    public typealias QueryValue = JSONElement<Key, Value>
    public let selection: [SelectedColumn]
    /// Makes an element from a key and a value.
    public init(key: some QueryExpressible<Key>, value: some QueryExpressible<Value>) {
      selection =
        MacroSupport.selection("key", key) + MacroSupport.selection("value", value)
    }
    var assignments: [Assignment] { selection.map { Assignment($0.result.name, $0.fragment) } }
  }
}

extension JSONElement: Equatable where Key: Equatable, Value.QueryOutput: Equatable {}

/// A value at any depth of a JSON document: a row of `json_tree`.
@Table("json_tree")
public struct JSONNode: Equatable, Sendable {
  /// The name or position in the containing object or array; `nil` for the document itself.
  public let key: String?
  /// A plain value as text, or an array or object as JSON; `nil` for JSON's null.
  public let value: String?
  /// The JSON type: `object`, `array`, `text`, `integer`, `real`, `true`, `false` or `null`.
  public let type: String
  /// The path of the value: `$.place.city`.
  public let fullkey: String
  /// The path of the containing object or array: `$.place`.
  public let path: String
}
