/// Which texts can be the UID of a list or a reminder.
public enum UIDRule {
  /// The allowed numbers of characters.
  public static let lengths = 1...ValueRule.longestUID

  /// Whether a text can be a UID here.
  public static func isValid(_ text: String) -> Bool {
    lengths.contains(text.unicodeScalars.count) && !hasControlCharacter(text)
  }

  /// The UID of a reminder for the UID of a calendar: the same, or one that is always the same for
  /// it if it cannot be one here. `nil` for an empty text.
  static func stored(_ text: String) -> String? {
    guard !text.isEmpty, !isValid(text) else { return text.isEmpty ? nil : text }
    return "martlet-uid-" + String(Fingerprint(text).value, radix: 36)
  }

  /// Whether a text has a control character.
  public static func hasControlCharacter(_ text: String) -> Bool {
    text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
  }
}
