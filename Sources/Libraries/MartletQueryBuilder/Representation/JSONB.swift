/// The JSON text of JSONB bytes; `nil` if the bytes are not JSONB.
public func jsonText(ofJSONB bytes: [UInt8]) -> String? { JSONB.decode(bytes)?.text }

/// SQLite's binary JSON (https://sqlite.org/jsonb.html). Each element is a header and a payload.
/// The low four bits of the header's first byte are the type, the high four bits the size.
enum JSONB {
  private enum Kind: UInt8 {
    case null, yes, no, int, int5, float, float5, text, textJSON, text5, textRaw, array, object
  }

  static func encode(_ value: StoredJSON) -> [UInt8] {
    switch value {
    case .null: element(.null, [])
    case .bool(let value): element(value ? .yes : .no, [])
    case .int(let value): element(.int, Array(String(value).utf8))
    case .double(let value): element(.float, Array(String(value).utf8))
    case .string(let text): string(text)
    case .array(let values): element(.array, values.flatMap(encode))
    case .object(let members):
      element(
        .object, members.sorted { $0.key < $1.key }.flatMap { string($0.key) + encode($0.value) })
    }
  }

  private static func string(_ text: String) -> [UInt8] {
    let isPlain = text.utf8.allSatisfy {
      $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
    return element(isPlain ? .text : .textRaw, Array(text.utf8))
  }

  private static func element(_ kind: Kind, _ payload: [UInt8]) -> [UInt8] {
    let count = payload.count
    // A size up to 11 is in the first byte. Otherwise the first byte says how many bytes the size
    // has.
    let (code, width): (UInt8, Int) =
      switch count {
      case 0...11: (UInt8(count), 0)
      case 0...0xff: (12, 1)
      case 0...0xffff: (13, 2)
      default: (14, 4)
      }
    let size = (0..<width).reversed().map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) }
    return [code << 4 | kind.rawValue] + size + payload
  }

  /// The greatest depth of nested arrays and objects.
  ///
  /// Each level takes stack space here and in the code that walks the value. This depth fits into
  /// 512 KiB, the stack of a secondary thread, even without optimization.
  static let greatestDepth = 128

  /// Decodes bytes; `nil` if they are not JSONB or nested deeper than ``greatestDepth``.
  static func decode(_ bytes: [UInt8]) -> StoredJSON? {
    var rest = bytes[...]
    guard let value = next(&rest, depth: 0), rest.isEmpty else { return nil }
    return value
  }

  private static func next(_ bytes: inout ArraySlice<UInt8>, depth: Int) -> StoredJSON? {
    guard let first = bytes.popFirst(), let kind = Kind(rawValue: first & 15) else { return nil }
    var count = Int(first >> 4)
    if count > 11 {
      let width = 1 << (count - 12)
      guard bytes.count >= width else { return nil }
      let size = bytes.prefix(width).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      bytes = bytes.dropFirst(width)
      guard let exact = Int(exactly: size) else { return nil }
      count = exact
    }
    guard bytes.count >= count else { return nil }
    let payload = bytes.prefix(count)
    bytes = bytes.dropFirst(count)
    switch kind {
    case .null: return .null
    case .yes: return .bool(true)
    case .no: return .bool(false)
    case .array, .object:
      guard depth < greatestDepth, let elements = elements(payload, depth: depth + 1) else {
        return nil
      }
      return kind == .array ? .array(elements) : object(elements)
    default: return scalar(kind, String(decoding: payload, as: UTF8.self))
    }
  }

  private static func scalar(_ kind: Kind, _ text: String) -> StoredJSON? {
    switch kind {
    case .int: return Int64(text).map(StoredJSON.int) ?? Double(text).map(StoredJSON.double)
    case .int5: return hexadecimal(text).map(StoredJSON.int)
    case .float, .float5: return Double(text).map(StoredJSON.double)
    case .text, .textRaw: return .string(text)
    case .textJSON: return StoredJSON(text: "\"\(text)\"")
    case .text5: return JSON5Text.unescaped(text).map(StoredJSON.string)
    case .null, .yes, .no, .array, .object: return nil
    }
  }

  private static func object(_ elements: [StoredJSON]) -> StoredJSON? {
    guard elements.count.isMultiple(of: 2) else { return nil }
    var members: [String: StoredJSON] = [:]
    for index in stride(from: 0, to: elements.count, by: 2) {
      guard case .string(let name) = elements[index] else { return nil }
      members[name] = elements[index + 1]
    }
    return .object(members)
  }

  private static func elements(_ payload: ArraySlice<UInt8>, depth: Int) -> [StoredJSON]? {
    var rest = payload
    var elements: [StoredJSON] = []
    while !rest.isEmpty {
      guard let element = next(&rest, depth: depth) else { return nil }
      elements.append(element)
    }
    return elements
  }

  private static func hexadecimal(_ text: String) -> Int64? {
    let isNegative = text.hasPrefix("-")
    let digits = text.drop { $0 == "-" || $0 == "+" }.dropFirst(2)
    return Int64((isNegative ? "-" : "") + digits, radix: 16)
  }
}

/// Text with the escapes of JSON5 (https://spec.json5.org/#strings).
enum JSON5Text {
  static func unescaped(_ text: String) -> String? {
    var units: [UInt16] = []
    var rest = Array(text.utf16)[...]
    while let unit = rest.popFirst() {
      guard unit == UInt16(ascii: "\\") else {
        units.append(unit)
        continue
      }
      guard let escape = rest.popFirst() else { return nil }
      switch Unicode.Scalar(escape) {
      case "n": units.append(10)
      case "r": units.append(13)
      case "t": units.append(9)
      case "b": units.append(8)
      case "f": units.append(12)
      case "v": units.append(11)
      case "0": units.append(0)
      case "x", "u":
        let width = escape == UInt16(ascii: "x") ? 2 : 4
        let digits = String(decoding: rest.prefix(width), as: UTF16.self)
        guard digits.utf16.count == width, let unit = UInt16(digits, radix: 16) else { return nil }
        units.append(unit)
        rest = rest.dropFirst(width)
      // A backslash before a line break continues the line.
      case "\n", "\u{2028}", "\u{2029}": continue
      case "\r": if rest.first == 10 { rest = rest.dropFirst() }
      default: units.append(escape)
      }
    }
    return String(decoding: units, as: UTF16.self)
  }
}

extension UInt16 {
  fileprivate init(ascii scalar: Unicode.Scalar) { self = UInt16(scalar.value) }
}
