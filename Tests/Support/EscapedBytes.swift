/// Bytes as a line of text, in files with test cases. `\r`, `\n`, `\t`, `\0`, `\\` and `\xNN` are
/// escapes, and `{text*7}` is `text` seven times.
public enum EscapedBytes {
  /// A named case: a line with the name and, after a space, its bytes.
  public struct Case: Sendable, CustomStringConvertible {
    /// The name, without a space.
    public let name: String
    /// The bytes.
    public let bytes: [UInt8]
    /// The name.
    public var description: String { name }
  }

  /// The cases of a file, given its path in the repository.
  public static func cases(_ path: String) throws -> [Case] {
    try Repository.text(path).split(separator: "\n").map { line in
      let pieces = line.split(separator: " ", maxSplits: 1)
      return Case(name: String(pieces[0]), bytes: pieces.count > 1 ? bytes(of: pieces[1]) : [])
    }
  }

  /// The bytes that a line stands for.
  public static func bytes(of line: Substring) -> [UInt8] {
    guard let open = line.firstIndex(of: "{"), let close = line.lastIndex(of: "}"), open < close,
      let star = line[open..<close].lastIndex(of: "*"),
      let count = Int(line[line.index(after: star)..<close])
    else { return unescape(line) }
    let repeated = unescape(line[line.index(after: open)..<star])
    return unescape(line[..<open]) + Array(repeatElement(repeated, count: count).joined())
      + unescape(line[line.index(after: close)...])
  }

  private static func unescape(_ text: Substring) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      switch rest.popFirst() {
      case UInt8(ascii: "r"): bytes.append(13)
      case UInt8(ascii: "n"): bytes.append(10)
      case UInt8(ascii: "t"): bytes.append(9)
      case UInt8(ascii: "0"): bytes.append(0)
      case UInt8(ascii: "\\"): bytes.append(UInt8(ascii: "\\"))
      case UInt8(ascii: "x"):
        bytes.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)!)
        rest = rest.dropFirst(2)
      default: preconditionFailure("unknown escape in \(text)")
      }
    }
    return bytes
  }
}
