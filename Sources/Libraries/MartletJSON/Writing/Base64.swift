/// Base64 (RFC 4648): the alphabet of section 4 with padding for blobs in JSON, and that of section
/// 5 without padding for URLs.
package enum Base64 {
  private static let standard = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let url = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// Appends the bytes in Base64 with padding.
  package static func append(_ bytes: UnsafeRawBufferPointer, to buffer: ByteBuffer) {
    encode(bytes, standard, isPadded: true) { buffer.append($0) }
  }

  /// The bytes in Base64 with padding.
  package static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    bytes.withUnsafeBytes { encode($0, standard, isPadded: true) { text.append($0) } }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes in Base64 for URLs, without padding.
  package static func encode(url bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    bytes.withUnsafeBytes { encode($0, url, isPadded: false) { text.append($0) } }
    return String(decoding: text, as: UTF8.self)
  }

  private static func encode(
    _ bytes: UnsafeRawBufferPointer, _ alphabet: [UInt8], isPadded: Bool, _ put: (UInt8) -> Void
  ) {
    var index = 0
    while index < bytes.count {
      let rest = bytes.count - index
      let word =
        UInt32(bytes[index]) << 16 | (rest > 1 ? UInt32(bytes[index + 1]) << 8 : 0)
        | (rest > 2 ? UInt32(bytes[index + 2]) : 0)
      put(alphabet[Int(word >> 18)])
      put(alphabet[Int(word >> 12 & 63)])
      if rest > 1 { put(alphabet[Int(word >> 6 & 63)]) } else if isPadded { put(UInt8(ascii: "=")) }
      if rest > 2 { put(alphabet[Int(word & 63)]) } else if isPadded { put(UInt8(ascii: "=")) }
      index += 3
    }
  }

  /// Decodes Base64 for URLs. Returns `nil` for a character outside the alphabet or for nonzero
  /// trailing bits.
  package static func decode(url text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var word: UInt32 = 0
    var bits = 0
    for character in text.utf8 {
      guard let digit = digit(character) else { return nil }
      word = word << 6 | digit
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: word >> UInt32(bits)))
        word &= (1 << UInt32(bits)) - 1
      }
    }
    return bits < 6 && word == 0 ? bytes : nil
  }

  private static func digit(_ character: UInt8) -> UInt32? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
