/// Which texts can be the UID of a list or a reminder.
public enum UIDRule {
  /// The allowed numbers of characters.
  public static let lengths = 1...ValueRule.longestUID

  /// Whether a text can be a UID here.
  public static func isValid(_ text: String) -> Bool {
    lengths.contains(text.unicodeScalars.count) && !hasControlCharacter(text)
  }

  /// Whether a text has a control character.
  public static func hasControlCharacter(_ text: String) -> Bool {
    text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
  }
}
