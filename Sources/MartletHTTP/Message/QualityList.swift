/// A list with weights: what `Accept` and `Accept-Encoding` are made of (RFC 9110 section 12.4.2).
enum QualityList {
  /// Calls `body` with each well-formed member: what stands before its parameters, those parameters
  /// without the weight, and the weight in thousandths.
  static func visit(
    _ list: UnsafeBufferPointer<UInt8>,
    _ body: (_ name: String, _ parameters: [String], _ quality: Int) -> Void
  ) {
    list.visitListMembers { member in
      var pieces: [UnsafeBufferPointer<UInt8>] = []
      member.visitPieces(separatedBy: UInt8(ascii: ";")) { pieces.append($0.trimmed) }
      var quality = 1000
      var parameters: [String] = []
      for piece in pieces.dropFirst() {
        if piece.count >= 2, Grammar.lowercase(piece[0]) == UInt8(ascii: "q"),
          piece[1] == UInt8(ascii: "=")
        {
          guard let weight = weight(piece[slice: 2, piece.count]) else { return }
          quality = weight
        } else if piece.count > 0 {
          parameters.append(piece.text.lowercased())
        }
      }
      body(pieces[0].text.lowercased(), parameters, quality)
    }
  }

  /// `qvalue = ( "0" [ "." 0*3DIGIT ] ) / ( "1" [ "." 0*3("0") ] )`, in thousandths.
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
