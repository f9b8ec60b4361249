import FoundationEssentials

/// A JSON value: the intermediate form between JSON text, JSONB, and rows that are read from
/// objects.
enum StoredJSON: Codable, Equatable, Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  case double(Double)
  case string(String)
  case array([StoredJSON])
  case object([String: StoredJSON])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    // The most frequent types first, because each wrong guess throws an error.
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([StoredJSON].self) {
      self = .array(value)
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .int(value)
    } else if let value = try? container.decode(Double.self) {
      self = .double(value)
    } else {
      self = .object(try container.decode([String: StoredJSON].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .int(let value): try container.encode(value)
    case .double(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }

  init?(text: String) {
    if let texts = StoredJSON.plainTexts(text) {
      self = .array(texts)
      return
    }
    guard let value = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else {
      return nil
    }
    self = value
  }

  /// The elements of an array of texts without spaces and escapes, as SQLite writes most arrays;
  /// `nil` for any other text.
  private static func plainTexts(_ text: String) -> [StoredJSON]? {
    var rest = text.utf8[...]
    guard rest.popFirst() == UInt8(ascii: "["), rest.popLast() == UInt8(ascii: "]") else {
      return nil
    }
    var texts: [StoredJSON] = []
    while rest.popFirst() == UInt8(ascii: "\"") {
      let end = rest.firstIndex {
        $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\")
      }
      guard let end, rest[end] == UInt8(ascii: "\"") else { return nil }
      texts.append(.string(String(Substring(rest[..<end]))))
      rest = rest[rest.index(after: end)...]
      guard let next = rest.popFirst() else { return texts }
      guard next == UInt8(ascii: ",") else { return nil }
    }
    return nil
  }

  /// The JSON text; `nil` if the value contains an infinite number, which JSON does not have.
  var text: String? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) }
  }
}
