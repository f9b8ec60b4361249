// Arrays get longer (https://sqlite.org/json1.html#jins): `'$[#]'` is the place behind the last element.

extension QueryExpression
where QueryValue: ColumnRepresentation, QueryValue.Unwrapped: JSONDocument {
  /// `json_insert("t"."tags", '$[#]', 'z')`
  public func jsonAppend<V: Encodable>(_ value: V) -> JSONEdit<QueryValue>
  where Document.QueryOutput == [V] { jsonInsert("$[#]", value) }
  public func jsonAppend<V, E: QueryExpression>(_ value: E) -> JSONEdit<QueryValue>
  where Document.QueryOutput == [V] { jsonInsert("$[#]", value) }
  /// To an array in the document: `json_insert("t"."address", '$.lines[#]', 'z')`.
  public func jsonAppend<V: Encodable>(
    _ path: JSONKeyPath<Document, [V]>, _ value: V
  ) -> JSONEdit<QueryValue> { jsonInsert(endText(of: path), value) }
  public func jsonAppend<V, E: QueryExpression>(
    _ path: JSONKeyPath<Document, [V]>, _ value: E
  ) -> JSONEdit<QueryValue> { jsonInsert(endText(of: path), value) }

  private func endText<V>(of path: JSONKeyPath<Document, [V]>) -> String {
    JSONPath<Document.QueryOutput>()[keyPath: path].text + "[#]"
  }
  func end<V>(of path: JSONKeyPath<Document, [V]>) -> QueryFragment { jsonPath(endText(of: path)) }

  /// Before the element at `index`, or behind the last where there is none. SQLite puts nothing between
  /// elements: the array is built anew, from its elements and the new one in their order.
  public func jsonArrayInsert<V: Encodable>(
    _ value: V, at index: Int
  ) -> SQLQueryExpression<QueryValue> where Document.QueryOutput == [V] {
    inserting("json_quote(\(jsonArgument(value)))", at: index)
  }
  public func jsonArrayInsert<V, E: QueryExpression>(
    _ value: E, at index: Int
  ) -> SQLQueryExpression<QueryValue> where Document.QueryOutput == [V] {
    inserting(
      "json_quote(\(jsonValue(value.queryFragment, E.QueryValue.kind)))", at: index)
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
