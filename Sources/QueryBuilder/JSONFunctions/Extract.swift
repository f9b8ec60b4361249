// What is at a place in a document (https://sqlite.org/json1.html#jex). NULL where there is nothing.

extension QueryExpression
where QueryValue: ColumnRepresentation, QueryValue.Unwrapped: JSONDocument {
  public typealias Document = QueryValue.Unwrapped

  /// The document as a JSON function takes it.
  var document: QueryFragment {
    Document.isBinary
      ? queryFragment.requiring("a JSON function on JSONB", since: 3, 45) : queryFragment
  }

  /// `json_extract("t"."address", '$.lines[0]')`, of a plain value.
  public func jsonExtract<V: QueryBindable>(
    _ path: JSONKeyPath<Document, V>
  ) -> SQLQueryExpression<V.Unwrapped?> { call("json_extract", document, path.fragment()) }
  /// Of an array or object.
  @_disfavoredOverload
  public func jsonExtract<V: Codable>(
    _ path: JSONKeyPath<Document, V>
  ) -> SQLQueryExpression<V.JSONRepresentation?> {
    call("json_extract", document, path.fragment())
  }
  @_disfavoredOverload
  public func jsonExtract<V: Codable>(
    _ path: JSONKeyPath<Document, V?>
  ) -> SQLQueryExpression<V.JSONRepresentation?> {
    call("json_extract", document, path.fragment())
  }
  // Of a document that is there, a member that is no optional is one in the result, too.
  public func jsonExtract<V: QueryBindable>(
    _ path: JSONKeyPath<Document, V>
  ) -> SQLQueryExpression<V> where QueryValue: JSONDocument {
    call("json_extract", document, path.fragment())
  }
  @_disfavoredOverload
  public func jsonExtract<V: Codable>(
    _ path: JSONKeyPath<Document, V>
  ) -> SQLQueryExpression<V.JSONRepresentation> where QueryValue: JSONDocument {
    call("json_extract", document, path.fragment())
  }
  @_disfavoredOverload
  public func jsonExtract<V: Codable>(
    _ path: JSONKeyPath<Document, V?>
  ) -> SQLQueryExpression<V.JSONRepresentation?> where QueryValue: JSONDocument {
    call("json_extract", document, path.fragment())
  }
  /// By a path as text, where nothing says the type.
  public func jsonExtract<V: ColumnRepresentation>(
    _ path: String, as type: V.Type
  ) -> SQLQueryExpression<V?> { call("json_extract", document, jsonPath(path)) }

  /// The number of elements; 0 where it is no array.
  public func jsonArrayLength() -> SQLQueryExpression<QueryValue.AsInt> {
    call("json_array_length", document)
  }
  public func jsonArrayLength<V>(_ path: JSONKeyPath<Document, V>) -> SQLQueryExpression<Int?> {
    call("json_array_length", document, path.fragment())
  }
  public func jsonArrayLength(_ path: String) -> SQLQueryExpression<Int?> {
    call("json_array_length", document, jsonPath(path))
  }
}
