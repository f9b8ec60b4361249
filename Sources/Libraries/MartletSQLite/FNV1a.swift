/// The 64-bit FNV-1a hash (https://datatracker.ietf.org/doc/html/rfc9923).
///
/// It is the same after a restart. It does not resist deliberate collisions.
public struct FNV1a: Sendable {
  /// The hash of the bytes added so far.
  public private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  /// The hash of no bytes.
  public init() {}

  /// Adds a byte.
  @inline(__always)
  public mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }

  /// Adds the text's UTF-8 bytes and a terminating byte.
  public mutating func add(_ text: String) {
    for byte in text.utf8 { add(byte) }
    add(0xFF as UInt8)
  }

  /// Adds the eight bytes of a word, least significant first.
  public mutating func add(_ word: UInt64) {
    for shift in stride(from: 0 as UInt64, to: 64, by: 8) {
      add(UInt8(truncatingIfNeeded: word >> shift))
    }
  }
}
