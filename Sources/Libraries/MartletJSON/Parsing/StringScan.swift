/// Finds the bytes that need care in a JSON string: `"`, `\` and control characters. The parser and
/// the writer use it to scan eight bytes at a time.
enum StringScan {
  static let ones: UInt64 = 0x0101_0101_0101_0101
  static let highBits: UInt64 = 0x8080_8080_8080_8080

  /// A word with the high bit set in each byte that is special.
  ///
  /// For a byte below 0x80, `x - 0x20` has its high bit set if x is a control character, and
  /// `x - 1` if x is zero, which XOR makes of the byte searched for. `~word` excludes bytes from
  /// 0x80. A borrow can set a wrong mark, but only above a correct one, so the lowest mark, that of
  /// the first byte, is always correct.
  @inline(__always)
  static func marks(_ word: UInt64) -> UInt64 {
    let control = word &- ones &* 0x20
    let quote = (word ^ (ones &* 0x22)) &- ones
    let backslash = (word ^ (ones &* 0x5C)) &- ones
    return (control | quote | backslash) & ~word & highBits
  }

  /// The eight bytes at `place`, with the first one in the lowest bits.
  @inline(__always)
  static func word(at place: UnsafePointer<UInt8>) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(place).loadUnaligned(as: UInt64.self))
  }

  @inline(__always)
  static func isSpecial(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == 0x22 || byte == 0x5C
  }
}
