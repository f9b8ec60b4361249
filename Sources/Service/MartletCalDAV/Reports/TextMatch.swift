import MartletXML

/// A text in a filter (RFC 4791 section 9.7.5).
struct TextMatch {
  /// The collations (RFC 4790, RFC 5051).
  static let collations = ["i;ascii-casemap", "i;octet", "i;unicode-casemap"]

  private let text: [UInt8]
  private let collation: String
  private let isNegated: Bool

  init(_ element: XMLElement) throws {
    let collation = element.attribute("collation") ?? TextMatch.collations[0]
    guard TextMatch.collations.contains(collation) else {
      throw DAVError.refusal(
        .forbidden, DAVName.caldav("supported-collation"),
        "The supported collations are \(TextMatch.collations.joined(separator: ", ")).")
    }
    self.collation = collation
    isNegated = element.attribute("negate-condition") == "yes"
    text = TextMatch.key(element.text, collation)
  }

  func matches(_ value: String) -> Bool {
    TextMatch.contains(TextMatch.key(value, collation), text) != isNegated
  }

  private static func key(_ text: String, _ collation: String) -> [UInt8] {
    switch collation {
    case "i;octet": Array(text.utf8)
    case "i;unicode-casemap": Array(text.lowercased().utf8)
    default: text.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }
    }
  }

  /// Knuth, Morris, Pratt: linear time for any two texts that a client may send.
  private static func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
    guard !part.isEmpty else { return true }
    // For each place of the part, the length of its longest beginning that ends there as well.
    var lengths = [0]
    lengths.reserveCapacity(part.count)
    func length(_ known: Int, _ next: UInt8) -> Int {
      var length = known
      while length > 0, length == part.count || part[length] != next {
        length = lengths[length - 1]
      }
      return part[length] == next ? length + 1 : length
    }
    for byte in part.dropFirst() { lengths.append(length(lengths[lengths.count - 1], byte)) }
    var found = 0
    for byte in text {
      found = length(found, byte)
      if found == part.count { return true }
    }
    return false
  }
}
