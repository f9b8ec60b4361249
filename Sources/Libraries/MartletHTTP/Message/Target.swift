import MartletJSON

/// The path and query of a request (RFC 9112 section 3.2).
///
/// Escapes have been checked when the request was read: two digits each, no `%00`, and UTF-8 when
/// decoded.
public struct Target: Sendable {
  let storage: RequestStorage

  /// The target as it was sent, with the scheme and authority of an absolute form.
  public var raw: String { storage[storage.target].text }

  /// The segments of the path, each decoded once.
  ///
  /// `%2F` is a character of a segment and never a separator. `/` has no segments, `/a//b/` has
  /// four.
  public var segments: [String] { storage.segments.map { storage[$0].text } }

  /// The items of the query, in order. Repeated names stay.
  ///
  /// `a&b=` are two items with empty values. `+` is a space, as browsers write it.
  public var queryItems: [QueryItem] {
    storage.query.map { QueryItem.items(storage[$0]) } ?? []
  }
}

/// One decoded `name=value` of a query.
public struct QueryItem: Hashable, Sendable {
  /// The name before the first `=`.
  public var name: String
  /// The value after the first `=`. Empty if there is no `=`.
  public var value: String

  /// Makes an item from a decoded name and value.
  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }

  /// The item escaped for a query: every character except letters, digits and `-._~` is
  /// percent-encoded.
  public var encoded: String {
    "\(PercentEncoding.encode(name))=\(PercentEncoding.encode(value))"
  }

  /// The items of a query. Empty pieces between `&` are left out.
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

/// Percent-encoding (RFC 3986 section 2.1).
package enum PercentEncoding {
  /// A fault of an escape.
  enum Fault {
    /// A `%` without two hexadecimal digits after it.
    case digits
    /// `%00`.
    case nul
  }

  /// The first fault of an escape; `nil` if all are right.
  static func fault(_ bytes: UnsafeBufferPointer<UInt8>) -> Fault? {
    var place = 0
    while place < bytes.count {
      if bytes[place] == UInt8(ascii: "%") {
        guard place + 2 < bytes.count, let high = Grammar.hex(bytes[place + 1]),
          let low = Grammar.hex(bytes[place + 2])
        else { return .digits }
        if high | low == 0 { return .nul }
        place += 3
      } else {
        place += 1
      }
    }
    return nil
  }

  /// Escapes everything except unreserved characters (RFC 3986 section 2.3).
  package static func encode(_ text: String) -> String {
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

  /// The decoded text; `nil` if an escape is wrong or the result is not UTF-8.
  package static func decoded(_ text: String) -> String? {
    var text = text
    return text.withUTF8 { bytes -> String? in
      guard fault(bytes) == nil else { return nil }
      let decoded = ByteBuffer(capacity: bytes.count)
      decode(bytes, plusIsSpace: false, into: decoded)
      return isUTF8(decoded.bytes) ? decoded.bytes.text : nil
    }
  }

  /// Appends the decoded bytes. Text that is not an escape stays as it is.
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
