/// Parses `chunk-size [ chunk-ext ] CRLF` (RFC 9112 section 7.1) byte by byte.
///
/// It is strict, because parsers that disagree about a chunk's size disagree about where the next
/// request begins: no sign, no blank before CR, no bare LF, at most 16 digits.
struct ChunkLine {
  private enum State {
    case size
    /// After `;`, before the name.
    case nameStart
    case name
    /// A blank after a name. `=` or `;` follows.
    case afterName
    case valueStart
    case value
    case quoted
    case escaped
    case afterValue
    /// A blank after a value. Only `;` may follow.
    case beforeNext
    case lineFeed
  }

  private var state = State.size
  private var size = 0
  private var digits = 0
  private(set) var extensionBytes = 0

  /// Reads the next byte. Returns the chunk's size after the last byte of the line.
  mutating func read(_ byte: UInt8) throws(ProtocolError) -> Int? {
    switch state {
    case .size: try readSize(byte)
    case .lineFeed:
      guard byte == 0x0A else { throw ChunkLine.wrongEnd }
      return size
    case .nameStart, .name, .afterName, .valueStart, .value, .quoted, .escaped, .afterValue,
      .beforeNext:
      extensionBytes += 1
      state = try readExtension(byte)
    }
    return nil
  }

  private mutating func readSize(_ byte: UInt8) throws(ProtocolError) {
    if let digit = Grammar.hex(byte) {
      digits += 1
      guard digits <= 16, size < 1 << 58 else {
        throw .malformed("A chunk's size is too large.", "RFC 9112 7.1")
      }
      size = size << 4 | Int(digit)
      return
    }
    guard digits > 0 else { throw .malformed("A chunk must begin with its size.", "RFC 9112 7.1") }
    switch byte {
    case 0x0D: state = .lineFeed
    case UInt8(ascii: ";"): state = .nameStart
    default: throw .malformed("A chunk's size must be hexadecimal digits.", "RFC 9112 7.1")
    }
  }

  /// Parses `chunk-ext = *( BWS ";" BWS name [ BWS "=" BWS ( token / quoted-string ) ] )`.
  private func readExtension(_ byte: UInt8) throws(ProtocolError) -> State {
    let isBlank = Grammar.isBlank(byte)
    switch state {
    case .nameStart:
      if isBlank { return .nameStart }
      if Grammar.isToken(byte) { return .name }
    case .name:
      if Grammar.isToken(byte) { return .name }
      return try afterName(byte)
    case .afterName:
      if byte != 0x0D { return try afterName(byte) }
    case .valueStart:
      if isBlank { return .valueStart }
      if byte == UInt8(ascii: "\"") { return .quoted }
      if Grammar.isToken(byte) { return .value }
    case .value:
      if Grammar.isToken(byte) { return .value }
      return try afterValue(byte)
    case .quoted:
      if byte == UInt8(ascii: "\"") { return .afterValue }
      if byte == UInt8(ascii: "\\") { return .escaped }
      if byte == 0x09 || (byte >= 0x20 && byte != 0x7F) { return .quoted }
    case .escaped:
      if byte == 0x09 || (byte >= 0x20 && byte != 0x7F) { return .quoted }
    case .afterValue: return try afterValue(byte)
    case .beforeNext:
      if byte != 0x0D { return try afterValue(byte) }
    case .size, .lineFeed: break
    }
    throw ChunkLine.wrongExtension
  }

  private func afterName(_ byte: UInt8) throws(ProtocolError) -> State {
    if Grammar.isBlank(byte) { return .afterName }
    if byte == UInt8(ascii: "=") { return .valueStart }
    return try afterValue(byte)
  }

  private func afterValue(_ byte: UInt8) throws(ProtocolError) -> State {
    switch byte {
    case UInt8(ascii: ";"): return .nameStart
    case 0x0D: return .lineFeed
    case 0x20, 0x09: return .beforeNext
    default: throw ChunkLine.wrongExtension
    }
  }

  private static let wrongEnd = ProtocolError.malformed(
    "A chunk's size line must end with CR LF.", "RFC 9112 7.1")
  private static let wrongExtension = ProtocolError.malformed(
    "A chunk extension must be a name with an optional value.", "RFC 9112 7.1.1")
}
