import MartletSQLite

/// A hash of some texts, in order. Not secret and not unforgeable: it tells a mixed-up cursor, nothing
/// more.
struct Fingerprint {
  private var hash = FNV1a()
  var value: UInt64 { hash.value }

  init(_ first: String) { combine(first) }

  /// A missing text differs from an empty one.
  mutating func combine(_ text: String?) {
    for byte in text?.utf8 ?? "\u{1}".utf8 { hash.add(byte) }
    hash.add(0 as UInt8)
  }
}
