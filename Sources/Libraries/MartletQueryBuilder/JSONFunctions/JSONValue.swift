/// An expression as a value in JSON.
///
/// JSON text is not quoted again, Booleans are `true` and `false`, and bytes are hexadecimal text.
/// SQLite writes a REAL with fifteen digits.
func jsonValue(_ fragment: QueryFragment, _ kind: ColumnKind) -> QueryFragment {
  switch kind {
  case .json: "json(\(fragment))"
  case .jsonb: "json(\(fragment.requiring("json() of JSONB", since: 3, 45)))"
  case .boolean: "json(CASE \(fragment) WHEN 0 THEN 'false' WHEN 1 THEN 'true' END)"
  case .blob: "CASE WHEN \(fragment) IS NOT NULL THEN hex(\(fragment)) END"
  case .stored: "CASE typeof(\(fragment)) WHEN 'blob' THEN hex(\(fragment)) ELSE \(fragment) END"
  case .integer, .real, .text, .instant, .labels, .marked, .row, .hidden: fragment
  }
}

extension QueryExpressible {
  var inJSON: QueryFragment { jsonValue(queryFragment, QueryValue.kind) }
}

/// A Swift value as an argument of a JSON function, in the given representation.
func jsonArgument<V: QueryRepresentable>(
  _ value: V.QueryOutput, as type: V.Type
) -> QueryFragment {
  if let column = V.self as? any ColumnRepresentation<V.QueryOutput>.Type {
    return jsonArgument(value, column: column)
  }
  // A group of columns that is `nil`.
  guard let row = value as? any Table else { return QueryFragment(.null) }
  return jsonArgument(StoredJSON(row: row), of: V.QueryOutput.self)
}
private func jsonArgument<C: ColumnRepresentation<V>, V>(
  _ value: V, column: C.Type
) -> QueryFragment { jsonArgument(C.bind(value), C.kind, of: V.self) }
private func jsonArgument<C: QueryBindable>(_ value: Any, bound type: C.Type) -> QueryFragment? {
  (value as? C).map { jsonArgument($0.queryBinding, C.kind, of: C.self) }
}
private func jsonArgument<V>(
  _ binding: QueryBinding, _ kind: ColumnKind, of type: V.Type
) -> QueryFragment {
  switch (binding, kind) {
  case (.null, _), (.invalid, _): QueryFragment(binding)
  // Numbers and texts are the same in SQL and JSON. A REAL would lose digits.
  case (_, .integer), (_, .text), (_, .instant), (_, .labels): QueryFragment(binding)
  default: jsonArgument(StoredJSON(binding, kind: kind), of: V.self)
  }
}
private func jsonArgument<V>(_ json: StoredJSON?, of type: V.Type) -> QueryFragment {
  guard let text = json?.text else {
    return QueryFragment(.invalid(reason: "\(typeName(V.self)) cannot be represented in JSON"))
  }
  return "json(\(QueryFragment(.text(text))))"
}

/// A Swift value as an argument of a JSON function, in the representation of its type.
func jsonArgument<V: Encodable>(_ value: V) -> QueryFragment {
  if let type = V.self as? any QueryBindable.Type, let bound = jsonArgument(value, bound: type) {
    return bound
  }
  return "json(\(QueryFragment(jsonText(value))))"
}

/// A Swift value as an element of an array with the given representation.
func jsonElement<V: Encodable, D: JSONDocument>(_ value: V, of array: D.Type) -> QueryFragment {
  if let elements = D.self as? any ElementsOfJSON.Type {
    return jsonArgument(elements.stored(element: value), of: V.self)
  }
  return jsonArgument(value)
}

/// An array whose elements have their own representation.
protocol ElementsOfJSON {
  static func stored(element: Any) -> StoredJSON?
}
extension JSONArray: ElementsOfJSON {
  static func stored(element: Any) -> StoredJSON? {
    (element as? Element.QueryOutput).flatMap(stored)
  }
}
extension JSONBinary: ElementsOfJSON where Text: ElementsOfJSON {
  static func stored(element: Any) -> StoredJSON? { Text.stored(element: element) }
}

