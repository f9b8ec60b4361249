/// Reads `Authorization: Basic …` (RFC 7617), for the protocols whose clients know nothing else.
enum BasicCredential {
  /// The key in the value of `Authorization`. The outer `nil` means another scheme, the inner `nil`
  /// a password that is no key.
  static func key(_ field: UnsafeBufferPointer<UInt8>) -> Credential?? {
    let scheme: StaticString = "basic"
    let count = scheme.utf8CodeUnitCount
    guard field.count > count,
      UnsafeBufferPointer(rebasing: field[..<count]).equalsIgnoringCase(scheme),
      field[count] == 0x20
    else { return nil }
    let digits = field[count...].drop { $0 == 0x20 }
    // The name of a user is short; a key has at most 54 characters.
    guard digits.count <= 1_024, let text = decoded(digits),
      let colon = text.firstIndex(of: UInt8(ascii: ":"))
    else { return .some(nil) }
    return .some(text[(colon + 1)...].withUnsafeBufferPointer { Credential($0) })
  }

  /// The bytes of a Base64 text (RFC 4648 section 4); `nil` if it has another character.
  private static func decoded(_ text: some Collection<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    for digit in text {
      let value: UInt8
      switch digit {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = digit - UInt8(ascii: "A")
      case UInt8(ascii: "a")...UInt8(ascii: "z"): value = digit - UInt8(ascii: "a") + 26
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0") + 52
      case UInt8(ascii: "+"): value = 62
      case UInt8(ascii: "/"): value = 63
      case UInt8(ascii: "="): continue
      default: return nil
      }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return bytes
  }
}
