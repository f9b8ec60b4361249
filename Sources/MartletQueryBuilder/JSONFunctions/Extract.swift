// What is at a place in a document (https://sqlite.org/json1.html#jex), read as the member's representation says. NULL
// where there is nothing.

extension QueryExpression
where QueryValue: ColumnRepresentation, QueryValue.Unwrapped: JSONDocument {
  public typealias Document = QueryValue.Unwrapped

  /// The document as a JSON function takes it.
  var document: QueryFragment {
    Document.isBinary
      ? queryFragment.requiring("a JSON function on JSONB", since: 3, 45) : queryFragment
  }

  private func member<V, E>(_ path: JSONPath<V>) -> SQLQueryExpression<E> {
    SQLQueryExpression(jsonMember(of: document, at: jsonPath(path.text), as: E.self))
  }

  /// `json_extract("t"."address", '$.lines[0]')`, of what is a column: a plain value, an array, an object.
  public func jsonExtract<V: ColumnRepresentation>(
    _ path: JSONKeyPath<Document, V>
  ) -> SQLQueryExpression<V.Unwrapped?> { member(path.path()) }
  /// Of a group of columns.
  @_disfavoredOverload
  public func jsonExtract<V: Table & Codable>(
    _ path: JSONKeyPath<Document, V>
  ) -> SQLQueryExpression<CodableJSONRepresentation<V>?> { member(path.path()) }
  public func jsonExtract<V: Table & Codable>(
    _ path: JSONKeyPath<Document, V?>
  ) -> SQLQueryExpression<CodableJSONRepresentation<V>?> { member(path.path()) }
  @_disfavoredOverload
  public func jsonExtract<V: QueryRepresentable>(
    _ path: JSONKeyPath<Document, V>
  ) -> SQLQueryExpression<JSONRowObject<V.Unwrapped>?> where V.Unwrapped: Table {
    member(path.path())
  }
  // Of a document that is there, a member that is no optional is one in the result, too.
  public func jsonExtract<V: ColumnRepresentation>(
    _ path: JSONKeyPath<Document, V>
  ) -> SQLQueryExpression<V> where QueryValue: JSONDocument { member(path.path()) }
  public func jsonExtract<V: Table & Codable>(
    _ path: JSONKeyPath<Document, V>
  ) -> SQLQueryExpression<CodableJSONRepresentation<V>> where QueryValue: JSONDocument {
    member(path.path())
  }
  /// JSONB that is a member of a document is JSON there.
  @_disfavoredOverload
  public func jsonExtract<V: QueryRepresentable, Text>(
    _ path: JSONKeyPath<Document, V>
  ) -> SQLQueryExpression<Text?> where V.Unwrapped == JSONBinary<Text> { member(path.path()) }
  public func jsonExtract<Text>(
    _ path: JSONKeyPath<Document, JSONBinary<Text>>
  ) -> SQLQueryExpression<Text> where QueryValue: JSONDocument { member(path.path()) }
  /// By a path as text, where nothing says the type.
  public func jsonExtract<V: ColumnRepresentation>(
    _ path: String, as type: V.Type
  ) -> SQLQueryExpression<V?> {
    SQLQueryExpression(jsonMember(of: document, at: jsonPath(path), as: V.self))
  }

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
