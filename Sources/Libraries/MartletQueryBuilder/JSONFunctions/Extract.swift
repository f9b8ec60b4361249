// The members of a document (https://sqlite.org/json1.html#jex), read in their own representation.
// NULL if there is nothing at the path.

extension QueryExpression
where QueryValue: ColumnRepresentation, QueryValue.Unwrapped: JSONDocument {
  /// The type of the document, without the optional.
  public typealias Document = QueryValue.Unwrapped

  /// The document as an argument of a JSON function, with the SQLite version that JSONB needs.
  var document: QueryFragment {
    Document.isBinary
      ? queryFragment.requiring("a JSON function on JSONB", since: 3, 45) : queryFragment
  }

  private func member<V, E>(_ path: JSONPath<V>) -> SQLQueryExpression<E> {
    SQLQueryExpression(jsonMember(of: document, at: jsonPath(path.text), as: E.self))
  }

  /// The member at a path, which is a plain value, an array or an object:
  /// `json_extract("t"."address", '$.lines[0]')`.
  public func jsonExtract<V: ColumnRepresentation>(
    _ path: JSONKeyPath<Document, V>
  ) -> SQLQueryExpression<V.Unwrapped?> { member(path.path()) }
  /// The group of columns at a path: `json_extract("t"."a", '$.b')`.
  @_disfavoredOverload
  public func jsonExtract<V: Table & Codable>(
    _ path: JSONKeyPath<Document, V>
  ) -> SQLQueryExpression<CodableJSONRepresentation<V>?> { member(path.path()) }
  /// The optional group of columns at a path: `json_extract("t"."a", '$.b')`.
  public func jsonExtract<V: Table & Codable>(
    _ path: JSONKeyPath<Document, V?>
  ) -> SQLQueryExpression<CodableJSONRepresentation<V>?> { member(path.path()) }
  /// The group of columns at a path, of a row type that is not `Codable`:
  /// `json_extract("t"."a", '$.b')`.
  @_disfavoredOverload
  public func jsonExtract<V: QueryRepresentable>(
    _ path: JSONKeyPath<Document, V>
  ) -> SQLQueryExpression<JSONRowObject<V.Unwrapped>?> where V.Unwrapped: Table {
    member(path.path())
  }
  /// The member at a path of a document that is not optional: `json_extract("t"."a", '$.b')`.
  ///
  /// The result is optional only if the member is.
  public func jsonExtract<V: ColumnRepresentation>(
    _ path: JSONKeyPath<Document, V>
  ) -> SQLQueryExpression<V> where QueryValue: JSONDocument { member(path.path()) }
  /// The group of columns at a path of a document that is not optional:
  /// `json_extract("t"."a", '$.b')`.
  public func jsonExtract<V: Table & Codable>(
    _ path: JSONKeyPath<Document, V>
  ) -> SQLQueryExpression<CodableJSONRepresentation<V>> where QueryValue: JSONDocument {
    member(path.path())
  }
  /// The member at a path that is declared as JSONB, which is JSON inside of a document:
  /// `json_extract("t"."a", '$.b')`.
  @_disfavoredOverload
  public func jsonExtract<V: QueryRepresentable, Text>(
    _ path: JSONKeyPath<Document, V>
  ) -> SQLQueryExpression<Text?> where V.Unwrapped == JSONBinary<Text> { member(path.path()) }
  /// The member at a path that is declared as JSONB, of a document that is not optional:
  /// `json_extract("t"."a", '$.b')`.
  public func jsonExtract<Text>(
    _ path: JSONKeyPath<Document, JSONBinary<Text>>
  ) -> SQLQueryExpression<Text> where QueryValue: JSONDocument { member(path.path()) }
  /// The value at a path that is given as text, read as `type`: `json_extract("t"."a", '$.b')`.
  public func jsonExtract<V: ColumnRepresentation>(
    _ path: String, as type: V.Type
  ) -> SQLQueryExpression<V?> {
    SQLQueryExpression(jsonMember(of: document, at: jsonPath(path), as: V.self))
  }

  /// The number of elements, or 0 if the document is not an array: `json_array_length("t"."a")`.
  public func jsonArrayLength() -> SQLQueryExpression<QueryValue.AsInt> {
    call("json_array_length", document)
  }
  /// The number of elements at a path, or NULL if there is nothing:
  /// `json_array_length("t"."a", '$.b')`.
  public func jsonArrayLength<V>(_ path: JSONKeyPath<Document, V>) -> SQLQueryExpression<Int?> {
    call("json_array_length", document, path.fragment())
  }
  /// The number of elements at a path that is given as text: `json_array_length("t"."a", '$.b')`.
  public func jsonArrayLength(_ path: String) -> SQLQueryExpression<Int?> {
    call("json_array_length", document, jsonPath(path))
  }
}
