import MartletJSON

/// The path and query of a request (RFC 9112 section 3.2).
///
/// Escapes were checked when the request was read: two digits each, no `%00`, UTF-8 when decoded.
public struct Target: Sendable {
  let storage: RequestStorage

  /// What was sent, an absolute form's scheme and authority too.
  public var raw: String { storage[storage.target].text }

  /// The path's segments, each decoded once: `%2F` is a character of a segment, never a separator.
  /// `/` has none, `/a//b/` has four.
  public var segments: [String] { storage.segments.map { storage[$0].text } }

  /// The query's items in order; repeated names stay. `a&b=` are two items with empty values. `+`
  /// is a space, as browsers write it.
  public var queryItems: [QueryItem] {
    storage.query.map { QueryItem.items(storage[$0]) } ?? []
  }
}

/// One `name=value` of a query, decoded.
public struct QueryItem: Hashable, Sendable {
  public var name: String
  public var value: String

  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }

  /// The item as a query says it: what is neither a letter, a digit nor one of `-._~` is escaped.
  public var encoded: String {
    "\(PercentEncoding.encode(name))=\(PercentEncoding.encode(value))"
  }

  /// The items of a query; empty pieces between `&` are left out.
  package static func items(_ query: UnsafeBufferPointer<UInt8>) -> [QueryItem] {
    var items: [QueryItem] = []
    let decoded = ByteBuffer(capacity: 64)
    var start = 0
    for place in 0...query.count where place == query.count || query[place] == UInt8(ascii: "&") {
      let piece = query[slice: start, place]
      start = place + 1
      guard piece.count > 0 else { continue }
      let equals = piece.firstIndex(of: UInt8(ascii: "=")) ?? piece.count
      let name = text(piece[slice: 0, equals], decoded)
      let value = equals < piece.count ? text(piece[slice: equals + 1, piece.count], decoded) : ""
      items.append(QueryItem(name: name, value: value))
    }
    return items
  }

  private static func text(_ bytes: UnsafeBufferPointer<UInt8>, _ decoded: ByteBuffer) -> String {
    decoded.removeAll()
    PercentEncoding.decode(bytes, plusIsSpace: true, into: decoded)
    return decoded.bytes.text
  }
}

/// RFC 3986 section 2.1.
enum PercentEncoding {
  /// Whether each `%` has two digits behind it that do not mean NUL.
  static func isValid(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var place = 0
    while place < bytes.count {
      if bytes[place] == UInt8(ascii: "%") {
        guard place + 2 < bytes.count, let high = Grammar.hex(bytes[place + 1]),
          let low = Grammar.hex(bytes[place + 2]), high | low != 0
        else { return false }
        place += 3
      } else {
        place += 1
      }
    }
    return true
  }

  /// The text with everything but unreserved characters (section 2.3) escaped.
  static func encode(_ text: String) -> String {
    let bytes = ByteBuffer(capacity: text.utf8.count)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        bytes.append(byte)
      default:
        bytes.append(UInt8(ascii: "%"))
        for digit in [byte >> 4, byte & 15] {
          bytes.append(digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "A") - 10))
        }
      }
    }
    return bytes.bytes.text
  }

  /// Appends the decoded bytes; what is no escape stays as it is.
  static func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, plusIsSpace: Bool, into buffer: ByteBuffer
  ) {
    var place = 0
    while place < bytes.count {
      let byte = bytes[place]
      if byte == UInt8(ascii: "%"), place + 2 < bytes.count,
        let high = Grammar.hex(bytes[place + 1]), let low = Grammar.hex(bytes[place + 2])
      {
        buffer.append(high << 4 | low)
        place += 3
      } else {
        buffer.append(plusIsSpace && byte == UInt8(ascii: "+") ? 0x20 : byte)
        place += 1
      }
    }
  }

  static func isUTF8(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    (try? UTF8Span(validating: bytes.span)) != nil
  }
}
