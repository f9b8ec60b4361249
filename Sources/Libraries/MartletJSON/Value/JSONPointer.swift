/// A JSON Pointer (RFC 6901): the path from a document's root to a value.
public struct JSONPointer: Sendable, CustomStringConvertible {
  /// The member names and array indices, unescaped. Empty for the whole document.
  public let tokens: [String]

  /// Makes a pointer from unescaped member names and array indices.
  public init(_ tokens: [String]) {
    self.tokens = tokens
  }

  /// The text form, such as `/tags/0`, with `~` encoded as `~0` and `/` as `~1` (section 3).
  public var description: String {
    var bytes: [UInt8] = []
    for token in tokens {
      bytes.append(UInt8(ascii: "/"))
      for byte in token.utf8 {
        switch byte {
        case UInt8(ascii: "~"): bytes.append(contentsOf: "~0".utf8)
        case UInt8(ascii: "/"): bytes.append(contentsOf: "~1".utf8)
        default: bytes.append(byte)
        }
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
