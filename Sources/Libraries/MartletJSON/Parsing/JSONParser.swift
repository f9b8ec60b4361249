extension JSONValue {
  /// The maximum nesting depth of arrays and objects, which no `depthLimit` exceeds.
  ///
  /// Each level uses stack, in the parser and in every walk over the tree. 128 levels fit into the
  /// 512 KiB that a secondary thread can have, even without optimization.
  public static let greatestDepth = 128

  /// Parses a JSON text strictly according to RFC 8259: UTF-8 without a byte order mark, and no
  /// unpaired surrogates, trailing commas or control characters in strings.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - depthLimit: The maximum nesting depth of arrays and objects, at most ``greatestDepth``.
  /// - Throws: A ``JSONError`` with the position of the first error.
  package static func parse(
    _ bytes: UnsafeBufferPointer<UInt8>, depthLimit: Int = 64
  ) throws(JSONError) -> JSONValue {
    var parser = JSONParser(bytes, depthLimit: depthLimit)
    return try parser.document()
  }

  /// Parses a JSON text in UTF-8 strictly according to RFC 8259: without a byte order mark, and
  /// without unpaired surrogates, trailing commas or control characters in strings.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - depthLimit: The maximum nesting depth of arrays and objects, at most ``greatestDepth``.
  /// - Throws: A ``JSONError`` with the position of the first error.
  public static func parse(
    _ bytes: [UInt8], depthLimit: Int = 64
  ) throws(JSONError) -> JSONValue {
    let result: Result<JSONValue, JSONError> = bytes.withUnsafeBufferPointer { bytes in
      do throws(JSONError) {
        return .success(try parse(bytes, depthLimit: depthLimit))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Parses a JSON text in a string, with the same rules.
  public static func parse(_ text: String, depthLimit: Int = 64) throws(JSONError) -> JSONValue {
    try parse(Array(text.utf8), depthLimit: depthLimit)
  }
}

/// A recursive-descent parser. It checks the depth before each descent.
struct JSONParser {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let depthLimit: Int
  private var at = 0
  private var depth = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>, depthLimit: Int) {
    self.bytes = bytes
    self.depthLimit = min(depthLimit, JSONValue.greatestDepth)
  }

  mutating func document() throws(JSONError) -> JSONValue {
    skipSpace()
    let value = try value("a value")
    skipSpace()
    guard at == bytes.count else { throw problem("nothing after the value") }
    return value
  }

  private func problem(_ expected: String, at place: Int? = nil) -> JSONError {
    JSONError(expected: expected, at: place ?? at, in: bytes)
  }

  private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { at += 1 }
  }

  private mutating func skip(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    at += 1
    return true
  }

  private mutating func value(_ expected: String) throws(JSONError) -> JSONValue {
    switch next {
    case UInt8(ascii: "\""):
      return .string(try string())
    case UInt8(ascii: "{"):
      try descend()
      defer { depth -= 1 }
      return .object(try object())
    case UInt8(ascii: "["):
      try descend()
      defer { depth -= 1 }
      return .array(try array())
    case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")):
      return try number()
    case UInt8(ascii: "t"):
      try literal("true")
      return .bool(true)
    case UInt8(ascii: "f"):
      try literal("false")
      return .bool(false)
    case UInt8(ascii: "n"):
      try literal("null")
      return .null
    default:
      throw problem(expected)
    }
  }

  private mutating func descend() throws(JSONError) {
    guard depth < depthLimit else {
      throw problem("at most \(depthLimit) levels of nesting")
    }
    depth += 1
    at += 1
  }

  private mutating func array() throws(JSONError) -> [JSONValue] {
    var elements: [JSONValue] = []
    skipSpace()
    if skip(UInt8(ascii: "]")) { return elements }
    while true {
      elements.append(try value(elements.isEmpty ? "a value or ']'" : "a value"))
      skipSpace()
      if skip(UInt8(ascii: "]")) { return elements }
      guard skip(UInt8(ascii: ",")) else { throw problem("',' or ']'") }
      skipSpace()
    }
  }

  private mutating func object() throws(JSONError) -> JSONObject {
    var members: [JSONObject.Member] = []
    skipSpace()
    if skip(UInt8(ascii: "}")) { return JSONObject(members: members) }
    while true {
      guard next == UInt8(ascii: "\"") else {
        throw problem(members.isEmpty ? "a member's name or '}'" : "a member's name")
      }
      let name = try string()
      skipSpace()
      guard skip(UInt8(ascii: ":")) else { throw problem("':'") }
      skipSpace()
      members.append(JSONObject.Member(name: name, value: try value("a value")))
      skipSpace()
      if skip(UInt8(ascii: "}")) { return JSONObject(members: members) }
      guard skip(UInt8(ascii: ",")) else { throw problem("',' or '}'") }
      skipSpace()
    }
  }

  private mutating func literal(_ word: StaticString) throws(JSONError) {
    for place in 0..<word.utf8CodeUnitCount {
      guard next == word.utf8Start[place] else { throw problem("'\(word)'") }
      at += 1
    }
  }

  private mutating func number() throws(JSONError) -> JSONValue {
    let start = at
    if let expected = NumberGrammar.scan(bytes, from: &at) { throw problem(expected) }
    let digits = bytes[start..<at]
    if let value = JSONParser.integer(digits) { return .integer(value) }
    return .number(JSONNumber(unchecked: String(decoding: digits, as: UTF8.self)))
  }

  /// The value of an optional sign and digits. Returns `nil` for other text, for `-0` and for
  /// values out of range.
  private static func integer(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Int64? {
    // A 64-bit integer has at most nineteen digits and a sign.
    guard digits.count <= 20 else { return nil }
    let isNegative = digits.first == UInt8(ascii: "-")
    var value: Int64 = 0
    for byte in isNegative ? digits.dropFirst() : digits {
      let digit = byte &- 0x30
      guard digit < 10 else { return nil }
      let (tenfold, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflowToo) =
        isNegative
        ? tenfold.subtractingReportingOverflow(Int64(digit))
        : tenfold.addingReportingOverflow(Int64(digit))
      guard !overflow, !overflowToo else { return nil }
      value = sum
    }
    return isNegative && value == 0 ? nil : value
  }

  /// Parses from the opening quote past the closing one.
  private mutating func string() throws(JSONError) -> String {
    at += 1
    let start = at
    let hasEscapes = try skipToQuote()
    let raw = UnsafeBufferPointer(rebasing: bytes[start..<at])
    // Escape sequences are ASCII and do not affect the validity of the bytes around them.
    if let fault = UTF8Check.firstFault(raw) { throw problem("UTF-8", at: start + fault) }
    let text =
      hasEscapes
      ? try unescape(raw, from: start) : String(decoding: raw, as: UTF8.self)
    at += 1
    return text
  }

  /// Stops at the closing quote. Returns whether the string contains a backslash.
  private mutating func skipToQuote() throws(JSONError) -> Bool {
    guard let base = bytes.baseAddress else { throw problem("'\"'") }
    var hasEscapes = false
    while true {
      while bytes.count - at >= 8 {
        let marks = StringScan.marks(StringScan.word(at: base + at))
        guard marks == 0 else {
          at += marks.trailingZeroBitCount / 8
          break
        }
        at += 8
      }
      while at < bytes.count, !StringScan.isSpecial(base[at]) { at += 1 }
      switch next {
      case UInt8(ascii: "\""):
        return hasEscapes
      case UInt8(ascii: "\\"):
        hasEscapes = true
        // The escape is decoded later. An escaped quote must not end the string.
        at = min(at + 2, bytes.count)
      case nil:
        throw problem("'\"' at the end of the string")
      default:
        throw problem("an escape such as \\n in place of a control character")
      }
    }
  }

  private func unescape(
    _ raw: UnsafeBufferPointer<UInt8>, from start: Int
  ) throws(JSONError) -> String {
    var decoder = EscapeDecoder(raw)
    // An escape sequence is never shorter than the character it encodes.
    let text = String(unsafeUninitializedCapacity: raw.count) { decoder.decode(to: $0) }
    if let fault = decoder.fault { throw problem(fault.expected, at: start + fault.offset) }
    return text
  }
}
