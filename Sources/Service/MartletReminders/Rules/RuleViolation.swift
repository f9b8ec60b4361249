import MartletSQLite

/// A rule of the domain that a change has broken. The raw value is the message of the trigger, or
/// the name of the constraint, that refuses the change.
public enum RuleViolation: String, Error, Sendable, CaseIterable {
  /// The reminder's list does not exist, or the caller cannot access it.
  case unknownList = "martlet: unknown list"
  /// The reminder would have more than ``Reminder/mostTags`` tags.
  case tooManyTags = "martlet: too many tags"
  /// Another list, or another reminder of the list, has the UID.
  case uidExists = "martlet: the uid exists already"
  /// The parent does not exist, or the caller cannot access it.
  case unknownParent = "martlet: unknown parent"
  /// The reminder would be below itself.
  case cyclicParent = "martlet: a reminder is not below itself"
  /// There would be more than five levels.
  case tooDeep = "martlet: at most five levels of subtasks"
  /// The parent is in another list.
  case parentList = "martlet: a subtask is in the list of its parent"
  /// The reminder would recur without a due date.
  case recurrenceWithoutDue = "martlet: a recurrence needs a due date"
  /// The reminder of an alarm does not exist.
  case alarmWithoutReminder = "martlet: an alarm is of a reminder"
  /// An alarm would leave its reminder.
  case alarmOfAnother = "martlet: an alarm stays with its reminder"
  /// The reminder of a calendar object does not exist.
  case objectWithoutReminder = "martlet: a calendar object is of a reminder"
  /// The list of a calendar collection does not exist.
  case collectionWithoutList = "martlet: a calendar collection is of a list"
  /// The reminder would have more than ``ReminderAlarm/most`` alarms.
  case tooManyAlarms = "martlet: too many alarms"
  /// There would be more than ``ChannelItem/most`` channels.
  case tooManyChannels = "martlet: too many channels"
  /// There would be more than ``SmartList/most`` smart lists.
  case tooManySmartLists = "martlet: too many smart lists"
  /// The channel of a delivery does not exist.
  case deliveryWithoutChannel = "martlet: a delivery is of a channel"
  /// A delivery would be of another channel.
  case deliveryOfAnother = "martlet: a delivery stays with its channel"
  /// The date that an alarm is counted from is missing.
  case alarmWithoutAnchor = "martlet: an alarm needs the date that it is counted from"
  /// The start date would be later than the due date, or not of its kind.
  case startDate =
    "martlet: startDate is a date or a time like dueDate, and not after it"
}

extension SQLiteError {
  /// The rule that a statement has broken: the message of a trigger, or the name of a constraint of
  /// a table.
  public var brokenRule: String {
    let prefix = "CHECK constraint failed: "
    return message.hasPrefix(prefix) ? String(message.dropFirst(prefix.count)) : message
  }
}

/// An error of a repository.
public enum DomainError: Error, Equatable, Sendable {
  /// The object does not exist, or the caller cannot access it.
  case notFound(Thing)
  /// Another tag already has this title. `title` is its stored spelling.
  case tagExists(title: String)
  /// The IDs of a new order are not exactly the existing rows.
  case incompleteOrder(missing: [Int], unknown: [Int], repeated: [Int])

  /// The object at `at` already has the UID.
  case uidExists(String, at: Thing)

  /// A reminder cannot be moved to a list, because the one at `at` has its UID there.
  case uidInList(String, at: Thing)
  /// The list of a deleted reminder does not exist, so that it cannot be restored there.
  case listIsGone(Int)
  /// Another program has used the ID of what is to be restored for something else.
  case idExists(Thing)
  /// Another program has changed what is to be restored, so that it has values no row can have.
  case unreadable(Thing)
  /// A part of a recurrence is invalid for the reminder. The text says why.
  case recurrence(RecurrencePart, String)
  /// The reminder does not recur, is completed, or has no next occurrence.
  case notRecurring(Int)
  /// The reminder is open, and has no completion of its own.
  case nothingToUndo(Int)
  /// The completion is not the newest one of its reminder.
  case notTheNewest(Int)
  /// A value at a path in the body does not go with what is stored. The text says why.
  case invalid(String, String)
  /// A move would change too many rows, because their positions have no gaps.
  case tooDense
  /// The channel is disabled, so that nothing is sent.
  case channelDisabled(Int)
  /// The channel signs nothing, so that it has no secret.
  case notSigned(Int)
  /// There are too many push subscriptions. The text is the name of the one that was not seen for
  /// longest.
  case tooManySubscriptions(String?)
  /// The push service has ended the subscription.
  case subscriptionLost(Int)
  /// A push subscription was tried too often. The next test is possible after so many seconds.
  case tooManyTests(Int)
  /// A reminder with this ID recurs by a rule that was not understood.
  case ruleNotRead(Int)

  /// A part of a recurrence.
  public enum RecurrencePart: String, Sendable {
    /// The rule, or the first due date.
    case rule, start
  }

  /// An object that was not found, or that is in the way.
  public enum Thing: Equatable, Sendable {
    /// A list, by its ID.
    case list(Int)
    /// A smart list, by its ID.
    case smartList(Int)
    /// A reminder, by its ID.
    case reminder(Int)
    /// A tag, by its title.
    case tag(String)
    /// An entry of the trash, by its ID.
    case trash(Int)
    /// A completion, by its ID.
    case completion(Int)
    /// An alarm, by its ID.
    case alarm(Int)
    /// A channel, by its ID.
    case channel(Int)
    /// A push subscription, by its ID.
    case subscription(Int)
    /// A delivery, by its ID.
    case delivery(Int)
    /// A tag that an existing reminder does not carry.
    case tagging(String, reminder: Int)
  }
}

/// A number with its noun in singular or plural: `0 lists`, `1 list`, `2 lists`. Messages use it
/// for every count.
public struct Count: CustomStringConvertible, Sendable {
  public let description: String

  /// Formats a number with a noun.
  ///
  /// - Parameters:
  ///   - number: The number.
  ///   - one: The singular noun.
  ///   - several: The plural noun, by default `one` followed by `s`.
  public init(_ number: Int, _ one: String, _ several: String? = nil) {
    description = "\(number) \(number == 1 ? one : several ?? one + "s")"
  }
}
