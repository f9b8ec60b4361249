// JSON functions that return JSONB instead of text, so that SQLite does not have to parse it again
// (https://sqlite.org/json1.html#jsonbx). They all need SQLite 3.45.

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
  /// The document as JSONB: `jsonb("t"."tags")`.
  public func jsonb() -> SQLQueryExpression<Document.Binary> { binary("jsonb", queryFragment) }
  /// The JSONB document as text: `json("t"."tags")`.
  public func json<Text>() -> SQLQueryExpression<Text> where Document == JSONBinary<Text> {
    call("json", document)
  }

  private func member<V, E>(_ path: JSONPath<V>) -> SQLQueryExpression<E> {
    let path = jsonPath(path.text)
    let member = jsonMember("jsonb_extract", of: queryFragment, at: path, as: E.self)
    return SQLQueryExpression(member.requiring("jsonb_extract()", since: 3, 45))
  }
  /// The member at a path: `jsonb_extract("t"."a", '$.b')`.
  ///
  /// A plain value is the same as with `json_extract`; an array or object is JSONB. NULL if there
  /// is nothing at the path.
  public func jsonbExtract<V: ColumnRepresentation>(
    _ path: JSONKeyPath<Document, V>
  ) -> SQLQueryExpression<V.Unwrapped?> { member(path.path()) }
  /// The member at a path of a document that is not optional: `jsonb_extract("t"."a", '$.b')`.
  public func jsonbExtract<V: ColumnRepresentation>(
    _ path: JSONKeyPath<Document, V>
  ) -> SQLQueryExpression<V> where QueryValue: JSONDocument { member(path.path()) }
  /// The array or object at a path, as JSONB: `jsonb_extract("t"."a", '$.b')`.
  @_disfavoredOverload
  public func jsonbExtract<V: JSONDocument>(
    _ path: JSONKeyPath<Document, V>
  ) -> SQLQueryExpression<V.Binary?> { member(path.path()) }
  /// The optional array or object at a path, as JSONB: `jsonb_extract("t"."a", '$.b')`.
  public func jsonbExtract<V: JSONDocument>(
    _ path: JSONKeyPath<Document, V?>
  ) -> SQLQueryExpression<V.Binary?> { member(path.path()) }
  /// The array or object at a path of a document that is not optional, as JSONB:
  /// `jsonb_extract("t"."a", '$.b')`.
  public func jsonbExtract<V: JSONDocument>(
    _ path: JSONKeyPath<Document, V>
  ) -> SQLQueryExpression<V.Binary> where QueryValue: JSONDocument { member(path.path()) }
  /// The group of columns at a path, as JSONB: `jsonb_extract("t"."a", '$.b')`.
  @_disfavoredOverload
  public func jsonbExtract<V: Table & Codable>(
    _ path: JSONKeyPath<Document, V>
  ) -> SQLQueryExpression<V.JSONBRepresentation?> { member(path.path()) }
  /// The optional group of columns at a path, as JSONB: `jsonb_extract("t"."a", '$.b')`.
  public func jsonbExtract<V: Table & Codable>(
    _ path: JSONKeyPath<Document, V?>
  ) -> SQLQueryExpression<V.JSONBRepresentation?> { member(path.path()) }
  /// The group of columns at a path of a document that is not optional, as JSONB:
  /// `jsonb_extract("t"."a", '$.b')`.
  public func jsonbExtract<V: Table & Codable>(
    _ path: JSONKeyPath<Document, V>
  ) -> SQLQueryExpression<V.JSONBRepresentation> where QueryValue: JSONDocument {
    member(path.path())
  }
  /// The group of columns at a path, of a row type that is not `Codable`, as JSONB:
  /// `jsonb_extract("t"."a", '$.b')`.
  @_disfavoredOverload
  public func jsonbExtract<V: QueryRepresentable>(
    _ path: JSONKeyPath<Document, V>
  ) -> SQLQueryExpression<JSONRowObject<V.Unwrapped>.Binary?> where V.Unwrapped: Table {
    member(path.path())
  }
  /// The value at a path that is given as text, as JSONB: `jsonb_extract("t"."a", '$.b')`.
  public func jsonbExtract<V: Codable>(
    _ path: String, as type: V.JSONBRepresentation.Type
  ) -> SQLQueryExpression<V.JSONBRepresentation?> {
    binary("jsonb_extract", queryFragment, jsonPath(path))
  }

  private func change<V>(
    _ kind: DocumentEdit.Kind, _ path: JSONPath<V>, _ value: QueryFragment
  ) -> SQLQueryExpression<Document.Binary> {
    let change = DocumentEdit(kind, path.steps, in: queryFragment, to: value)
    return binary("jsonb_\(kind.rawValue)", [queryFragment] + change.arguments)
  }
  /// JSONB is inserted into JSONB as it is.
  private func argument<E: QueryExpression>(of value: E) -> QueryFragment {
    E.QueryValue.kind == .jsonb ? value.queryFragment : value.inJSON
  }

  /// Sets the member at a path to a Swift value, adding it if necessary:
  /// `jsonb_set("t"."a", '$.b', ?)`.
  public func jsonbSet<V: QueryRepresentable>(
    _ path: JSONKeyPath<Document, V>, _ value: V.QueryOutput
  ) -> SQLQueryExpression<Document.Binary> {
    change(.set, path.path(), jsonArgument(value, as: V.self))
  }
  /// Sets the member at a path to an expression whose type is inferred:
  /// `jsonb_set("t"."a", '$.b', …)`.
  @_disfavoredOverload
  public func jsonbSet<V: QueryRepresentable>(
    _ path: JSONKeyPath<Document, V>, _ value: SQLQueryExpression<V.Unwrapped>
  ) -> SQLQueryExpression<Document.Binary> { change(.set, path.path(), argument(of: value)) }
  /// Sets the member at a path to an expression: `jsonb_set("t"."a", '$.b', "t"."c")`.
  public func jsonbSet<V: QueryRepresentable, E: QueryExpression>(
    _ path: JSONKeyPath<Document, V>, _ value: E
  ) -> SQLQueryExpression<Document.Binary> where E.QueryValue.Unwrapped == V.Unwrapped {
    change(.set, path.path(), argument(of: value))
  }
  /// Sets the member at a path to an expression's document: `jsonb_set("t"."a", '$.b', "t"."c")`.
  @_disfavoredOverload
  public func jsonbSet<V: QueryRepresentable, E: QueryExpression>(
    _ path: JSONKeyPath<Document, V>, _ value: E
  ) -> SQLQueryExpression<Document.Binary>
  where
    E.QueryValue.Unwrapped: JSONDocument,
    E.QueryValue.Unwrapped.QueryOutput == V.Unwrapped.QueryOutput
  { change(.set, path.path(), argument(of: value)) }
  /// Sets the value at a path that is given as text: `jsonb_set("t"."a", '$.b', ?)`.
  public func jsonbSet(
    _ path: String, _ value: some Encodable
  ) -> SQLQueryExpression<Document.Binary> {
    binary("jsonb_set", queryFragment, jsonPath(path), jsonArgument(value))
  }

  /// Adds a Swift value at a path where there is nothing yet: `jsonb_insert("t"."a", '$.b', ?)`.
  public func jsonbInsert<V: QueryRepresentable>(
    _ path: JSONKeyPath<Document, V>, _ value: V.QueryOutput
  ) -> SQLQueryExpression<Document.Binary> {
    change(.insert, path.path(), jsonArgument(value, as: V.self))
  }
  /// Adds an expression whose type is inferred where there is nothing yet:
  /// `jsonb_insert("t"."a", '$.b', …)`.
  @_disfavoredOverload
  public func jsonbInsert<V: QueryRepresentable>(
    _ path: JSONKeyPath<Document, V>, _ value: SQLQueryExpression<V.Unwrapped>
  ) -> SQLQueryExpression<Document.Binary> { change(.insert, path.path(), argument(of: value)) }
  /// Adds an expression at a path where there is nothing yet:
  /// `jsonb_insert("t"."a", '$.b', "t"."c")`.
  public func jsonbInsert<V: QueryRepresentable, E: QueryExpression>(
    _ path: JSONKeyPath<Document, V>, _ value: E
  ) -> SQLQueryExpression<Document.Binary> where E.QueryValue.Unwrapped == V.Unwrapped {
    change(.insert, path.path(), argument(of: value))
  }
  /// Adds an expression's document at a path where there is nothing yet:
  /// `jsonb_insert("t"."a", '$.b', "t"."c")`.
  @_disfavoredOverload
  public func jsonbInsert<V: QueryRepresentable, E: QueryExpression>(
    _ path: JSONKeyPath<Document, V>, _ value: E
  ) -> SQLQueryExpression<Document.Binary>
  where
    E.QueryValue.Unwrapped: JSONDocument,
    E.QueryValue.Unwrapped.QueryOutput == V.Unwrapped.QueryOutput
  { change(.insert, path.path(), argument(of: value)) }
  /// Adds a value at a path that is given as text: `jsonb_insert("t"."a", '$.b', ?)`.
  public func jsonbInsert(
    _ path: String, _ value: some Encodable
  ) -> SQLQueryExpression<Document.Binary> {
    binary("jsonb_insert", queryFragment, jsonPath(path), jsonArgument(value))
  }

  /// If the path has a member, replaces it with a Swift value:
  /// `jsonb_replace("t"."a", '$.b', ?)`.
  public func jsonbReplace<V: QueryRepresentable>(
    _ path: JSONKeyPath<Document, V>, _ value: V.QueryOutput
  ) -> SQLQueryExpression<Document.Binary> {
    change(.replace, path.path(), jsonArgument(value, as: V.self))
  }
  /// Replaces the member at a path by an expression whose type is inferred:
  /// `jsonb_replace("t"."a", '$.b', …)`.
  @_disfavoredOverload
  public func jsonbReplace<V: QueryRepresentable>(
    _ path: JSONKeyPath<Document, V>, _ value: SQLQueryExpression<V.Unwrapped>
  ) -> SQLQueryExpression<Document.Binary> { change(.replace, path.path(), argument(of: value)) }
  /// If the path has a member, replaces it with an expression:
  /// `jsonb_replace("t"."a", '$.b', "t"."c")`.
  public func jsonbReplace<V: QueryRepresentable, E: QueryExpression>(
    _ path: JSONKeyPath<Document, V>, _ value: E
  ) -> SQLQueryExpression<Document.Binary> where E.QueryValue.Unwrapped == V.Unwrapped {
    change(.replace, path.path(), argument(of: value))
  }
  /// Replaces the member at a path by an expression's document:
  /// `jsonb_replace("t"."a", '$.b', "t"."c")`.
  @_disfavoredOverload
  public func jsonbReplace<V: QueryRepresentable, E: QueryExpression>(
    _ path: JSONKeyPath<Document, V>, _ value: E
  ) -> SQLQueryExpression<Document.Binary>
  where
    E.QueryValue.Unwrapped: JSONDocument,
    E.QueryValue.Unwrapped.QueryOutput == V.Unwrapped.QueryOutput
  { change(.replace, path.path(), argument(of: value)) }
  /// If the path, given as text, has a value, replaces it:
  /// `jsonb_replace("t"."a", '$.b', ?)`.
  public func jsonbReplace(
    _ path: String, _ value: some Encodable
  ) -> SQLQueryExpression<Document.Binary> {
    binary("jsonb_replace", queryFragment, jsonPath(path), jsonArgument(value))
  }

  /// Removes the member at a path: `jsonb_remove("t"."a", '$.b')`.
  public func jsonbRemove<V>(
    _ path: JSONKeyPath<Document, V>
  ) -> SQLQueryExpression<Document.Binary> {
    binary("jsonb_remove", queryFragment, path.fragment())
  }
  /// Removes the value at a path that is given as text: `jsonb_remove("t"."a", '$.b')`.
  public func jsonbRemove(_ path: String) -> SQLQueryExpression<Document.Binary> {
    binary("jsonb_remove", queryFragment, jsonPath(path))
  }
  /// Merges a patch into the document (RFC 7396): `jsonb_patch("t"."a", ?)`.
  public func jsonbPatch(_ patch: some Encodable) -> SQLQueryExpression<Document.Binary> {
    binary("jsonb_patch", queryFragment, QueryFragment(jsonText(patch)))
  }
  /// Appends a Swift value to the array: `jsonb_insert("t"."tags", '$[#]', ?)`.
  public func jsonbAppend<V: Encodable>(_ value: V) -> SQLQueryExpression<Document.Binary>
  where Document.QueryOutput == [V] {
    change(.insert, behindLast, jsonElement(value, of: Document.self))
  }
  /// Appends an expression to the array: `jsonb_insert("t"."tags", '$[#]', "t"."a")`.
  public func jsonbAppend<V, E: QueryExpression>(
    _ value: E
  ) -> SQLQueryExpression<Document.Binary>
  where Document.QueryOutput == [V], E.QueryValue.Unwrapped.QueryOutput == V {
    change(.insert, behindLast, argument(of: value))
  }
  /// Appends a Swift value to an array in the document:
  /// `jsonb_insert("t"."address", '$.lines[#]', ?)`.
  public func jsonbAppend<D: ColumnRepresentation, V: Encodable>(
    _ path: JSONKeyPath<Document, D>, _ value: V
  ) -> SQLQueryExpression<Document.Binary>
  where D.Unwrapped: JSONDocument, D.Unwrapped.QueryOutput == [V] {
    change(.insert, behindLast(of: path), jsonElement(value, of: D.Unwrapped.self))
  }
  /// Appends an expression to an array in the document:
  /// `jsonb_insert("t"."address", '$.lines[#]', "t"."a")`.
  public func jsonbAppend<D: ColumnRepresentation, V, E: QueryExpression>(
    _ path: JSONKeyPath<Document, D>, _ value: E
  ) -> SQLQueryExpression<Document.Binary>
  where
    D.Unwrapped: JSONDocument, D.Unwrapped.QueryOutput == [V],
    E.QueryValue.Unwrapped.QueryOutput == V
  { change(.insert, behindLast(of: path), argument(of: value)) }
}

