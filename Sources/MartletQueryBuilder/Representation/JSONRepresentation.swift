import FoundationEssentials

/// A representation as JSON in one column, which SQLite's JSON functions work on
/// (https://sqlite.org/json1.html).
public protocol JSONDocument: ForeignRepresentation {
  /// The same as JSONB.
  associatedtype Binary: JSONDocument = JSONBinary<Self> where Binary.QueryOutput == QueryOutput
  /// JSONB: only SQLite 3.45 and later reads it.
  static var isBinary: Bool { get }
}

extension JSONDocument {
  public static var isBinary: Bool { false }
}

/// A `Codable` value in one column, as JSON text: `@Column(as: [String].JSONRepresentation.self)`.
///
/// A `Date` in it is the text that it is in a column of its own. Rows (`@Table`, `@Selection`), arrays of
/// them and dictionaries have members by their columns' names and representations, as SQLite's functions make
/// them: so key paths into a document find what is in it.
public struct CodableJSONRepresentation<Value: Codable>: JSONDocument {
  public var queryOutput: Value
  public init(queryOutput: Value) { self.queryOutput = queryOutput }
  public static var kind: ColumnKind { .json }

  public static func bind(_ value: Value) -> QueryBinding { jsonText(value) }

  public static func decode(_ row: inout RowReader) throws(DecodingProblem) -> Value {
    let problem = row.problem("\(typeName(Value.self)) as JSON")
    let text = try row.string()
    guard let value = jsonValue(Value.self, text) else { throw problem }
    return value
  }
}

extension Decodable where Self: Encodable {
  public typealias JSONRepresentation = CodableJSONRepresentation<Self>
}

/// `nil` is NULL, not JSON's `null`.
extension Optional where Wrapped: Codable {
  public typealias JSONRepresentation = CodableJSONRepresentation<Wrapped>?
  public typealias JSONBRepresentation = JSONBinary<CodableJSONRepresentation<Wrapped>>?
}

func jsonText<V: Encodable>(_ value: V) -> QueryBinding {
  if RowDocument.reads(V.self) {
    return RowDocument.stored(value)?.text.map(QueryBinding.text)
      ?? .invalid(reason: "\(typeName(V.self)) holds what JSON cannot say")
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

/// `nil` where `text` is not JSON for a `type`: the caller names the column.
func jsonValue<T: Decodable>(_ type: T.Type, _ text: String) -> T? {
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
