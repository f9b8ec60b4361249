/// The texts of a color, which is stored as `0xRRGGBBAA`.
public enum ListColor {
  /// The text without the opacity: `0x4a99efff` → `#4a99ef`.
  public static func text(_ color: Int) -> String {
    "#" + digits(color >> 8 & 0xFF_FFFF, 6)
  }

  /// The text with the opacity, as Apple writes it: `0x4a99efff` → `#4A99EFFF`.
  package static func textWithOpacity(_ color: Int) -> String {
    "#" + digits(color & 0xFFFF_FFFF, 8).uppercased()
  }

  /// Parses `#4a99ef` to `0x4a99efff`. Returns `nil` if the text is malformed.
  public static func parse(_ text: String) -> Int? {
    number(text, 6).map { $0 << 8 | 0xFF }
  }

  /// Parses `#4a99ef` or `#4a99efff`.
  package static func parseWithOpacity(_ text: String) -> Int? { parse(text) ?? number(text, 8) }

  private static func digits(_ number: Int, _ count: Int) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: count - digits.utf8.count) + digits
  }

  private static func number(_ text: String, _ count: Int) -> Int? {
    let digits = text.utf8.dropFirst()
    guard text.utf8.first == UInt8(ascii: "#"), digits.count == count,
      digits.allSatisfy({ isHexDigit($0) })
    else { return nil }
    return Int(text.dropFirst(), radix: 16)
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }
}