extension QueryExpression where QueryValue.Unwrapped: ColumnRepresentation {
  /// All values in a JSONB array: `jsonb_group_array("t"."title")`. `order` needs SQLite 3.44.
  public func jsonbGroupArray(
    distinct: Bool = false, order: (some OrderingTerm)? = SQLOrder?.none,
    filter: (some QueryExpression<Bool>)? = NoFilter?.none
  ) -> AggregateFunctionExpression<JSONArray<QueryValue>.Binary> {
    groupArray(jsonValue(queryFragment, QueryValue.kind), distinct, order, filter)
  }
}

extension TableDefinition {
  /// The row as a JSONB object: `jsonb(json_object('id', "t"."id", …))`.
  public func jsonbObject() -> SQLQueryExpression<JSONRowObject<QueryValue>.Binary> {
    binary("jsonb", jsonObject().queryFragment)
  }
  /// All rows, as objects in a JSONB array: `jsonb_group_array(json_object('id', "t"."id", …))`.
  public func jsonbGroupArray(
    distinct: Bool = false, order: (some OrderingTerm)? = SQLOrder?.none,
    filter: (some QueryExpression<Bool>)? = NoFilter?.none
  ) -> AggregateFunctionExpression<JSONArray<QueryValue>.Binary> {
    groupArray(jsonObject().queryFragment, distinct, order, filter)
  }
}

