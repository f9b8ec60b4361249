import MartletHTTP
import MartletJSON
import MartletLiveAPI
import MartletReminders

/// The body of a request that creates or renames a tag: `{"title": "car"}`.
struct TagBody {
  /// The new title; `nil` leaves it unchanged.
  var title: String?
  /// Read-only members of the body, which must equal the stored values.
  var readOnly: [JSONObject.Member] = []

  /// Reads the body.
  ///
  /// - Parameter isNew: Whether the request creates a tag, so that `title` is required.
  init(_ request: Request, isNew: Bool) throws(APIProblem) {
    var body = try Body(request)
    if let text = body.string("title", 0...10_000) {
      switch TagTitle.read(text) {
      case .success(let title): self.title = title
      case .failure(let reason): body.fail("title", reason.detail)
      }
    } else if isNew {
      body.require("title", false)
    }
    if !isNew {
      body.readOnly("reminders")
      readOnly = body.readOnly
    }
    try body.finish()
  }
}

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
