/// A document in one column as JSONB: `@Column(as: [String].JSONBRepresentation.self)`.
///
/// This module encodes and decodes the format itself (https://sqlite.org/jsonb.html), so the column
/// works with every version of SQLite. SQLite's own JSON functions read JSONB from version 3.45 on.
public struct JSONBinary<Text: JSONDocument>: JSONDocument {
  public var queryOutput: Text.QueryOutput
  public init(queryOutput: Text.QueryOutput) { self.queryOutput = queryOutput }
  /// JSONB is its own binary form.
  public typealias Binary = Self
  public static var kind: ColumnKind { .jsonb }
  /// `true`: SQLite's functions need version 3.45 to read it.
  public static var isBinary: Bool { true }

  public static func bind(_ value: Text.QueryOutput) -> QueryBinding {
    let binding = Text.bind(value)
    guard case .text(let text) = binding else { return binding }
    guard let json = StoredJSON(text: text) else {
      return .invalid(
        reason: "\(typeName(Text.QueryOutput.self)) gave text that is not JSON: \(text)")
    }
    return .blob(JSONB.encode(json))
  }

  public static func decode(
    _ row: inout RowReader
  ) throws(DecodingProblem) -> Text.QueryOutput {
    let place = row.place
    // A member of another document, and the result of `json(…)`, is text.
    if row.storageClass(at: row.column) == .text { return try Text.decode(&row) }
    let bytes = try row.blob()
    if let json = JSONB.decode(bytes), let value = try? Text.decode(json: json) { return value }
    throw row.problem("\(typeName(Text.QueryOutput.self)) as JSONB", at: place)
  }
}

extension Decodable where Self: Encodable {
  /// The representation of the value as JSONB in one column.
  public typealias JSONBRepresentation = JSONBinary<CodableJSONRepresentation<Self>>
}
