import MartletSQLite

/// A hash of several texts in order. It detects a cursor that belongs to another collection; it is
/// neither secret nor unforgeable.
struct Fingerprint {
  private var hash = FNV1a()
  var value: UInt64 { hash.value }

  init(_ first: String) { combine(first) }

  /// Adds a text. `nil` and an empty text give different hashes.
  mutating func combine(_ text: String?) {
    for byte in text?.utf8 ?? "\u{1}".utf8 { hash.add(byte) }
    hash.add(0 as UInt8)
  }
}
