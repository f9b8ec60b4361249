/// Decodes the content of a string that contains escape sequences (RFC 8259 section 7).
struct EscapeDecoder {
  private let raw: UnsafeBufferPointer<UInt8>
  private var at = 0
  /// The first error and its position in the raw bytes.
  private(set) var fault: (expected: String, offset: Int)?

  init(_ raw: UnsafeBufferPointer<UInt8>) {
    self.raw = raw
  }

  /// Decodes into `output`, which is as large as the raw bytes. Returns the number of bytes
  /// written, or 0 if there is a ``fault``.
  mutating func decode(to output: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var written = 0
    while at < raw.count {
      let byte = raw[at]
      guard byte == UInt8(ascii: "\\") else {
        output[written] = byte
        written += 1
        at += 1
        continue
      }
      if let simple = EscapeDecoder.simple(at + 1 < raw.count ? raw[at + 1] : 0) {
        output[written] = simple
        written += 1
        at += 2
        continue
      }
      guard let scalar = unicodeEscape() else { return 0 }
      for byte in UTF8.encode(scalar)! {
        output[written] = byte
        written += 1
      }
    }
    return written
  }

  private static func simple(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): byte
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: nil
    }
  }

  /// A `\uXXXX`, or two of them that form a surrogate pair.
  private mutating func unicodeEscape() -> Unicode.Scalar? {
    let start = at
    guard let first = codeUnit() else { return nil }
    switch first {
    case 0xD800...0xDBFF:
      let second = at
      guard at < raw.count, raw[at] == UInt8(ascii: "\\"), let low = codeUnit(),
        0xDC00...0xDFFF ~= low
      else {
        fault = ("the second half of a surrogate pair", second)
        return nil
      }
      return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (low - 0xDC00))
    case 0xDC00...0xDFFF:
      fault = ("the first half of a surrogate pair", start)
      return nil
    default:
      return Unicode.Scalar(first)
    }
  }

  /// The code unit of the `\uXXXX` at the current position.
  private mutating func codeUnit() -> UInt32? {
    guard at + 1 < raw.count, raw[at + 1] == UInt8(ascii: "u") else {
      fault = ("one of \" \\ / b f n r t u after a backslash", at + 1)
      return nil
    }
    at += 2
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard at < raw.count, let digit = EscapeDecoder.hexDigit(raw[at]) else {
        fault = ("four hexadecimal digits after \\u", at)
        return nil
      }
      value = value << 4 | digit
      at += 1
    }
    return value
  }

  private static func hexDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte) - 0x30
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte) - 0x61 + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte) - 0x41 + 10
    default: nil
    }
  }
}
