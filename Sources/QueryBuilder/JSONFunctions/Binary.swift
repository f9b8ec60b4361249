// JSONB instead of text, which saves SQLite the parsing (https://sqlite.org/json1.html#jsonbx). All of it
// needs SQLite 3.45.

private func binary<V>(_ name: String, _ arguments: QueryFragment...) -> SQLQueryExpression<V> {
  binary(name, arguments)
}
private func binary<V>(_ name: String, _ arguments: [QueryFragment]) -> SQLQueryExpression<V> {
  let call: QueryFragment = "\(raw: name)(\(arguments.joined(", ")))"
  return SQLQueryExpression(call.requiring("\(name)()", since: 3, 45))
}

private func groupArray<V>(
  _ element: QueryFragment, _ distinct: Bool, _ order: (some OrderingTerm)?,
  _ filter: (some QueryExpressible)?
) -> AggregateFunctionExpression<V> {
  aggregate(
    "jsonb_group_array", element.requiring("jsonb_group_array()", since: 3, 45),
    distinct: distinct, order: order?.orderFragment, filter)
}

extension QueryExpression
where QueryValue: ColumnRepresentation, QueryValue.Unwrapped: JSONDocument {
  /// `jsonb("t"."tags")`
  public func jsonb() -> SQLQueryExpression<Document.Binary> { binary("jsonb", queryFragment) }
  /// JSONB as text.
  public func json<Text>() -> SQLQueryExpression<Text> where Document == JSONBinary<Text> {
    call("json", document)
  }

  /// A plain value is one as in `json_extract`; an array or object is JSONB.
  public func jsonbExtract<V: QueryBindable>(
    _ path: JSONKeyPath<Document, V>
  ) -> SQLQueryExpression<V.Unwrapped?> {
    binary("jsonb_extract", queryFragment, path.fragment())
  }
  public func jsonbExtract<V: QueryBindable>(
    _ path: JSONKeyPath<Document, V>
  ) -> SQLQueryExpression<V> where QueryValue: JSONDocument {
    binary("jsonb_extract", queryFragment, path.fragment())
  }
  @_disfavoredOverload
  public func jsonbExtract<V: Codable>(
    _ path: JSONKeyPath<Document, V>
  ) -> SQLQueryExpression<V.JSONBRepresentation?> {
    binary("jsonb_extract", queryFragment, path.fragment())
  }
  @_disfavoredOverload
  public func jsonbExtract<V: Codable>(
    _ path: JSONKeyPath<Document, V>
  ) -> SQLQueryExpression<V.JSONBRepresentation> where QueryValue: JSONDocument {
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
    binary("jsonb_set", [queryFragment] + path.change(to: jsonArgument(value)))
  }
  public func jsonbSet<V, E: QueryExpression>(
    _ path: JSONKeyPath<Document, V>, _ value: E
  ) -> SQLQueryExpression<Document.Binary> {
    binary("jsonb_set", [queryFragment] + path.change(to: argument(of: value)))
  }
  public func jsonbSet(
    _ path: String, _ value: some Encodable
  ) -> SQLQueryExpression<Document.Binary> { edit("jsonb_set", jsonPath(path), value) }

  public func jsonbInsert<V: Encodable>(
    _ path: JSONKeyPath<Document, V>, _ value: V
  ) -> SQLQueryExpression<Document.Binary> {
    binary("jsonb_insert", [queryFragment] + path.change(to: jsonArgument(value)))
  }
  public func jsonbInsert<V, E: QueryExpression>(
    _ path: JSONKeyPath<Document, V>, _ value: E
  ) -> SQLQueryExpression<Document.Binary> {
    binary("jsonb_insert", [queryFragment] + path.change(to: argument(of: value)))
  }
  public func jsonbInsert(
    _ path: String, _ value: some Encodable
  ) -> SQLQueryExpression<Document.Binary> { edit("jsonb_insert", jsonPath(path), value) }

  public func jsonbReplace<V: Encodable>(
    _ path: JSONKeyPath<Document, V>, _ value: V
  ) -> SQLQueryExpression<Document.Binary> {
    binary("jsonb_replace", [queryFragment] + path.change(to: jsonArgument(value)))
  }
  public func jsonbReplace<V, E: QueryExpression>(
    _ path: JSONKeyPath<Document, V>, _ value: E
  ) -> SQLQueryExpression<Document.Binary> {
    binary("jsonb_replace", [queryFragment] + path.change(to: argument(of: value)))
  }
  public func jsonbReplace(
    _ path: String, _ value: some Encodable
  ) -> SQLQueryExpression<Document.Binary> { edit("jsonb_replace", jsonPath(path), value) }

  private func edit(
    _ function: String, _ path: QueryFragment, _ value: some Encodable
  ) -> SQLQueryExpression<Document.Binary> {
    binary(function, queryFragment, path, jsonArgument(value))
  }
  private func edit<E: QueryExpression>(
    _ function: String, _ path: QueryFragment, of value: E
  ) -> SQLQueryExpression<Document.Binary> {
    binary(function, queryFragment, path, argument(of: value))
  }
  /// JSONB goes into JSONB as it is.
  private func argument<E: QueryExpression>(of value: E) -> QueryFragment {
    E.QueryValue.kind == .jsonb
      ? value.queryFragment : jsonValue(value.queryFragment, E.QueryValue.kind)
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
    edit("jsonb_insert", jsonPath("$[#]"), value)
  }
  public func jsonbAppend<V, E: QueryExpression>(
    _ value: E
  ) -> SQLQueryExpression<Document.Binary> where Document.QueryOutput == [V] {
    edit("jsonb_insert", jsonPath("$[#]"), of: value)
  }
  /// To an array in the document.
  public func jsonbAppend<V: Encodable>(
    _ path: JSONKeyPath<Document, [V]>, _ value: V
  ) -> SQLQueryExpression<Document.Binary> { edit("jsonb_insert", end(of: path), value) }
  public func jsonbAppend<V, E: QueryExpression>(
    _ path: JSONKeyPath<Document, [V]>, _ value: E
  ) -> SQLQueryExpression<Document.Binary> { edit("jsonb_insert", end(of: path), of: value) }
}

extension QueryExpression where QueryValue.Unwrapped: ColumnRepresentation {
  public func jsonbGroupArray(
    distinct: Bool = false, order: (some OrderingTerm)? = SQLOrder?.none,
    filter: (some QueryExpression<Bool>)? = NoFilter?.none
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
    filter: (some QueryExpression<Bool>)? = NoFilter?.none
  ) -> AggregateFunctionExpression<JSONArray<QueryValue>.Binary> {
    groupArray(jsonObject().queryFragment, distinct, order, filter)
  }
}

extension OuterColumns {
  public func jsonbGroupArray(
    distinct: Bool = false, order: (some OrderingTerm)? = SQLOrder?.none,
    filter: (some QueryExpression<Bool>)? = NoFilter?.none
  ) -> AggregateFunctionExpression<JSONArray<Base.QueryValue>.Binary> {
    groupArray(jsonObject().queryFragment, distinct, order, whereThere(filter))
  }
}
