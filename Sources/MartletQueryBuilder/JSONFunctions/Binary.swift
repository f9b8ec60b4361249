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

  private func member<V, E>(_ path: JSONPath<V>) -> SQLQueryExpression<E> {
    let path = jsonPath(path.text)
    let member = jsonMember("jsonb_extract", of: queryFragment, at: path, as: E.self)
    return SQLQueryExpression(member.requiring("jsonb_extract()", since: 3, 45))
  }
  /// A plain value is one as in `json_extract`; an array or object is JSONB.
  public func jsonbExtract<V: ColumnRepresentation>(
    _ path: JSONKeyPath<Document, V>
  ) -> SQLQueryExpression<V.Unwrapped?> { member(path.path()) }
  public func jsonbExtract<V: ColumnRepresentation>(
    _ path: JSONKeyPath<Document, V>
  ) -> SQLQueryExpression<V> where QueryValue: JSONDocument { member(path.path()) }
  @_disfavoredOverload
  public func jsonbExtract<V: JSONDocument>(
    _ path: JSONKeyPath<Document, V>
  ) -> SQLQueryExpression<V.Binary?> { member(path.path()) }
  public func jsonbExtract<V: JSONDocument>(
    _ path: JSONKeyPath<Document, V?>
  ) -> SQLQueryExpression<V.Binary?> { member(path.path()) }
  public func jsonbExtract<V: JSONDocument>(
    _ path: JSONKeyPath<Document, V>
  ) -> SQLQueryExpression<V.Binary> where QueryValue: JSONDocument { member(path.path()) }
  /// Of a group of columns.
  @_disfavoredOverload
  public func jsonbExtract<V: Table & Codable>(
    _ path: JSONKeyPath<Document, V>
  ) -> SQLQueryExpression<V.JSONBRepresentation?> { member(path.path()) }
  public func jsonbExtract<V: Table & Codable>(
    _ path: JSONKeyPath<Document, V?>
  ) -> SQLQueryExpression<V.JSONBRepresentation?> { member(path.path()) }
  public func jsonbExtract<V: Table & Codable>(
    _ path: JSONKeyPath<Document, V>
  ) -> SQLQueryExpression<V.JSONBRepresentation> where QueryValue: JSONDocument {
    member(path.path())
  }
  @_disfavoredOverload
  public func jsonbExtract<V: QueryRepresentable>(
    _ path: JSONKeyPath<Document, V>
  ) -> SQLQueryExpression<JSONRowObject<V.Unwrapped>.Binary?> where V.Unwrapped: Table {
    member(path.path())
  }
  public func jsonbExtract<V: Codable>(
    _ path: String, as type: V.JSONBRepresentation.Type
  ) -> SQLQueryExpression<V.JSONBRepresentation?> {
    binary("jsonb_extract", queryFragment, jsonPath(path))
  }

  private func change<V>(
    _ kind: JSONChange.Kind, _ path: JSONPath<V>, _ value: QueryFragment
  ) -> SQLQueryExpression<Document.Binary> {
    let change = JSONChange(kind, path.steps, in: queryFragment, to: value)
    return binary("jsonb_\(kind.rawValue)", [queryFragment] + change.arguments)
  }
  /// JSONB goes into JSONB as it is.
  private func argument<E: QueryExpression>(of value: E) -> QueryFragment {
    E.QueryValue.kind == .jsonb ? value.queryFragment : value.inJSON
  }

  public func jsonbSet<V: QueryRepresentable>(
    _ path: JSONKeyPath<Document, V>, _ value: V.QueryOutput
  ) -> SQLQueryExpression<Document.Binary> {
    change(.set, path.path(), jsonArgument(value, as: V.self))
  }
  @_disfavoredOverload
  public func jsonbSet<V: QueryRepresentable>(
    _ path: JSONKeyPath<Document, V>, _ value: SQLQueryExpression<V.Unwrapped>
  ) -> SQLQueryExpression<Document.Binary> { change(.set, path.path(), argument(of: value)) }
  public func jsonbSet<V: QueryRepresentable, E: QueryExpression>(
    _ path: JSONKeyPath<Document, V>, _ value: E
  ) -> SQLQueryExpression<Document.Binary> where E.QueryValue.Unwrapped == V.Unwrapped {
    change(.set, path.path(), argument(of: value))
  }
  @_disfavoredOverload
  public func jsonbSet<V: QueryRepresentable, E: QueryExpression>(
    _ path: JSONKeyPath<Document, V>, _ value: E
  ) -> SQLQueryExpression<Document.Binary>
  where
    E.QueryValue.Unwrapped: JSONDocument,
    E.QueryValue.Unwrapped.QueryOutput == V.Unwrapped.QueryOutput
  { change(.set, path.path(), argument(of: value)) }
  public func jsonbSet(
    _ path: String, _ value: some Encodable
  ) -> SQLQueryExpression<Document.Binary> {
    binary("jsonb_set", queryFragment, jsonPath(path), jsonArgument(value))
  }

  public func jsonbInsert<V: QueryRepresentable>(
    _ path: JSONKeyPath<Document, V>, _ value: V.QueryOutput
  ) -> SQLQueryExpression<Document.Binary> {
    change(.insert, path.path(), jsonArgument(value, as: V.self))
  }
  @_disfavoredOverload
  public func jsonbInsert<V: QueryRepresentable>(
    _ path: JSONKeyPath<Document, V>, _ value: SQLQueryExpression<V.Unwrapped>
  ) -> SQLQueryExpression<Document.Binary> { change(.insert, path.path(), argument(of: value)) }
  public func jsonbInsert<V: QueryRepresentable, E: QueryExpression>(
    _ path: JSONKeyPath<Document, V>, _ value: E
  ) -> SQLQueryExpression<Document.Binary> where E.QueryValue.Unwrapped == V.Unwrapped {
    change(.insert, path.path(), argument(of: value))
  }
  @_disfavoredOverload
  public func jsonbInsert<V: QueryRepresentable, E: QueryExpression>(
    _ path: JSONKeyPath<Document, V>, _ value: E
  ) -> SQLQueryExpression<Document.Binary>
  where
    E.QueryValue.Unwrapped: JSONDocument,
    E.QueryValue.Unwrapped.QueryOutput == V.Unwrapped.QueryOutput
  { change(.insert, path.path(), argument(of: value)) }
  public func jsonbInsert(
    _ path: String, _ value: some Encodable
  ) -> SQLQueryExpression<Document.Binary> {
    binary("jsonb_insert", queryFragment, jsonPath(path), jsonArgument(value))
  }

  public func jsonbReplace<V: QueryRepresentable>(
    _ path: JSONKeyPath<Document, V>, _ value: V.QueryOutput
  ) -> SQLQueryExpression<Document.Binary> {
    change(.replace, path.path(), jsonArgument(value, as: V.self))
  }
  @_disfavoredOverload
  public func jsonbReplace<V: QueryRepresentable>(
    _ path: JSONKeyPath<Document, V>, _ value: SQLQueryExpression<V.Unwrapped>
  ) -> SQLQueryExpression<Document.Binary> { change(.replace, path.path(), argument(of: value)) }
  public func jsonbReplace<V: QueryRepresentable, E: QueryExpression>(
    _ path: JSONKeyPath<Document, V>, _ value: E
  ) -> SQLQueryExpression<Document.Binary> where E.QueryValue.Unwrapped == V.Unwrapped {
    change(.replace, path.path(), argument(of: value))
  }
  @_disfavoredOverload
  public func jsonbReplace<V: QueryRepresentable, E: QueryExpression>(
    _ path: JSONKeyPath<Document, V>, _ value: E
  ) -> SQLQueryExpression<Document.Binary>
  where
    E.QueryValue.Unwrapped: JSONDocument,
    E.QueryValue.Unwrapped.QueryOutput == V.Unwrapped.QueryOutput
  { change(.replace, path.path(), argument(of: value)) }
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
    change(.insert, behindLast, jsonElement(value, of: Document.self))
  }
  public func jsonbAppend<V, E: QueryExpression>(
    _ value: E
  ) -> SQLQueryExpression<Document.Binary>
  where Document.QueryOutput == [V], E.QueryValue.Unwrapped.QueryOutput == V {
    change(.insert, behindLast, argument(of: value))
  }
  /// To an array in the document.
  public func jsonbAppend<D: ColumnRepresentation, V: Encodable>(
    _ path: JSONKeyPath<Document, D>, _ value: V
  ) -> SQLQueryExpression<Document.Binary>
  where D.Unwrapped: JSONDocument, D.Unwrapped.QueryOutput == [V] {
    change(.insert, behindLast(of: path), jsonElement(value, of: D.Unwrapped.self))
  }
  public func jsonbAppend<D: ColumnRepresentation, V, E: QueryExpression>(
    _ path: JSONKeyPath<Document, D>, _ value: E
  ) -> SQLQueryExpression<Document.Binary>
  where
    D.Unwrapped: JSONDocument, D.Unwrapped.QueryOutput == [V],
    E.QueryValue.Unwrapped.QueryOutput == V
  { change(.insert, behindLast(of: path), argument(of: value)) }
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
  public func jsonbObject() -> SQLQueryExpression<JSONRowObject<QueryValue>.Binary> {
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

// As `jsonGroupArray`: where the elements are Codable, the array is the one that
// `@Column(as: [Tag].JSONBRepresentation.self)` is.

extension QueryExpression where QueryValue.Unwrapped: QueryBindable & Codable {
  public func jsonbGroupArray(
    distinct: Bool = false, order: (some OrderingTerm)? = SQLOrder?.none,
    filter: (some QueryExpression<Bool>)? = NoFilter?.none
  ) -> AggregateFunctionExpression<JSONBinary<CodableJSONRepresentation<[QueryValue.QueryOutput]>>>
  where QueryValue.QueryOutput: Codable {
    groupArray(jsonValue(queryFragment, QueryValue.kind), distinct, order, filter)
  }
}

extension TableDefinition where QueryValue: Codable {
  public func jsonbGroupArray(
    distinct: Bool = false, order: (some OrderingTerm)? = SQLOrder?.none,
    filter: (some QueryExpression<Bool>)? = NoFilter?.none
  ) -> AggregateFunctionExpression<JSONBinary<CodableJSONRepresentation<[QueryValue]>>> {
    groupArray(jsonObject().queryFragment, distinct, order, filter)
  }
}
