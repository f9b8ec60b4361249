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
  private func edit(_ function: String, _ changes: QueryFragment...) -> JSONEdit<QueryValue> {
    edit(function, changes)
  }
  private func edit(_ function: String, _ changes: [QueryFragment]) -> JSONEdit<QueryValue> {
    if let edit = self as? any JSONEditing, edit.function == function {
      return JSONEdit(
        function: function, document: edit.document, changes: edit.changes + changes)
    }
    return JSONEdit(function: function, document: document, changes: changes)
  }

  /// Overwrites what is there, or adds it.
  public func jsonSet<V: Encodable>(
    _ path: JSONKeyPath<Document, V>, _ value: V
  ) -> JSONEdit<QueryValue> { edit("json_set", path.change(to: jsonArgument(value))) }
  public func jsonSet<V, E: QueryExpression>(
    _ path: JSONKeyPath<Document, V>, _ value: E
  ) -> JSONEdit<QueryValue> {
    edit("json_set", path.change(to: jsonValue(value.queryFragment, E.QueryValue.kind)))
  }
  public func jsonSet(_ path: String, _ value: some Encodable) -> JSONEdit<QueryValue> {
    edit("json_set", jsonPath(path), jsonArgument(value))
  }
  public func jsonSet<E: QueryExpression>(_ path: String, _ value: E) -> JSONEdit<QueryValue> {
    edit("json_set", jsonPath(path), jsonValue(value.queryFragment, E.QueryValue.kind))
  }

  /// Adds it where nothing is.
  public func jsonInsert<V: Encodable>(
    _ path: JSONKeyPath<Document, V>, _ value: V
  ) -> JSONEdit<QueryValue> { edit("json_insert", path.change(to: jsonArgument(value))) }
  public func jsonInsert<V, E: QueryExpression>(
    _ path: JSONKeyPath<Document, V>, _ value: E
  ) -> JSONEdit<QueryValue> {
    edit("json_insert", path.change(to: jsonValue(value.queryFragment, E.QueryValue.kind)))
  }
  public func jsonInsert(_ path: String, _ value: some Encodable) -> JSONEdit<QueryValue> {
    edit("json_insert", jsonPath(path), jsonArgument(value))
  }
  public func jsonInsert<E: QueryExpression>(_ path: String, _ value: E) -> JSONEdit<QueryValue> {
    edit("json_insert", jsonPath(path), jsonValue(value.queryFragment, E.QueryValue.kind))
  }

  /// Overwrites it where something is.
  public func jsonReplace<V: Encodable>(
    _ path: JSONKeyPath<Document, V>, _ value: V
  ) -> JSONEdit<QueryValue> { edit("json_replace", path.change(to: jsonArgument(value))) }
  public func jsonReplace<V, E: QueryExpression>(
    _ path: JSONKeyPath<Document, V>, _ value: E
  ) -> JSONEdit<QueryValue> {
    edit("json_replace", path.change(to: jsonValue(value.queryFragment, E.QueryValue.kind)))
  }
  public func jsonReplace(_ path: String, _ value: some Encodable) -> JSONEdit<QueryValue> {
    edit("json_replace", jsonPath(path), jsonArgument(value))
  }
  public func jsonReplace<E: QueryExpression>(_ path: String, _ value: E) -> JSONEdit<QueryValue> {
    edit("json_replace", jsonPath(path), jsonValue(value.queryFragment, E.QueryValue.kind))
  }

  /// Takes away what is at the paths.
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

  /// Merges a patch into it (RFC 7396): members that are null in the patch are taken away.
  public func jsonPatch(_ patch: some Encodable) -> JSONEdit<QueryValue> {
    JSONEdit(
      function: "json_patch", document: document, changes: [QueryFragment(jsonText(patch))])
  }
  public func jsonPatch<E: QueryExpression>(_ patch: E) -> JSONEdit<QueryValue>
  where E.QueryValue: ColumnRepresentation, E.QueryValue.Unwrapped: JSONDocument {
    JSONEdit(function: "json_patch", document: document, changes: [patch.document])
  }
}
