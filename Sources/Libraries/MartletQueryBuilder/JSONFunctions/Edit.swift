/// A changed document (https://sqlite.org/json1.html#jins).
///
/// Successive sets, insertions or replacements are one call:
/// `json_set("t"."tags", '$[0]', ?, '$[1]', ?)`. Removals, patches and changes that read the
/// document (in an enum's case) are nested calls.
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
    _ kind: DocumentEdit.Kind, _ path: JSONPath<V>, _ value: QueryFragment
  ) -> JSONEdit<QueryValue> {
    let change = DocumentEdit(kind, path.steps, in: document, to: value)
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

  /// Sets the member at a path to a Swift value, adding it if necessary:
  /// `json_set("t"."a", '$.b', ?)`.
  public func jsonSet<V: QueryRepresentable>(
    _ path: JSONKeyPath<Document, V>, _ value: V.QueryOutput
  ) -> JSONEdit<QueryValue> { edit(.set, path.path(), jsonArgument(value, as: V.self)) }
  /// Sets the member at a path to an expression whose type is inferred:
  /// `json_set("t"."a", '$.b', …)`.
  @_disfavoredOverload
  public func jsonSet<V: QueryRepresentable>(
    _ path: JSONKeyPath<Document, V>, _ value: SQLQueryExpression<V.Unwrapped>
  ) -> JSONEdit<QueryValue> { edit(.set, path.path(), value.inJSON) }
  /// Sets the member at a path to an expression: `json_set("t"."a", '$.b', "t"."c")`.
  public func jsonSet<V: QueryRepresentable, E: QueryExpression>(
    _ path: JSONKeyPath<Document, V>, _ value: E
  ) -> JSONEdit<QueryValue> where E.QueryValue.Unwrapped == V.Unwrapped {
    edit(.set, path.path(), value.inJSON)
  }
  /// Sets the member at a path to a document of the member's type:
  /// `json_set("t"."a", '$.b', json("t"."c"))`.
  ///
  /// The document can be text or JSONB, a column or the result of a function.
  @_disfavoredOverload
  public func jsonSet<V: QueryRepresentable, E: QueryExpression>(
    _ path: JSONKeyPath<Document, V>, _ value: E
  ) -> JSONEdit<QueryValue>
  where
    E.QueryValue.Unwrapped: JSONDocument,
    E.QueryValue.Unwrapped.QueryOutput == V.Unwrapped.QueryOutput
  { edit(.set, path.path(), value.inJSON) }
  /// Sets the value at a text path to a Swift value, adding it if necessary:
  /// `json_set("t"."a", '$.b', ?)`.
  public func jsonSet(_ path: String, _ value: some Encodable) -> JSONEdit<QueryValue> {
    edit("json_set", [jsonPath(path), jsonArgument(value)])
  }
  /// Sets the value at a text path to an expression:
  /// `json_set("t"."a", '$.b', "t"."c")`.
  public func jsonSet<E: QueryExpression>(_ path: String, _ value: E) -> JSONEdit<QueryValue> {
    edit("json_set", [jsonPath(path), value.inJSON])
  }

  /// Adds a Swift value at a path where there is nothing yet: `json_insert("t"."a", '$.b', ?)`.
  public func jsonInsert<V: QueryRepresentable>(
    _ path: JSONKeyPath<Document, V>, _ value: V.QueryOutput
  ) -> JSONEdit<QueryValue> { edit(.insert, path.path(), jsonArgument(value, as: V.self)) }
  /// Adds an expression, whose type is inferred, at a path where there is nothing yet:
  /// `json_insert("t"."a", '$.b', …)`.
  @_disfavoredOverload
  public func jsonInsert<V: QueryRepresentable>(
    _ path: JSONKeyPath<Document, V>, _ value: SQLQueryExpression<V.Unwrapped>
  ) -> JSONEdit<QueryValue> { edit(.insert, path.path(), value.inJSON) }
  /// Adds an expression at a path where there is nothing yet:
  /// `json_insert("t"."a", '$.b', "t"."c")`.
  public func jsonInsert<V: QueryRepresentable, E: QueryExpression>(
    _ path: JSONKeyPath<Document, V>, _ value: E
  ) -> JSONEdit<QueryValue> where E.QueryValue.Unwrapped == V.Unwrapped {
    edit(.insert, path.path(), value.inJSON)
  }
  /// Adds a document of the member's type where there is nothing yet:
  /// `json_insert("t"."a", '$.b', json("t"."c"))`.
  ///
  /// The document can be text or JSONB, a column or the result of a function.
  @_disfavoredOverload
  public func jsonInsert<V: QueryRepresentable, E: QueryExpression>(
    _ path: JSONKeyPath<Document, V>, _ value: E
  ) -> JSONEdit<QueryValue>
  where
    E.QueryValue.Unwrapped: JSONDocument,
    E.QueryValue.Unwrapped.QueryOutput == V.Unwrapped.QueryOutput
  { edit(.insert, path.path(), value.inJSON) }
  /// Adds a Swift value at a path that is given as text: `json_insert("t"."a", '$.b', ?)`.
  public func jsonInsert(_ path: String, _ value: some Encodable) -> JSONEdit<QueryValue> {
    edit("json_insert", [jsonPath(path), jsonArgument(value)])
  }
  /// Adds an expression at a path that is given as text: `json_insert("t"."a", '$.b', "t"."c")`.
  public func jsonInsert<E: QueryExpression>(_ path: String, _ value: E) -> JSONEdit<QueryValue> {
    edit("json_insert", [jsonPath(path), value.inJSON])
  }

  /// If the path has a member, replaces it with a Swift value:
  /// `json_replace("t"."a", '$.b', ?)`.
  public func jsonReplace<V: QueryRepresentable>(
    _ path: JSONKeyPath<Document, V>, _ value: V.QueryOutput
  ) -> JSONEdit<QueryValue> { edit(.replace, path.path(), jsonArgument(value, as: V.self)) }
  /// Replaces the member at a path by an expression whose type is inferred:
  /// `json_replace("t"."a", '$.b', …)`.
  @_disfavoredOverload
  public func jsonReplace<V: QueryRepresentable>(
    _ path: JSONKeyPath<Document, V>, _ value: SQLQueryExpression<V.Unwrapped>
  ) -> JSONEdit<QueryValue> { edit(.replace, path.path(), value.inJSON) }
  /// If the path has a member, replaces it with an expression:
  /// `json_replace("t"."a", '$.b', "t"."c")`.
  public func jsonReplace<V: QueryRepresentable, E: QueryExpression>(
    _ path: JSONKeyPath<Document, V>, _ value: E
  ) -> JSONEdit<QueryValue> where E.QueryValue.Unwrapped == V.Unwrapped {
    edit(.replace, path.path(), value.inJSON)
  }
  /// Replaces the member at a path by a document of its type:
  /// `json_replace("t"."a", '$.b', json("t"."c"))`.
  ///
  /// The document can be text or JSONB, a column or the result of a function.
  @_disfavoredOverload
  public func jsonReplace<V: QueryRepresentable, E: QueryExpression>(
    _ path: JSONKeyPath<Document, V>, _ value: E
  ) -> JSONEdit<QueryValue>
  where
    E.QueryValue.Unwrapped: JSONDocument,
    E.QueryValue.Unwrapped.QueryOutput == V.Unwrapped.QueryOutput
  { edit(.replace, path.path(), value.inJSON) }
  /// If the text path has a value, replaces it with a Swift value:
  /// `json_replace("t"."a", '$.b', ?)`.
  public func jsonReplace(_ path: String, _ value: some Encodable) -> JSONEdit<QueryValue> {
    edit("json_replace", [jsonPath(path), jsonArgument(value)])
  }
  /// If the text path has a value, replaces it with an expression:
  /// `json_replace("t"."a", '$.b', "t"."c")`.
  public func jsonReplace<E: QueryExpression>(_ path: String, _ value: E) -> JSONEdit<QueryValue> {
    edit("json_replace", [jsonPath(path), value.inJSON])
  }

  /// Removes the members at the paths: `json_remove("t"."a", '$.b', '$.c')`.
  ///
  /// After the removal of a required member or of an enum's case, the document cannot be decoded.
  /// Follow with `jsonInsert(_:_:)` to put another value there.
  public func jsonRemove<each V>(
    _ path: repeat JSONKeyPath<Document, each V>
  ) -> JSONEdit<QueryValue> {
    var paths: [QueryFragment] = []
    for path in repeat each path { paths.append(path.fragment()) }
    return JSONEdit(function: "json_remove", document: document, changes: paths)
  }
  /// Removes the values at paths that are given as text: `json_remove("t"."a", '$.b', '$.c')`.
  @_disfavoredOverload
  public func jsonRemove(_ paths: String...) -> JSONEdit<QueryValue> {
    JSONEdit(function: "json_remove", document: document, changes: paths.map(jsonPath))
  }

  /// Merges a patch into the document (RFC 7396): `json_patch("t"."a", ?)`.
  ///
  /// Members that are null in the patch are removed. If the patch is a row with an enum, the enum's
  /// case replaces the document's.
  public func jsonPatch(_ patch: some Encodable) -> JSONEdit<QueryValue> {
    JSONEdit(
      function: "json_patch", document: document, changes: [QueryFragment(jsonPatchText(patch))])
  }
  /// Merges the patch of an expression into the document: `json_patch("t"."a", "t"."b")`.
  public func jsonPatch<E: QueryExpression>(_ patch: E) -> JSONEdit<QueryValue>
  where E.QueryValue: ColumnRepresentation, E.QueryValue.Unwrapped: JSONDocument {
    JSONEdit(function: "json_patch", document: document, changes: [patch.document])
  }
}
