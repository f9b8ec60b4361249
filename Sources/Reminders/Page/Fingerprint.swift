/// A hash of some texts, in order (FNV-1a, 64 bits). Not secret and not unforgeable: it tells a
/// mixed-up cursor, nothing more.
struct Fingerprint {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  init(_ first: String) { combine(first) }

  /// A missing text differs from an empty one.
  mutating func combine(_ text: String?) {
    for byte in text?.utf8 ?? "\u{1}".utf8 { mix(byte) }
    mix(0)
  }

  private mutating func mix(_ byte: UInt8) {
    value ^= UInt64(byte)
    value = value &* 0x100_0000_01b3
  }
}
