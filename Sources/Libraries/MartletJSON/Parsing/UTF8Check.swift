/// Checks for well-formed UTF-8 (table 3-7 of the Unicode standard, RFC 3629): no overlong forms,
/// no surrogates, nothing above U+10FFFF.
enum UTF8Check {
  /// The length of the character at `at`, 1 to 4 bytes, or 0 if it is malformed.
  static func sequenceLength(_ bytes: UnsafeBufferPointer<UInt8>, at: Int) -> Int {
    func follows(_ distance: Int, _ range: ClosedRange<UInt8> = 0x80...0xBF) -> Bool {
      at + distance < bytes.count && range.contains(bytes[at + distance])
    }
    switch bytes[at] {
    case ..<0x80: return 1
    case 0xC2...0xDF: return follows(1) ? 2 : 0
    case 0xE0: return follows(1, 0xA0...0xBF) && follows(2) ? 3 : 0
    case 0xED: return follows(1, 0x80...0x9F) && follows(2) ? 3 : 0
    case 0xE1...0xEF: return follows(1) && follows(2) ? 3 : 0
    case 0xF0: return follows(1, 0x90...0xBF) && follows(2) && follows(3) ? 4 : 0
    case 0xF1...0xF3: return follows(1) && follows(2) && follows(3) ? 4 : 0
    case 0xF4: return follows(1, 0x80...0x8F) && follows(2) && follows(3) ? 4 : 0
    default: return 0
    }
  }

  /// The index of the first malformed byte, or `nil` if the bytes are valid UTF-8.
  static func firstFault(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var at = 0
    guard let base = bytes.baseAddress else { return nil }
    while at < bytes.count {
      if bytes.count - at >= 8, StringScan.word(at: base + at) & StringScan.highBits == 0 {
        at += 8
        continue
      }
      let length = sequenceLength(bytes, at: at)
      if length == 0 { return at }
      at += length
    }
    return nil
  }
}
