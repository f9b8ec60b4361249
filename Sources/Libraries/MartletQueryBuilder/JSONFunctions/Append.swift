// Functions that add elements to arrays (https://sqlite.org/json1.html#jins). The path `'$[#]'` is
// the position after the last element.

extension QueryExpression
where QueryValue: ColumnRepresentation, QueryValue.Unwrapped: JSONDocument {
  /// Appends a Swift value to the array: `json_insert("t"."tags", '$[#]', ?)`.
  public func jsonAppend<V: Encodable>(_ value: V) -> JSONEdit<QueryValue>
  where Document.QueryOutput == [V] {
    edit(.insert, behindLast, jsonElement(value, of: Document.self))
  }
  /// Appends an expression's value to the array: `json_insert("t"."tags", '$[#]', "t"."a")`.
  ///
  /// The value is stored like the other elements: in the representation of its type, or as JSON.
  public func jsonAppend<V: QueryBindable, E: QueryExpression>(_ value: E) -> JSONEdit<QueryValue>
  where Document.QueryOutput == [V], E.QueryValue.Unwrapped == V {
    edit(.insert, behindLast, value.inJSON)
  }
  /// Appends an expression's document to the array:
  /// `json_insert("t"."tags", '$[#]', json("t"."a"))`.
  @_disfavoredOverload
  public func jsonAppend<V, E: QueryExpression>(_ value: E) -> JSONEdit<QueryValue>
  where
    Document.QueryOutput == [V], E.QueryValue.Unwrapped: JSONDocument,
    E.QueryValue.Unwrapped.QueryOutput == V
  { edit(.insert, behindLast, value.inJSON) }
  /// Appends an expression whose element type is inferred: `json_insert("t"."tags", '$[#]', …)`.
  @_disfavoredOverload
  public func jsonAppend<V: QueryBindable>(
    _ value: SQLQueryExpression<V>
  ) -> JSONEdit<QueryValue> where Document.QueryOutput == [V] {
    edit(.insert, behindLast, value.inJSON)
  }
  /// Appends a Swift value to an array in the document:
  /// `json_insert("t"."address", '$.lines[#]', ?)`.
  public func jsonAppend<D: ColumnRepresentation, V: Encodable>(
    _ path: JSONKeyPath<Document, D>, _ value: V
  ) -> JSONEdit<QueryValue> where D.Unwrapped: JSONDocument, D.Unwrapped.QueryOutput == [V] {
    edit(.insert, behindLast(of: path), jsonElement(value, of: D.Unwrapped.self))
  }
  /// Appends an expression's value to an array in the document:
  /// `json_insert("t"."address", '$.lines[#]', "t"."a")`.
  public func jsonAppend<D: ColumnRepresentation, V: QueryBindable, E: QueryExpression>(
    _ path: JSONKeyPath<Document, D>, _ value: E
  ) -> JSONEdit<QueryValue>
  where
    D.Unwrapped: JSONDocument, D.Unwrapped.QueryOutput == [V], E.QueryValue.Unwrapped == V
  { edit(.insert, behindLast(of: path), value.inJSON) }
  /// Appends an expression's document to an array in the document:
  /// `json_insert("t"."address", '$.lines[#]', json("t"."a"))`.
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

  /// The array with a Swift value inserted before the element at `index`, or at the end if the
  /// array is shorter.
  ///
  /// Before version 3.53 SQLite cannot insert between elements. The SQL builds a new array from the
  /// elements and the new one in their order, with `json_group_array`.
  public func jsonArrayInsert<V: Encodable>(
    _ value: V, at index: Int
  ) -> SQLQueryExpression<QueryValue> where Document.QueryOutput == [V] {
    inserting("json_quote(\(jsonElement(value, of: Document.self)))", at: index)
  }
  /// The array with an expression's value inserted before the element at `index`, or after the last
  /// one.
  public func jsonArrayInsert<V: QueryBindable, E: QueryExpression>(
    _ value: E, at index: Int
  ) -> SQLQueryExpression<QueryValue>
  where Document.QueryOutput == [V], E.QueryValue.Unwrapped == V {
    inserting("json_quote(\(value.inJSON))", at: index)
  }
  /// The array with an expression's document inserted before the element at `index`, or after the
  /// last one.
  @_disfavoredOverload
  public func jsonArrayInsert<V, E: QueryExpression>(
    _ value: E, at index: Int
  ) -> SQLQueryExpression<QueryValue>
  where
    Document.QueryOutput == [V], E.QueryValue.Unwrapped: JSONDocument,
    E.QueryValue.Unwrapped.QueryOutput == V
  { inserting("json_quote(\(value.inJSON))", at: index) }

  /// The document with a Swift value inserted before an element:
  /// `json_array_insert("t"."tags", '$[0]', ?)`.
  ///
  /// Needs SQLite 3.53.
  public func jsonArrayInsert<V: QueryRepresentable>(
    _ path: JSONKeyPath<Document, V>, _ value: V.QueryOutput
  ) -> SQLQueryExpression<QueryValue> {
    SQLQueryExpression(arrayInsert("json", path.path(), jsonArgument(value, as: V.self)))
  }
  /// The document with an expression inserted before an element:
  /// `json_array_insert("t"."tags", '$[0]', "t"."a")`.
  ///
  /// Needs SQLite 3.53.
  public func jsonArrayInsert<V: QueryRepresentable, E: QueryExpression>(
    _ path: JSONKeyPath<Document, V>, _ value: E
  ) -> SQLQueryExpression<QueryValue> where E.QueryValue.Unwrapped == V.Unwrapped {
    SQLQueryExpression(arrayInsert("json", path.path(), value.inJSON))
  }
  /// The document as JSONB, with a Swift value inserted before an element:
  /// `jsonb_array_insert("t"."tags", '$[0]', ?)`.
  ///
  /// Needs SQLite 3.53.
  public func jsonbArrayInsert<V: QueryRepresentable>(
    _ path: JSONKeyPath<Document, V>, _ value: V.QueryOutput
  ) -> SQLQueryExpression<Document.Binary> {
    SQLQueryExpression(arrayInsert("jsonb", path.path(), jsonArgument(value, as: V.self)))
  }
  /// The document as JSONB, with an expression inserted before an element:
  /// `jsonb_array_insert("t"."tags", '$[0]', "t"."a")`.
  ///
  /// Needs SQLite 3.53.
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

  // Elements have the even numbers from 0 on, and the new one has the odd number before its
  // successor.
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
