/// A syntax error in a JSON text, with its position.
public struct JSONError: Error, Hashable, Sendable {
  /// The expected text at the position: `a value`, `',' or '}'`, …
  public let expected: String
  /// The found text, shortened and safe for logs: `'}'`, `the byte 0xFF`, `the end`.
  public let found: String
  /// The position in bytes, from 0.
  public let offset: Int
  /// The line, from 1. Lines end with a line feed.
  public let line: Int
  /// The position in the line in Unicode scalars, from 1.
  public let column: Int

  init(expected: String, at offset: Int, in bytes: UnsafeBufferPointer<UInt8>) {
    self.expected = expected
    self.offset = offset
    found = JSONError.describe(UnsafeBufferPointer(rebasing: bytes[offset...]))
    var line = 1
    var column = 1
    for byte in bytes[..<offset] {
      if byte == 0x0A {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    self.line = line
    self.column = column
  }

  /// The first character, in a form that is safe for logs and responses.
  private static func describe(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    guard let first = bytes.first else { return "the end" }
    switch first {
    case 0x20..<0x7F:
      return "'\(Unicode.Scalar(first))'"
    case ..<0x80:
      return "the control character U+00\(hex(first))"
    default:
      let length = UTF8Check.sequenceLength(bytes, at: 0)
      guard length > 0 else { return "the byte 0x\(hex(first))" }
      let scalar = String(decoding: bytes[..<length], as: UTF8.self).unicodeScalars.first!
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return "U+\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)"
    }
  }

  private static func hex(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }
}

extension JSONError: CustomStringConvertible {
  public var description: String {
    "expected \(expected), found \(found) at line \(line), column \(column)"
  }
}
