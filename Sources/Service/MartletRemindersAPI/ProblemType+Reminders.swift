import MartletHTTP
import MartletLiveAPI

/// The problem types of the reminders service.
extension ProblemType {
  /// 409: a reminder would have more than five tags.
  public static let tooManyTags = Self("too-many-tags", .conflict, "Too many tags")
  /// 409: another tag already has this title.
  public static let tagExists = Self("tag-exists", .conflict, "Tag exists")
  /// 409: another list, or another reminder of the list, has the UID.
  public static let uidExists = Self("uid-exists", .conflict, "UID exists")
  /// 409: the list of a deleted reminder does not exist.
  public static let listIsGone = Self("list-is-gone", .conflict, "List is gone")
  /// 409: another program has used the ID of what is to be restored.
  public static let idExists = Self("id-exists", .conflict, "ID exists")
  /// 409: another program has changed the entry that is to be restored.
  public static let entryUnreadable = Self("entry-unreadable", .conflict, "Entry unreadable")
  /// 410: the changes since a token of the feed are not known any more.
  public static let feedExpired = Self("feed-expired", .gone, "Feed expired")
  /// 422: the list in `listID` does not exist.
  public static let unknownList = Self("unknown-list", .unprocessableContent, "Unknown list")
  /// 422: the reminder in `parentID` does not exist.
  public static let unknownParent = Self(
    "unknown-parent", .unprocessableContent, "Unknown parent")
  /// 409: a reminder would be below itself.
  public static let cyclicParent = Self("cyclic-parent", .conflict, "Cyclic parent")
  /// 409: there would be more than five levels of subtasks.
  public static let tooDeep = Self("too-deep", .conflict, "Too deep")
  /// 422: a reminder would recur without a due date.
  public static let recurrenceWithoutDue = Self(
    "recurrence-without-due", .unprocessableContent, "Recurrence without a due date")
  /// 409: a reminder does not recur, or has no next occurrence.
  public static let notRecurring = Self("not-recurring", .conflict, "Not recurring")
  /// 409: a reminder recurs by a rule that was not understood.
  public static let ruleNotRead = Self("rule-not-read", .conflict, "Rule not read")
  /// 409: a reminder is open, and no completion of it is known.
  public static let nothingToUndo = Self("nothing-to-undo", .conflict, "Nothing to undo")
  /// 409: a completion is not the newest one of its reminder.
  public static let notTheNewest = Self("not-the-newest", .conflict, "Not the newest")

  /// 409: a reminder would have more than 20 alarms.
  public static let tooManyAlarms = Self("too-many-alarms", .conflict, "Too many alarms")
  /// 422: the date that an alarm is counted from is missing.
  public static let alarmWithoutAnchor = Self(
    "alarm-without-anchor", .unprocessableContent, "Alarm without an anchor")

  /// 409: there would be more than 50 channels.
  public static let tooManyChannels = Self("too-many-channels", .conflict, "Too many channels")
  /// 409: there would be more than 100 smart lists.
  public static let tooManySmartLists = Self(
    "too-many-smart-lists", .conflict, "Too many smart lists")
  /// 409: the channel is disabled, so that nothing is sent.
  public static let channelDisabled = Self("channel-disabled", .conflict, "Channel disabled")
  /// 409: the channel has no secret, because its messages are not signed.
  public static let notSigned = Self("not-signed", .conflict, "Not signed")
  /// 409: an API key would have more than 10 push subscriptions, or all keys more than 200.
  public static let tooManySubscriptions = Self(
    "too-many-subscriptions", .conflict, "Too many subscriptions")
  /// 409: the push service has ended the subscription.
  public static let subscriptionLost = Self("subscription-lost", .conflict, "Subscription lost")
  /// 429: a device was tried too often.
  public static let tooManyTests = Self("too-many-tests", .tooManyRequests, "Too many tests")
  /// 422: push services cannot be told who operates this server.
  public static let pushContactMissing = Self(
    "push-contact-missing", .unprocessableContent, "Push contact missing")
  /// 422: the token of an answer is not valid.
  public static let invalidAnswerToken = Self(
    "invalid-answer-token", .unprocessableContent, "Invalid answer token")
  /// 422: requests to this URL are not allowed.
  public static let targetNotAllowed = Self(
    "target-not-allowed", .unprocessableContent, "Target not allowed")
  /// 503: the process that sends messages cannot work.
  public static let courierUnavailable = Self(
    "courier-unavailable", .serviceUnavailable, "Courier unavailable", isRefusal: true)

  /// All problem types of the service, including those of the API library.
  public static let ofReminders =
    ofAPI + [
      tooManyTags, tagExists, uidExists, listIsGone, idExists, entryUnreadable,
      feedExpired,
      unknownList,
      unknownParent, cyclicParent, tooDeep, recurrenceWithoutDue, notRecurring, ruleNotRead,
      nothingToUndo,
      notTheNewest, tooManyAlarms, alarmWithoutAnchor, tooManyChannels,
      tooManySmartLists, channelDisabled, notSigned, tooManySubscriptions, subscriptionLost,
      tooManyTests, pushContactMissing, invalidAnswerToken, targetNotAllowed,
      courierUnavailable,
    ]
}

extension APIProblem {
  /// The problem for a reminder with more than five tags.
  static var tooManyTags: APIProblem {
    APIProblem(.tooManyTags, "A reminder can have at most five tags.")
  }

  /// The problem for an alarm that is counted from a date which the reminder does not have.
  ///
  /// - Parameter pointer: The place of the alarm in the body.
  static func alarmWithoutAnchor(_ pointer: String) -> APIProblem {
    APIProblem(
      .alarmWithoutAnchor,
      "An alarm is counted from the due date or the start date, which the reminder does not have.",
      errors: [FieldError(.pointer(pointer), "needs the date that from names")])
  }
}
