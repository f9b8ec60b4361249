/// A document, changed (https://sqlite.org/json1.html#jins). Changes of one kind in a row are one call:
/// `json_set("t"."tags", '$[0]', 'z', '$[1]', 'y')`.
public struct JSONEdit<QueryValue: ColumnRepresentation>: QueryExpression, JSONEditing {
  let function: String
  let document: QueryFragment
  let changes: [QueryFragment]

  public var queryFragment: QueryFragment {
    "\(raw: function)(\(([document] + changes).joined(", ")))"
  }
}

private protocol JSONEditing {
  var function: String { get }
  var document: QueryFragment { get }
  var changes: [QueryFragment] { get }
}

extension QueryExpression
where QueryValue: ColumnRepresentation, QueryValue.Unwrapped: JSONDocument {
  func edit<V>(
    _ kind: JSONChange.Kind, _ path: JSONPath<V>, _ value: QueryFragment
  ) -> JSONEdit<QueryValue> {
    let change = JSONChange(kind, path.steps, in: document, to: value)
    guard change.readsDocument else { return edit("json_\(kind.rawValue)", change.arguments) }
    return JSONEdit(
      function: "json_\(kind.rawValue)", document: document, changes: change.arguments)
  }
  private func edit(_ function: String, _ changes: [QueryFragment]) -> JSONEdit<QueryValue> {
    if let edit = self as? any JSONEditing, edit.function == function {
      return JSONEdit(
        function: function, document: edit.document, changes: edit.changes + changes)
    }
    return JSONEdit(function: function, document: document, changes: changes)
  }

  /// Overwrites what is there, or adds it.
  public func jsonSet<V: QueryRepresentable>(
    _ path: JSONKeyPath<Document, V>, _ value: V.QueryOutput
  ) -> JSONEdit<QueryValue> { edit(.set, path.path(), jsonArgument(value, as: V.self)) }
  @_disfavoredOverload
  public func jsonSet<V: QueryRepresentable>(
    _ path: JSONKeyPath<Document, V>, _ value: SQLQueryExpression<V.Unwrapped>
  ) -> JSONEdit<QueryValue> { edit(.set, path.path(), value.inJSON) }
  public func jsonSet<V: QueryRepresentable, E: QueryExpression>(
    _ path: JSONKeyPath<Document, V>, _ value: E
  ) -> JSONEdit<QueryValue> where E.QueryValue.Unwrapped == V.Unwrapped {
    edit(.set, path.path(), value.inJSON)
  }
  /// A document of the member's type: text or JSONB, of a column or made by SQLite's functions.
  @_disfavoredOverload
  public func jsonSet<V: QueryRepresentable, E: QueryExpression>(
    _ path: JSONKeyPath<Document, V>, _ value: E
  ) -> JSONEdit<QueryValue>
  where
    E.QueryValue.Unwrapped: JSONDocument,
    E.QueryValue.Unwrapped.QueryOutput == V.Unwrapped.QueryOutput
  { edit(.set, path.path(), value.inJSON) }
  public func jsonSet(_ path: String, _ value: some Encodable) -> JSONEdit<QueryValue> {
    edit("json_set", [jsonPath(path), jsonArgument(value)])
  }
  public func jsonSet<E: QueryExpression>(_ path: String, _ value: E) -> JSONEdit<QueryValue> {
    edit("json_set", [jsonPath(path), value.inJSON])
  }

  /// Adds it where nothing is.
  public func jsonInsert<V: QueryRepresentable>(
    _ path: JSONKeyPath<Document, V>, _ value: V.QueryOutput
  ) -> JSONEdit<QueryValue> { edit(.insert, path.path(), jsonArgument(value, as: V.self)) }
  @_disfavoredOverload
  public func jsonInsert<V: QueryRepresentable>(
    _ path: JSONKeyPath<Document, V>, _ value: SQLQueryExpression<V.Unwrapped>
  ) -> JSONEdit<QueryValue> { edit(.insert, path.path(), value.inJSON) }
  public func jsonInsert<V: QueryRepresentable, E: QueryExpression>(
    _ path: JSONKeyPath<Document, V>, _ value: E
  ) -> JSONEdit<QueryValue> where E.QueryValue.Unwrapped == V.Unwrapped {
    edit(.insert, path.path(), value.inJSON)
  }
  /// A document of the member's type: text or JSONB, of a column or made by SQLite's functions.
  @_disfavoredOverload
  public func jsonInsert<V: QueryRepresentable, E: QueryExpression>(
    _ path: JSONKeyPath<Document, V>, _ value: E
  ) -> JSONEdit<QueryValue>
  where
    E.QueryValue.Unwrapped: JSONDocument,
    E.QueryValue.Unwrapped.QueryOutput == V.Unwrapped.QueryOutput
  { edit(.insert, path.path(), value.inJSON) }
  public func jsonInsert(_ path: String, _ value: some Encodable) -> JSONEdit<QueryValue> {
    edit("json_insert", [jsonPath(path), jsonArgument(value)])
  }
  public func jsonInsert<E: QueryExpression>(_ path: String, _ value: E) -> JSONEdit<QueryValue> {
    edit("json_insert", [jsonPath(path), value.inJSON])
  }

  /// Overwrites it where something is.
  public func jsonReplace<V: QueryRepresentable>(
    _ path: JSONKeyPath<Document, V>, _ value: V.QueryOutput
  ) -> JSONEdit<QueryValue> { edit(.replace, path.path(), jsonArgument(value, as: V.self)) }
  @_disfavoredOverload
  public func jsonReplace<V: QueryRepresentable>(
    _ path: JSONKeyPath<Document, V>, _ value: SQLQueryExpression<V.Unwrapped>
  ) -> JSONEdit<QueryValue> { edit(.replace, path.path(), value.inJSON) }
  public func jsonReplace<V: QueryRepresentable, E: QueryExpression>(
    _ path: JSONKeyPath<Document, V>, _ value: E
  ) -> JSONEdit<QueryValue> where E.QueryValue.Unwrapped == V.Unwrapped {
    edit(.replace, path.path(), value.inJSON)
  }
  /// A document of the member's type: text or JSONB, of a column or made by SQLite's functions.
  @_disfavoredOverload
  public func jsonReplace<V: QueryRepresentable, E: QueryExpression>(
    _ path: JSONKeyPath<Document, V>, _ value: E
  ) -> JSONEdit<QueryValue>
  where
    E.QueryValue.Unwrapped: JSONDocument,
    E.QueryValue.Unwrapped.QueryOutput == V.Unwrapped.QueryOutput
  { edit(.replace, path.path(), value.inJSON) }
  public func jsonReplace(_ path: String, _ value: some Encodable) -> JSONEdit<QueryValue> {
    edit("json_replace", [jsonPath(path), jsonArgument(value)])
  }
  public func jsonReplace<E: QueryExpression>(_ path: String, _ value: E) -> JSONEdit<QueryValue> {
    edit("json_replace", [jsonPath(path), value.inJSON])
  }

  /// Takes away what is at the paths. Without a member that is not optional, and without the case of an enum, the document
  /// cannot be read: ``jsonInsert(_:_:)`` behind it puts another value there.
  public func jsonRemove<each V>(
    _ path: repeat JSONKeyPath<Document, each V>
  ) -> JSONEdit<QueryValue> {
    var paths: [QueryFragment] = []
    for path in repeat each path { paths.append(path.fragment()) }
    return JSONEdit(function: "json_remove", document: document, changes: paths)
  }
  @_disfavoredOverload
  public func jsonRemove(_ paths: String...) -> JSONEdit<QueryValue> {
    JSONEdit(function: "json_remove", document: document, changes: paths.map(jsonPath))
  }

  /// Merges a patch into it (RFC 7396): members that are null in the patch are taken away. An enum of a row that is the patch
  /// replaces the other cases.
  public func jsonPatch(_ patch: some Encodable) -> JSONEdit<QueryValue> {
    JSONEdit(
      function: "json_patch", document: document, changes: [QueryFragment(jsonPatchText(patch))])
  }
  public func jsonPatch<E: QueryExpression>(_ patch: E) -> JSONEdit<QueryValue>
  where E.QueryValue: ColumnRepresentation, E.QueryValue.Unwrapped: JSONDocument {
    JSONEdit(function: "json_patch", document: document, changes: [patch.document])
  }
}