/// The columns as a JSON object: `json_object('id', "t"."id", …)`.
///
/// A group of columns is an object in it, or `null` if the group is optional and all of its columns
/// are NULL.
func jsonObject(_ columns: ArraySlice<SelectedColumn>, depth: Int = 0) -> QueryFragment {
  var members: [QueryFragment] = []
  var rest = columns
  while let column = rest.first {
    guard column.result.groups.count > depth else {
      let value = jsonValue(column.fragment, column.result.kind)
      members.append("\(raw: quoted(literal: column.result.name)), \(value)")
      rest = rest.dropFirst()
      continue
    }
    let group = column.result.groups[depth]
    let part = rest.prefix { $0.result.groups.count > depth && $0.result.groups[depth] == group }
    var object = jsonObject(part, depth: depth + 1)
    if group.isOptional {
      let isThere = part.map { "\($0.fragment) IS NOT NULL" as QueryFragment }.joined(" OR ")
      object = "CASE WHEN \(isThere) THEN \(object) END"
    }
    members.append("\(raw: quoted(literal: group.name)), \(object)")
    rest = rest.dropFirst(part.count)
  }
  return "json_object(\(members.joined(", ")))"
}

/// A row as a JSON object in one column.
public struct JSONRowObject<Row: Table>: JSONDocument {
  public var queryOutput: Row
  public init(queryOutput: Row) { self.queryOutput = queryOutput }
  public static var kind: ColumnKind { .json }
  public static func bind(_ value: Row) -> QueryBinding {
    guard let text = StoredJSON(row: value)?.text else {
      return .invalid(reason: "\(typeName(Row.self)) cannot be represented in JSON")
    }
    return .text(text)
  }
  public static func decode(_ row: inout RowReader) throws(DecodingProblem) -> Row {
    let place = row.place
    let text = try row.string()
    if let json = StoredJSON(text: text), let value = try? Row.decode(json: json) { return value }
    throw row.problem("\(typeName(Row.self)) as JSON", at: place)
  }
}

/// A JSON array in one column, whose elements are read and written in their own representation.
public struct JSONArray<Element: QueryRepresentable>: JSONDocument {
  public var queryOutput: [Element.QueryOutput]
  public init(queryOutput: [Element.QueryOutput]) { self.queryOutput = queryOutput }
  public static var kind: ColumnKind { .json }
  public static func bind(_ values: [Element.QueryOutput]) -> QueryBinding {
    var elements: [StoredJSON] = []
    for value in values {
      guard let element = stored(value) else {
        return .invalid(reason: "\(typeName(Element.QueryOutput.self)) cannot be encoded as JSON")
      }
      elements.append(element)
    }
    return StoredJSON.array(elements).text.map(QueryBinding.text)
      ?? .invalid(reason: "\(typeName(Element.QueryOutput.self)) cannot be represented in JSON")
  }
  public static func decode(
    _ row: inout RowReader
  ) throws(DecodingProblem) -> [Element.QueryOutput] {
    let place = row.place
    let text = try row.string()
    // An aggregate of no rows, as many rows have it.
    if text == "[]" { return [] }
    if case .array(let elements)? = StoredJSON(text: text),
      let values = decoded(elements)
    {
      return values
    }
    throw row.problem("\(typeName([Element.QueryOutput].self)) as JSON", at: place)
  }

  private static func decoded(_ elements: [StoredJSON]) -> [Element.QueryOutput]? {
    do throws(DecodingProblem) {
      var values: [Element.QueryOutput] = []
      for element in elements { values.append(try Element.decode(json: element)) }
      return values
    } catch { return nil }
  }

  private static func stored(_ value: Element.QueryOutput) -> StoredJSON? {
    if let column = Element.self as? any ColumnRepresentation<Element.QueryOutput>.Type {
      return stored(value, as: column)
    }
    return (value as? any Table).flatMap { StoredJSON(row: $0) }
  }
  private static func stored<C: ColumnRepresentation<Element.QueryOutput>>(
    _ value: Element.QueryOutput, as column: C.Type
  ) -> StoredJSON? { StoredJSON(C.bind(value), kind: C.kind) }
}
