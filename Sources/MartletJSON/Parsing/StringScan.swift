/// Finds the bytes that stand for more than themselves inside a JSON string: `"`, `\` and control
/// characters. Reader and writer look for the same ones, eight bytes at a time.
enum StringScan {
  static let ones: UInt64 = 0x0101_0101_0101_0101
  static let highBits: UInt64 = 0x8080_8080_8080_8080

  /// The high bit of each byte that is special.
  ///
  /// For a byte below 0x80, `x - 0x20` has its high bit set when x is a control character, and `x -
  /// 1` when x is zero, which XOR makes of the byte that is looked for; `~word` drops the other
  /// half. A borrow can mark a byte wrongly, but only above one that is marked rightly, so the
  /// lowest mark (the first byte) is always right.
  @inline(__always)
  static func marks(_ word: UInt64) -> UInt64 {
    let control = word &- ones &* 0x20
    let quote = (word ^ (ones &* 0x22)) &- ones
    let backslash = (word ^ (ones &* 0x5C)) &- ones
    return (control | quote | backslash) & ~word & highBits
  }

  /// Eight bytes at `place`, the first in the lowest bits.
  @inline(__always)
  static func word(at place: UnsafePointer<UInt8>) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(place).loadUnaligned(as: UInt64.self))
  }

  @inline(__always)
  static func isSpecial(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == 0x22 || byte == 0x5C
  }
}
