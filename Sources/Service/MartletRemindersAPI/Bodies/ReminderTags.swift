import MartletLiveAPI
import MartletReminders

/// Collects the tags of a reminder without duplicates.
///
/// It needs at most one tag more than a reminder may have, which is enough to refuse the reminder.
struct ReminderTags {
  /// The different titles read so far, as they are stored.
  private(set) var titles: [String] = []
  private var keys: [[UInt8]] = []

  /// Whether there are too many tags, so that further ones need not be read.
  var areTooMany: Bool { titles.count > Reminder.mostTags }

  /// Adds a tag.
  ///
  /// Returns the title as it is stored, `nil` for a duplicate, or the reason why it is invalid.
  mutating func add(_ text: String) -> Result<String?, FieldReason> {
    TagTitle.read(text).map { title -> String? in
      let key = Tag.key(title)
      guard !keys.contains(key) else { return nil }
      keys.append(key)
      titles.append(title)
      return title
    }
    .mapError { FieldReason($0.detail) }
  }
}
