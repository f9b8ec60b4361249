import MartletHTTP
import MartletLiveAPI

/// What only a service of reminders answers with.
extension ProblemType {
  public static let tooManyTags = Self("too-many-tags", .conflict, "Too many tags")
  public static let tagExists = Self("tag-exists", .conflict, "Tag exists")
  public static let unknownList = Self("unknown-list", .unprocessableContent, "Unknown list")

  /// All kinds that the service answers with.
  public static let ofReminders = ofAPI + [tooManyTags, tagExists, unknownList]
}
