import MartletLiveAPI
import MartletReminders

/// The tags of one reminder while they are read: each once, and at most one more than a reminder may have.
struct ReminderTags {
  private(set) var titles: [String] = []
  private var keys: [[UInt8]] = []

  /// Whether the reminder is refused for its tags: no more of them have to be read.
  var areTooMany: Bool { titles.count > Reminder.mostTags }

  /// The title as it is stored; `nil` for a tag that was read before.
  mutating func add(_ text: String) -> Result<String?, FieldReason> {
    TagTitle.read(text).map { title in
      let key = Tag.key(title)
      guard !keys.contains(key) else { return nil }
      keys.append(key)
      titles.append(title)
      return title
    }
  }
}
