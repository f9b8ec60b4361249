/// An expression as a value in JSON: text that is JSON is not quoted twice, booleans are `true` and
/// `false`, and bytes, which JSON has not, hexadecimal text. SQLite gives a REAL fifteen digits.
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

/// A Swift value as an argument of a JSON function.
func jsonArgument(_ value: some Encodable) -> QueryFragment {
  if let scalar = value as? any QueryBindable {
    switch type(of: scalar).kind {
    case .integer, .real, .text: return scalar.queryFragment
    default: break
    }
  }
  return "json(\(QueryFragment(jsonText(value))))"
}

/// `json_object('id', "t"."id", …)`, a group of columns as an object in it.
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
    members.append("\(raw: quoted(literal: group)), \(jsonObject(part, depth: depth + 1))")
    rest = rest.dropFirst(part.count)
  }
  return "json_object(\(members.joined(", ")))"
}

/// A row as a JSON object in one column.
public struct JSONObject<Row: Table>: JSONDocument {
  public var queryOutput: Row
  public init(queryOutput: Row) { self.queryOutput = queryOutput }
  public static var kind: ColumnKind { .json }
  public static func bind(_ value: Row) -> QueryBinding {
    guard let text = StoredJSON(row: value)?.text else {
      return .invalid(reason: "\(typeName(Row.self)) holds what JSON cannot say")
    }
    return .text(text)
  }
  public static func decode(_ row: inout RowReader) throws(DecodingProblem) -> Row {
    let problem = row.problem("\(typeName(Row.self)) as JSON")
    guard let json = StoredJSON(text: try row.string()) else { throw problem }
    do throws(DecodingProblem) { return try Row.decode(json: json) } catch { throw problem }
  }
}

/// A JSON array in one column, read as an array of its elements' stored values.
///
/// The element's own representation says how a JSON value becomes a Swift one.
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
      ?? .invalid(reason: "\(typeName(Element.QueryOutput.self)) holds what JSON cannot say")
  }
  public static func decode(
    _ row: inout RowReader
  ) throws(DecodingProblem) -> [Element.QueryOutput] {
    let problem = row.problem("\(typeName([Element.QueryOutput].self)) as JSON")
    guard case .array(let elements)? = StoredJSON(text: try row.string()) else { throw problem }
    var values: [Element.QueryOutput] = []
    do throws(DecodingProblem) {
      for element in elements { values.append(try Element.decode(json: element)) }
    } catch { throw problem }
    return values
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