extension OuterColumns {
  /// All rows of an outer join's optional side in a JSONB array, without the missing ones:
  /// `jsonb_group_array(…) FILTER (WHERE …)`.
  public func jsonbGroupArray(
    distinct: Bool = false, order: (some OrderingTerm)? = SQLOrder?.none,
    filter: (some QueryExpression<Bool>)? = NoFilter?.none
  ) -> AggregateFunctionExpression<JSONArray<Base.QueryValue>.Binary> {
    groupArray(jsonObject().queryFragment, distinct, order, whereThere(filter))
  }
}

// As with `jsonGroupArray`, an array of Codable elements has the type of a column that is declared
// with `@Column(as: [Tag].JSONBRepresentation.self)`.

extension QueryExpression where QueryValue.Unwrapped: QueryBindable & Codable {
  /// All values in a JSONB array: `jsonb_group_array("t"."title")`. `order` needs SQLite 3.44.
  public func jsonbGroupArray(
    distinct: Bool = false, order: (some OrderingTerm)? = SQLOrder?.none,
    filter: (some QueryExpression<Bool>)? = NoFilter?.none
  ) -> AggregateFunctionExpression<JSONBinary<CodableJSONRepresentation<[QueryValue.QueryOutput]>>>
  where QueryValue.QueryOutput: Codable {
    groupArray(jsonValue(queryFragment, QueryValue.kind), distinct, order, filter)
  }
}

extension TableDefinition where QueryValue: Codable {
  /// All rows, as objects in a JSONB array: `jsonb_group_array(json_object('id', "t"."id", …))`.
  public func jsonbGroupArray(
    distinct: Bool = false, order: (some OrderingTerm)? = SQLOrder?.none,
    filter: (some QueryExpression<Bool>)? = NoFilter?.none
  ) -> AggregateFunctionExpression<JSONBinary<CodableJSONRepresentation<[QueryValue]>>> {
    groupArray(jsonObject().queryFragment, distinct, order, filter)
  }
}
