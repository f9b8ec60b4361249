import MartletQueryBuilder

/// A UID, as calendars have it.
enum UID {
  /// A random UUID (RFC 9562, version 4), made by the service.
  static func make() -> String {
    var generator = SystemRandomNumberGenerator()
    let high = generator.next() & ~0xF000 | 0x4000
    let low = generator.next() & ~(0xC000 << 48) | 0x8000 << 48
    return String(unsafeUninitializedCapacity: 36) { text in
      var place = 0
      for digit in 0..<32 {
        if digit == 8 || digit == 12 || digit == 16 || digit == 20 {
          text[place] = UInt8(ascii: "-")
          place += 1
        }
        let word = digit < 16 ? high : low
        let value = UInt8(truncatingIfNeeded: word >> (60 - digit % 16 * 4)) & 0xF
        text[place] = value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
        place += 1
      }
      return place
    }
  }

  /// The UID that a row has, or as many random digits: a trigger gives them to the row of another
  /// program.
  static let given: SQLQueryExpression<String?> =
    SQLQueryExpression("coalesce(uid, lower(hex(randomblob(16))))")

  /// The rule that no other row of the table, or of the list, has the UID. The other row is
  /// not deleted by a REPLACE, which would run none of its triggers: that is why no index is
  /// UNIQUE.
  static func isUnique<T: Table>(
    _ uid: QueryFragment, among table: T.Type, _ id: QueryFragment, _ list: QueryFragment? = nil
  ) -> (unless: QueryFragment, message: String) {
    let condition: QueryFragment = """
      (\(uid) IS NULL OR NOT EXISTS (SELECT 1 FROM \(raw: T.tableName) AS other \
      WHERE other.uid = \(uid) AND other.id <> \(id)\
      \(list.map { " AND other.remindersListID = \($0)" } ?? "")))
      """
    return (condition, RuleViolation.uidExists.rawValue)
  }
}

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
