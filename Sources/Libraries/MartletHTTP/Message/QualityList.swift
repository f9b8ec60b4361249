/// A comma-separated list with weights, as in `Accept` and `Accept-Encoding` (RFC 9110 section
/// 12.4.2).
enum QualityList {
  /// Calls `body` with each well-formed member: the part before its parameters, and its weight in
  /// thousandths.
  static func visit(
    _ list: UnsafeBufferPointer<UInt8>,
    _ body: (_ name: UnsafeBufferPointer<UInt8>, _ quality: Int) -> Void
  ) {
    list.visitListMembers { member in
      var name: UnsafeBufferPointer<UInt8>?
      var quality: Int? = 1000
      member.visitPieces(separatedBy: UInt8(ascii: ";")) { piece in
        let piece = piece.trimmed
        if name == nil {
          name = piece
        } else if quality != nil, piece.count >= 2,
          Grammar.lowercase(piece[0]) == UInt8(ascii: "q"), piece[1] == UInt8(ascii: "=")
        {
          quality = weight(piece[slice: 2, piece.count])
        }
      }
      if let name, let quality { body(name, quality) }
    }
  }

  /// Parses `qvalue = ( "0" [ "." 0*3DIGIT ] ) / ( "1" [ "." 0*3("0") ] )`, in thousandths.
  private static func weight(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
    guard 1...5 ~= text.count, text[0] == UInt8(ascii: "0") || text[0] == UInt8(ascii: "1"),
      text.count == 1 || text[1] == UInt8(ascii: ".")
    else { return nil }
    var value = Int(text[0] &- 0x30) * 1000
    var place = 100
    for byte in text.dropFirst(2) {
      guard Grammar.isDigit(byte) else { return nil }
      value += Int(byte &- 0x30) * place
      place /= 10
    }
    return value <= 1000 ? value : nil
  }
}
