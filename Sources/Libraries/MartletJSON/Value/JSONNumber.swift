/// A JSON number as its text, which keeps every digit and any exponent without computing the value.
/// Two numbers are equal if their texts are.
public struct JSONNumber: Hashable, Sendable {
  /// The text, which follows the grammar of RFC 8259 section 6.
  public let text: String

  /// Returns `nil` unless `text` is a JSON number.
  public init?(_ text: String) {
    var copy = text
    let end = copy.withUTF8 { bytes in
      var at = 0
      return NumberGrammar.scan(bytes, from: &at) == nil ? at : nil
    }
    guard end == text.utf8.count else { return nil }
    self.text = text
  }

  /// Returns `nil` for infinities and NaN, which JSON does not have.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    text = value.description
  }

  init(unchecked text: String) {
    self.text = text
  }

  /// The nearest `Double`: infinite above its range, zero below it.
  public var double: Double {
    // JSON's grammar is a subset of Swift's, so the conversion always succeeds.
    Double(text) ?? .nan
  }

  /// The exact value if it is a whole number that fits in 64 bits, or `nil`.
  ///
  /// It is computed from the digits, so that a huge exponent costs nothing.
  public var int64: Int64? {
    var digits: [UInt8] = []
    var scale = 0
    var isNegative = false
    var exponent = 0
    var exponentIsNegative = false
    var part = Part.integer
    for byte in text.utf8 {
      switch (byte, part) {
      case (UInt8(ascii: "-"), .integer): isNegative = true
      case (UInt8(ascii: "-"), _): exponentIsNegative = true
      case (UInt8(ascii: "+"), _): continue
      case (UInt8(ascii: "."), _): part = .fraction
      case (UInt8(ascii: "e"), _), (UInt8(ascii: "E"), _): part = .exponent
      case (_, .exponent):
        // Larger exponents make no difference, since no text is that long.
        exponent = min(exponent * 10 + Int(byte &- 0x30), 1 << 40)
      default:
        if part == .fraction { scale -= 1 }
        if byte != UInt8(ascii: "0") || !digits.isEmpty { digits.append(byte &- 0x30) }
      }
    }
    scale += exponentIsNegative ? -exponent : exponent
    while digits.last == 0 {
      digits.removeLast()
      scale += 1
    }
    if digits.isEmpty { return 0 }
    guard scale >= 0, digits.count + scale <= 19 else { return nil }
    var value: Int64 = 0
    for digit in digits + [UInt8](repeating: 0, count: scale) {
      let (tenfold, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflowToo) =
        isNegative
        ? tenfold.subtractingReportingOverflow(Int64(digit))
        : tenfold.addingReportingOverflow(Int64(digit))
      if overflow || overflowToo { return nil }
      value = sum
    }
    return value
  }

  private enum Part { case integer, fraction, exponent }
}

/// The grammar of numbers, RFC 8259 section 6: `[ minus ] int [ frac ] [ exp ]`.
enum NumberGrammar {
  /// Advances `at` past the number that starts there. On an error, `at` is its position and the
  /// return value what was expected.
  static func scan(_ bytes: UnsafeBufferPointer<UInt8>, from at: inout Int) -> String? {
    func isDigit() -> Bool { at < bytes.count && bytes[at] &- 0x30 < 10 }
    func skip(_ first: UInt8, or second: UInt8) -> Bool {
      guard at < bytes.count, bytes[at] == first || bytes[at] == second else { return false }
      at += 1
      return true
    }
    _ = skip(UInt8(ascii: "-"), or: UInt8(ascii: "-"))
    guard isDigit() else { return "a digit" }
    if bytes[at] == UInt8(ascii: "0") {
      at += 1
      if isDigit() { return "no digit after a leading zero" }
    } else {
      while isDigit() { at += 1 }
    }
    if skip(UInt8(ascii: "."), or: UInt8(ascii: ".")) {
      guard isDigit() else { return "a digit after the point" }
      while isDigit() { at += 1 }
    }
    if skip(UInt8(ascii: "e"), or: UInt8(ascii: "E")) {
      _ = skip(UInt8(ascii: "+"), or: UInt8(ascii: "-"))
      guard isDigit() else { return "a digit in the exponent" }
      while isDigit() { at += 1 }
    }
    return nil
  }
}
