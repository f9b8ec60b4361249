// Arrays get longer (https://sqlite.org/json1.html#jins): `'$[#]'` is the place behind the last element.

extension QueryExpression
where QueryValue: ColumnRepresentation, QueryValue.Unwrapped: JSONDocument {
  /// `json_insert("t"."tags", '$[#]', 'z')`
  public func jsonAppend<V: Encodable>(_ value: V) -> JSONEdit<QueryValue>
  where Document.QueryOutput == [V] {
    edit(.insert, behindLast, jsonElement(value, of: Document.self))
  }
  /// An expression is stored as the elements are: in the way of their type, or as JSON.
  public func jsonAppend<V: QueryBindable, E: QueryExpression>(_ value: E) -> JSONEdit<QueryValue>
  where Document.QueryOutput == [V], E.QueryValue.Unwrapped == V {
    edit(.insert, behindLast, value.inJSON)
  }
  @_disfavoredOverload
  public func jsonAppend<V, E: QueryExpression>(_ value: E) -> JSONEdit<QueryValue>
  where
    Document.QueryOutput == [V], E.QueryValue.Unwrapped: JSONDocument,
    E.QueryValue.Unwrapped.QueryOutput == V
  { edit(.insert, behindLast, value.inJSON) }
  @_disfavoredOverload
  public func jsonAppend<V: QueryBindable>(
    _ value: SQLQueryExpression<V>
  ) -> JSONEdit<QueryValue> where Document.QueryOutput == [V] {
    edit(.insert, behindLast, value.inJSON)
  }
  /// To an array in the document: `json_insert("t"."address", '$.lines[#]', 'z')`.
  public func jsonAppend<D: ColumnRepresentation, V: Encodable>(
    _ path: JSONKeyPath<Document, D>, _ value: V
  ) -> JSONEdit<QueryValue> where D.Unwrapped: JSONDocument, D.Unwrapped.QueryOutput == [V] {
    edit(.insert, behindLast(of: path), jsonElement(value, of: D.Unwrapped.self))
  }
  public func jsonAppend<D: ColumnRepresentation, V: QueryBindable, E: QueryExpression>(
    _ path: JSONKeyPath<Document, D>, _ value: E
  ) -> JSONEdit<QueryValue>
  where
    D.Unwrapped: JSONDocument, D.Unwrapped.QueryOutput == [V], E.QueryValue.Unwrapped == V
  { edit(.insert, behindLast(of: path), value.inJSON) }
  @_disfavoredOverload
  public func jsonAppend<D: ColumnRepresentation, V, E: QueryExpression>(
    _ path: JSONKeyPath<Document, D>, _ value: E
  ) -> JSONEdit<QueryValue>
  where
    D.Unwrapped: JSONDocument, D.Unwrapped.QueryOutput == [V],
    E.QueryValue.Unwrapped: JSONDocument, E.QueryValue.Unwrapped.QueryOutput == V
  { edit(.insert, behindLast(of: path), value.inJSON) }

  var behindLast: JSONPath<Document> { JSONPath([.end]) }
  func behindLast<D>(of path: JSONKeyPath<Document, D>) -> JSONPath<D> {
    path.path().stepping(.end)
  }

  /// Before the element at `index`, or behind the last where there is none. SQLite puts nothing between
  /// elements: the array is built anew, from its elements and the new one in their order.
  public func jsonArrayInsert<V: Encodable>(
    _ value: V, at index: Int
  ) -> SQLQueryExpression<QueryValue> where Document.QueryOutput == [V] {
    inserting("json_quote(\(jsonElement(value, of: Document.self)))", at: index)
  }
  public func jsonArrayInsert<V: QueryBindable, E: QueryExpression>(
    _ value: E, at index: Int
  ) -> SQLQueryExpression<QueryValue>
  where Document.QueryOutput == [V], E.QueryValue.Unwrapped == V {
    inserting("json_quote(\(value.inJSON))", at: index)
  }
  @_disfavoredOverload
  public func jsonArrayInsert<V, E: QueryExpression>(
    _ value: E, at index: Int
  ) -> SQLQueryExpression<QueryValue>
  where
    Document.QueryOutput == [V], E.QueryValue.Unwrapped: JSONDocument,
    E.QueryValue.Unwrapped.QueryOutput == V
  { inserting("json_quote(\(value.inJSON))", at: index) }

  /// Before the element at a place: `json_array_insert("t"."tags", '$[0]', 'z')`. Needs SQLite 3.53.
  public func jsonArrayInsert<V: QueryRepresentable>(
    _ path: JSONKeyPath<Document, V>, _ value: V.QueryOutput
  ) -> SQLQueryExpression<QueryValue> {
    SQLQueryExpression(arrayInsert("json", path.path(), jsonArgument(value, as: V.self)))
  }
  public func jsonArrayInsert<V: QueryRepresentable, E: QueryExpression>(
    _ path: JSONKeyPath<Document, V>, _ value: E
  ) -> SQLQueryExpression<QueryValue> where E.QueryValue.Unwrapped == V.Unwrapped {
    SQLQueryExpression(arrayInsert("json", path.path(), value.inJSON))
  }
  public func jsonbArrayInsert<V: QueryRepresentable>(
    _ path: JSONKeyPath<Document, V>, _ value: V.QueryOutput
  ) -> SQLQueryExpression<Document.Binary> {
    SQLQueryExpression(arrayInsert("jsonb", path.path(), jsonArgument(value, as: V.self)))
  }
  public func jsonbArrayInsert<V: QueryRepresentable, E: QueryExpression>(
    _ path: JSONKeyPath<Document, V>, _ value: E
  ) -> SQLQueryExpression<Document.Binary> where E.QueryValue.Unwrapped == V.Unwrapped {
    SQLQueryExpression(arrayInsert("jsonb", path.path(), value.inJSON))
  }
  private func arrayInsert<V>(
    _ prefix: String, _ path: JSONPath<V>, _ value: QueryFragment
  ) -> QueryFragment {
    let call: QueryFragment =
      "\(raw: prefix)_array_insert(\(document), \(jsonPath(path.text)), \(value))"
    return call.requiring("\(prefix)_array_insert()", since: 3, 53)
  }

  // Elements get the even numbers from 0 on, the new one the odd number before its successor.
  private func inserting(
    _ value: QueryFragment, at index: Int
  ) -> SQLQueryExpression<QueryValue> {
    SQLQueryExpression(
      """
      CASE WHEN \(document) IS NOT NULL THEN (SELECT json_group_array(json("element")) FROM \
      (SELECT "key" * 2 AS "place", \(document) -> "fullkey" AS "element" \
      FROM json_each(\(document)) UNION ALL SELECT \(bind: index * 2 - 1), \(value) \
      ORDER BY "place")) END
      """)
  }
}
