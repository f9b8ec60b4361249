// JSONB instead of text, which saves SQLite the parsing (https://sqlite.org/json1.html#jsonbx). All of it
// needs SQLite 3.45.

private func binary<V>(_ name: String, _ arguments: QueryFragment...) -> SQLQueryExpression<V> {
  let call: QueryFragment = "\(raw: name)(\(arguments.joined(", ")))"
  return SQLQueryExpression(call.requiring("\(name)()", since: 3, 45))
}

private func groupArray<V>(
  _ element: QueryFragment, _ distinct: Bool, _ order: (some OrderingTerm)?,
  _ filter: (some QueryExpression)?
) -> AggregateFunctionExpression<V> {
  aggregate(
    "jsonb_group_array", element.requiring("jsonb_group_array()", since: 3, 45),
    distinct: distinct, order: order?.orderFragment, filter)
}

extension QueryOperand
where QueryValue: ColumnRepresentation, QueryValue.Unwrapped: JSONDocument {
  /// `jsonb("t"."tags")`
  public func jsonb() -> SQLQueryExpression<Document.Binary> { binary("jsonb", queryFragment) }
  /// JSONB as text.
  public func json<Text>() -> SQLQueryExpression<Text> where Document == JSONBinary<Text> {
    call("json", document)
  }

  public func jsonbExtract<V: Codable>(
    _ path: JSONKeyPath<Document, V>
  ) -> SQLQueryExpression<V.JSONBRepresentation?> {
    binary("jsonb_extract", queryFragment, path.fragment())
  }
  public func jsonbExtract<V: Codable>(
    _ path: String, as type: V.JSONBRepresentation.Type
  ) -> SQLQueryExpression<V.JSONBRepresentation?> {
    binary("jsonb_extract", queryFragment, jsonPath(path))
  }

  public func jsonbSet<V: Encodable>(
    _ path: JSONKeyPath<Document, V>, _ value: V
  ) -> SQLQueryExpression<Document.Binary> {
    binary("jsonb_set", queryFragment, path.fragment(), jsonArgument(value))
  }
  public func jsonbSet(
    _ path: String, _ value: some Encodable
  ) -> SQLQueryExpression<Document.Binary> {
    binary("jsonb_set", queryFragment, jsonPath(path), jsonArgument(value))
  }
  public func jsonbInsert<V: Encodable>(
    _ path: JSONKeyPath<Document, V>, _ value: V
  ) -> SQLQueryExpression<Document.Binary> {
    binary("jsonb_insert", queryFragment, path.fragment(), jsonArgument(value))
  }
  public func jsonbInsert(
    _ path: String, _ value: some Encodable
  ) -> SQLQueryExpression<Document.Binary> {
    binary("jsonb_insert", queryFragment, jsonPath(path), jsonArgument(value))
  }
  public func jsonbReplace<V: Encodable>(
    _ path: JSONKeyPath<Document, V>, _ value: V
  ) -> SQLQueryExpression<Document.Binary> {
    binary("jsonb_replace", queryFragment, path.fragment(), jsonArgument(value))
  }
  public func jsonbReplace(
    _ path: String, _ value: some Encodable
  ) -> SQLQueryExpression<Document.Binary> {
    binary("jsonb_replace", queryFragment, jsonPath(path), jsonArgument(value))
  }

  public func jsonbRemove<V>(
    _ path: JSONKeyPath<Document, V>
  ) -> SQLQueryExpression<Document.Binary> {
    binary("jsonb_remove", queryFragment, path.fragment())
  }
  public func jsonbRemove(_ path: String) -> SQLQueryExpression<Document.Binary> {
    binary("jsonb_remove", queryFragment, jsonPath(path))
  }
  public func jsonbPatch(_ patch: some Encodable) -> SQLQueryExpression<Document.Binary> {
    binary("jsonb_patch", queryFragment, QueryFragment(jsonText(patch)))
  }
  public func jsonbAppend<V: Encodable>(_ value: V) -> SQLQueryExpression<Document.Binary>
  where Document.QueryOutput == [V] {
    binary("jsonb_insert", queryFragment, jsonPath("$[#]"), jsonArgument(value))
  }
}

extension QueryOperand where QueryValue.Unwrapped: ColumnRepresentation {
  public func jsonbGroupArray(
    distinct: Bool = false, order: (some OrderingTerm)? = SQLOrder?.none,
    filter: (some QueryOperand<Bool>)? = NoFilter?.none
  ) -> AggregateFunctionExpression<JSONArray<QueryValue>.Binary> {
    groupArray(jsonValue(queryFragment, QueryValue.kind), distinct, order, filter)
  }
}

extension TableDefinition {
  public func jsonbObject() -> SQLQueryExpression<JSONObject<QueryValue>.Binary> {
    binary("jsonb", jsonObject().queryFragment)
  }
  public func jsonbGroupArray(
    distinct: Bool = false, order: (some OrderingTerm)? = SQLOrder?.none,
    filter: (some QueryOperand<Bool>)? = NoFilter?.none
  ) -> AggregateFunctionExpression<JSONArray<QueryValue>.Binary> {
    groupArray(jsonObject().queryFragment, distinct, order, filter)
  }
}

extension OuterColumns {
  public func jsonbGroupArray(
    distinct: Bool = false, order: (some OrderingTerm)? = SQLOrder?.none,
    filter: (some QueryOperand<Bool>)? = NoFilter?.none
  ) -> AggregateFunctionExpression<JSONArray<Base.QueryValue>.Binary> {
    groupArray(jsonObject().queryFragment, distinct, order, whereThere(filter))
  }
}
