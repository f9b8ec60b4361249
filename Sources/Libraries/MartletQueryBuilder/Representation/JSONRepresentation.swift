import FoundationEssentials

/// A value stored as JSON in one column, for SQLite's JSON functions
/// (https://sqlite.org/json1.html).
public protocol JSONDocument: ForeignRepresentation {
  /// The representation of the same value as JSONB.
  associatedtype Binary: JSONDocument = JSONBinary<Self> where Binary.QueryOutput == QueryOutput
  /// Whether the document is stored as JSONB, which SQLite's functions read from version 3.45 on.
  static var isBinary: Bool { get }
}

extension JSONDocument {
  /// `false`: the document is stored as text.
  public static var isBinary: Bool { false }
}

/// A `Codable` value in one column, as JSON text: `@Column(as: [String].JSONRepresentation.self)`.
///
/// A `Date` in it is the same text as in a column of its own. Rows (`@Table`, `@Selection`), and
/// arrays and dictionaries of rows, have members with their columns' names and representations,
/// like the results of SQLite's functions, so that key paths into the document find them.
public struct CodableJSONRepresentation<Value: Codable>: JSONDocument {
  public var queryOutput: Value
  public init(queryOutput: Value) { self.queryOutput = queryOutput }
  public static var kind: ColumnKind { .json }

  public static func bind(_ value: Value) -> QueryBinding { jsonText(value) }

  public static func decode(_ row: inout RowReader) throws(DecodingProblem) -> Value {
    let place = row.place
    if let value = jsonValue(Value.self, try row.string()) { return value }
    throw row.problem("\(typeName(Value.self)) as JSON", at: place)
  }
}

extension Decodable where Self: Encodable {
  /// The representation of the value as JSON text in one column.
  public typealias JSONRepresentation = CodableJSONRepresentation<Self>
}

/// Representations of optional values: `nil` is NULL, not JSON's `null`.
extension Optional where Wrapped: Codable {
  /// The representation of the value as JSON text in one column, or NULL.
  public typealias JSONRepresentation = CodableJSONRepresentation<Wrapped>?
  /// The representation of the value as JSONB in one column, or NULL.
  public typealias JSONBRepresentation = JSONBinary<CodableJSONRepresentation<Wrapped>>?
}

func jsonText<V: Encodable>(_ value: V) -> QueryBinding {
  if RowDocument.reads(V.self) {
    return RowDocument.stored(value)?.text.map(QueryBinding.text)
      ?? .invalid(reason: "\(typeName(V.self)) cannot be represented in JSON")
  }
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  encoder.dateEncodingStrategy = .custom { date, encoder in
    var container = encoder.singleValueContainer()
    try container.encode(date.sqliteText)
  }
  do {
    return .text(String(decoding: try encoder.encode(value), as: UTF8.self))
  } catch {
    return .invalid(reason: "\(typeName(type(of: value))) cannot be encoded as JSON: \(error)")
  }
}

/// A type with an empty value for the JSON text `[]`, which many rows have.
private protocol EmptyJSON { init() }
extension Array: EmptyJSON {}

/// Decodes JSON text; `nil` if it is not valid for the type. The caller reports the column.
func jsonValue<T: Decodable>(_ type: T.Type, _ text: String) -> T? {
  if text == "[]", let type = T.self as? any EmptyJSON.Type { return type.init() as? T }
  if RowDocument.reads(type) {
    return StoredJSON(text: text).flatMap { RowDocument.read($0, as: type) }
  }
  let decoder = JSONDecoder()
  decoder.dateDecodingStrategy = .custom { decoder in
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let date = Date(sqliteText: text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(text) is no date")
    }
    return date
  }
  return try? decoder.decode(type, from: Data(text.utf8))
}
