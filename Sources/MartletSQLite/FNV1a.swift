/// FNV-1a, 64 bits (https://datatracker.ietf.org/doc/html/rfc9923): against accidents, not against
/// intent, and the same after a restart.
public struct FNV1a: Sendable {
  public private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  public init() {}

  @inline(__always)
  public mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }

  /// The text's UTF-8, and a byte that ends it.
  public mutating func add(_ text: String) {
    for byte in text.utf8 { add(byte) }
    add(0xFF as UInt8)
  }

  public mutating func add(_ word: UInt64) {
    for shift in stride(from: 0 as UInt64, to: 64, by: 8) {
      add(UInt8(truncatingIfNeeded: word >> shift))
    }
  }
}
