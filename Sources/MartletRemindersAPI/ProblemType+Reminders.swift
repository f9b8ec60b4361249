import MartletHTTP
import MartletLiveAPI

/// The problem types of the reminders service.
extension ProblemType {
  /// 409: a reminder would have more than five tags.
  public static let tooManyTags = Self("too-many-tags", .conflict, "Too many tags")
  /// 409: another tag already has this title.
  public static let tagExists = Self("tag-exists", .conflict, "Tag exists")
  /// 422: the list in `listID` does not exist.
  public static let unknownList = Self("unknown-list", .unprocessableContent, "Unknown list")

  /// All problem types of the service, including those of the API library.
  public static let ofReminders = ofAPI + [tooManyTags, tagExists, unknownList]
}
