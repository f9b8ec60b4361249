import MartletCourier
import MartletLiveAPI
import MartletReminders
import MartletSQLite
import MartletTime

/// The routes of the reminders service, and the problems for its errors.
public enum RemindersAPI {
  /// The settings of the routes.
  public typealias Settings = RemindersAPISettings

  /// All routes below `/v1`, with the default settings.
  public static var routes: [Route] { routes(Settings()) }

  /// All routes below `/v1`.
  public static func routes(_ settings: Settings) -> [Route] {
    let zone = settings.zone
    return [
      ListRoutes.list, ListRoutes.create, ListRoutes.get, ListRoutes.update,
      ListRoutes.delete(keep: settings.trash),
      OrderRoutes.lists, OrderRoutes.reminders, OrderRoutes.list, OrderRoutes.reminder,
      ReminderRoutes.list, ReminderRoutes.listOfList, ReminderRoutes.create(settings),
      ReminderRoutes.createInList(settings), ReminderRoutes.get, ReminderRoutes.update(settings),
      ReminderRoutes.delete(keep: settings.trash), ReminderRoutes.tag, ReminderRoutes.untag,
      QuickAddRoute.add(settings),
      SmartListRoutes.list, SmartListRoutes.create, SmartListRoutes.get, SmartListRoutes.update,
      SmartListRoutes.delete, SmartListRoutes.reminders, OrderRoutes.smartLists,
      OrderRoutes.smartList,
      CompletionRoutes.skip(in: zone), CompletionRoutes.reopen(in: zone),
      CompletionRoutes.occurrences(in: zone),
      CompletionRoutes.list, CompletionRoutes.undo(in: zone),
      AlarmRoutes.list, AlarmRoutes.create(in: zone), AlarmRoutes.get,
      AlarmRoutes.update(in: zone), AlarmRoutes.delete,
      ChannelRoutes.list, ChannelRoutes.create(settings.outgoing, settings.checkCourier),
      ChannelRoutes.get, ChannelRoutes.update(settings.outgoing), ChannelRoutes.delete,
      ChannelRoutes.test(settings.checkCourier), ChannelRoutes.rotate,
      PushRoutes.key(settings.makePushKey), PushRoutes.deleteKey,
      PushRoutes.list, PushRoutes.get,
      PushRoutes.subscribe(settings), PushRoutes.update, PushRoutes.delete,
      PushRoutes.test(settings.checkCourier),
      DeliveryRoutes.list, DeliveryRoutes.get, DeliveryRoutes.retry, AnswerRoute.answer(in: zone),
      TagRoutes.list, TagRoutes.create, TagRoutes.get, TagRoutes.rename, TagRoutes.delete,
      TrashRoutes.list(keep: settings.trash), TrashRoutes.restore, TrashRoutes.erase,
      TrashRoutes.empty, ChangesRoute.changes, SearchRoutes.search, StatisticsRoutes.get,
      SettingsRoutes.get(settings), SettingsRoutes.update(settings), LiveRoutes.live,
      .batch("/v1/batch"),
      TransferRoutes.export(in: zone), TransferRoutes.import(settings),
      .whoami("/v1/whoami", parts: "lists"), .liveSessions("/v1/live/sessions"),
    ]
      + Route.keys("/v1/keys", parts: "lists") { try RemindersList.exists($0, in: $1) }
      + Route.pairing("/v1/pairing-codes", "/v1/pairings", parts: "lists")
  }

  /// The singular noun for each path segment, for 404 messages (``API/Settings/nouns``).
  public static let nouns = [
    "lists": "list", "smart-lists": "smart list", "reminders": "reminder", "tags": "tag",
    "alarms": "alarm",
    "channels": "channel", "deliveries": "delivery", "keys": "key",
    "subscriptions": "subscription",
  ]

  /// The problem for an error of the domain; `nil` for other errors.
  @Sendable public static func problem(of error: any Error) -> APIProblem? {
    switch error {
    case let error as DomainError: refusal(error)
    case let rule as RuleViolation: violation(rule)
    case let expired as FeedExpired:
      APIProblem(
        .feedExpired,
        expired.isOtherRequest
          ? "The token belongs to other filters, or the lists of the key have changed. Start again without since."
          : "The changes since this token are not known any more. Start again without since.")
    case TransferError.reminderTwice(let id):
      APIProblem(.invalidBody, "The reminder \(id), which has subtasks, appears twice.")
    case TransferError.unknownParent(let id, let line):
      APIProblem(.invalidBody, "The reminder \(id) in parentID is not in the file.").onLine(line)
    case TransferError.parent(let rule, let line): violation(rule).onLine(line)
    case is InvalidCursor:
      APIProblem(
        .invalidCursor, "The cursor was issued for another sort order or other filters.",
        errors: [
          FieldError(
            .parameter("cursor"),
            "send it with the sort and the filters of the page that returned it")
        ])
    case let error as SQLiteError:
      RuleViolation(rawValue: error.brokenRule).map(violation)
        ?? ValueRule(rawValue: error.brokenRule).map {
          APIProblem(.invalidBody, "The database rejected a value (\($0.rawValue)).")
        }
    default: nil
    }
  }

  private static func refusal(_ error: DomainError) -> APIProblem {
    switch error {
    case .notFound(.list(let id)): return .missing("list", "\(id)")
    case .notFound(.smartList(let id)): return .missing("smart list", "\(id)")
    case .notFound(.reminder(let id)): return .missing("reminder", "\(id)")
    case .notFound(.tag(let title)): return .missing("tag", title)
    case .notFound(.tagging(let title, let id)):
      return .notFound("Reminder \(id) does not have the tag \(shown(title)).")
    case .notFound(.trash(let id)):
      return .notFound("There is no entry \(id) in the trash.")
    case .listIsGone(let id):
      return APIProblem(
        .listIsGone,
        "The list \(id) of the reminder does not exist. Send listID to restore it in another list.",
        errors: [FieldError(.parameter("listID"), "expected the ID of a list")])
    case .idExists(let place):
      var problem = APIProblem(
        .idExists,
        "Another program has used the ID again: delete \(name(place)) first, or erase the entry.")
      problem.location = path(place)
      return problem
    case .unreadable(let place):
      return APIProblem(
        .entryUnreadable,
        "Another program has changed \(name(place)), and it cannot be restored. Erase it.")
    case .uidExists(let uid, let place):
      var problem = APIProblem(
        .uidExists, "\(shown(uid)) is already the uid of \(name(place)).",
        errors: [FieldError(.pointer("/uid"), "expected a uid that is not in use")])
      problem.location = path(place)
      return problem
    case .uidInList(let uid, let place):
      var problem = APIProblem(
        .uidExists,
        "The reminder stays in its list: \(name(place)) of the other list has the same uid, \(shown(uid)).",
        errors: [FieldError(.pointer("/listID"), "expected a list without a reminder of this uid")])
      problem.location = path(place)
      return problem
    case .notFound(.alarm(let id)): return .missing("alarm", "\(id)")
    case .notFound(.channel(let id)): return .missing("channel", "\(id)")
    case .notFound(.subscription(let id)): return .missing("subscription", "\(id)")
    case .notFound(.delivery(let id)): return .missing("delivery", "\(id)")
    case .invalid(let place, let detail):
      return APIProblem(
        .invalidBody, "The body is invalid.", errors: [FieldError(.pointer("/\(place)"), detail)])
    case .tooDense:
      return APIProblem(
        .changeTooLarge,
        """
        The positions of this list have no gaps, and the move would change thousands of rows. An order of the whole list \
        gives it gaps: PUT /v1/lists/{id}/reminders/order.
        """)
    case .channelDisabled(let id):
      return APIProblem(
        .channelDisabled, "Channel \(id) is disabled. Enable it first: {\"isEnabled\": true}.")
    case .tooManySubscriptions(let oldest):
      var detail =
        "A key can have at most \(PushSubscriptionItem.mostOfKey) push subscriptions, and all keys \(PushSubscriptionItem.most)."
      if let oldest { detail += " The one that was not seen for longest is \(shown(oldest))." }
      return APIProblem(.tooManySubscriptions, detail)
    case .subscriptionLost(let id):
      return APIProblem(
        .subscriptionLost, "The push service has ended the subscription \(id). Subscribe again.")
    case .tooManyTests(let seconds):
      return APIProblem(
        .tooManyTests,
        "A device can be tried \(PushRepository.mostTests) times in an hour. Try again in \(seconds) s.",
        retryAfter: seconds)
    case .notSigned(let id):
      return APIProblem(
        .notSigned, "Channel \(id) has no secret: only messages to webhooks are signed.")
    case .ruleNotRead(let id):
      return APIProblem(
        .ruleNotRead,
        """
        Reminder \(id) recurs by a rule that was not understood, so its next occurrence is not known here. Complete it in \
        the program that wrote it, or give it another recurrence.
        """)
    case .notFound(.completion(let id)): return .missing("completion", "\(id)")
    case .recurrence(let part, let detail):
      return APIProblem(
        .invalidBody, "The body is invalid.",
        errors: [FieldError(.pointer("/recurrence/\(part.rawValue)"), detail)])
    case .notRecurring(let id):
      return APIProblem(
        .notRecurring,
        "Reminder \(id) does not recur, is completed, or this is its last occurrence.")
    case .nothingToUndo(let id):
      return APIProblem(.nothingToUndo, "Reminder \(id) is open, and has no completion of its own.")
    case .notTheNewest(let id):
      return APIProblem(
        .notTheNewest,
        "Completion \(id) is not the newest of its reminder. Undo the newer ones first.")
    case .tagExists(let title):
      return APIProblem(
        .tagExists,
        "The tag \"\(title)\" already exists. A rename with ?merge=true merges a tag into it.")
    case .incompleteOrder(let missing, let unknown, let repeated):
      var faults: [String] = []
      if !missing.isEmpty { faults.append("missing: \(shortened(missing))") }
      if !unknown.isEmpty { faults.append("unknown: \(shortened(unknown))") }
      if !repeated.isEmpty { faults.append("more than once: \(shortened(repeated))") }
      return APIProblem(
        .invalidBody, "ids must contain every ID exactly once.",
        errors: [FieldError(.pointer("/ids"), faults.joined(separator: "; "))])
    }
  }

  private static func name(_ place: DomainError.Thing) -> String {
    switch place {
    case .list(let id): "list \(id)"
    case .smartList(let id): "smart list \(id)"
    case .reminder(let id), .tagging(_, let id): "reminder \(id)"
    case .tag(let title): "the tag \(shown(title))"
    case .trash(let id): "entry \(id) of the trash"
    case .completion(let id): "completion \(id)"
    case .alarm(let id): "alarm \(id)"
    case .channel(let id): "channel \(id)"
    case .subscription(let id): "subscription \(id)"
    case .delivery(let id): "delivery \(id)"
    }
  }

  private static func path(_ place: DomainError.Thing) -> String? {
    switch place {
    case .list(let id): "/v1/lists/\(id)"
    case .smartList(let id): "/v1/smart-lists/\(id)"
    case .reminder(let id), .tagging(_, let id): "/v1/reminders/\(id)"
    case .alarm(let id): "/v1/alarms/\(id)"
    case .channel(let id): "/v1/channels/\(id)"
    case .subscription(let id): "/v1/push/subscriptions/\(id)"
    case .delivery(let id): "/v1/deliveries/\(id)"
    case .tag, .trash, .completion: nil
    }
  }

  private static func shortened(_ ids: [Int]) -> String {
    let shown = ids.sorted().prefix(10).map(String.init).joined(separator: ", ")
    return ids.count > 10 ? "\(shown) and \(ids.count - 10) more" : shown
  }

  private static func violation(_ rule: RuleViolation) -> APIProblem {
    switch rule {
    case .unknownList:
      APIProblem(
        .unknownList, "The list in listID does not exist.",
        errors: [FieldError(.pointer("/listID"), "no list has this ID")])
    case .tooManyTags: .tooManyTags
    case .unknownParent:
      APIProblem(
        .unknownParent, "The reminder in parentID does not exist.",
        errors: [FieldError(.pointer("/parentID"), "no reminder has this ID")])
    case .cyclicParent:
      APIProblem(.cyclicParent, "A reminder cannot be a subtask of itself or of its own subtasks.")
    case .tooDeep:
      APIProblem(.tooDeep, "Subtasks have at most five levels: a reminder, and four below it.")
    case .tooManyAlarms:
      APIProblem(
        .tooManyAlarms, "A reminder can have at most \(ReminderAlarm.most) alarms.")
    case .tooManyChannels:
      APIProblem(
        .tooManyChannels, "There are \(ChannelItem.most) channels, the most possible.")
    case .tooManySmartLists:
      APIProblem(
        .tooManySmartLists,
        "There are \(SmartList.most) smart lists, the most possible.")
    case .deliveryWithoutChannel, .deliveryOfAnother:
      APIProblem(.invalidBody, "A delivery stays with its channel.")
    case .alarmWithoutAnchor: .alarmWithoutAnchor("/offset")
    case .alarmWithoutReminder, .alarmOfAnother:
      APIProblem(.invalidBody, "An alarm stays with its reminder.")
    case .objectWithoutReminder, .collectionWithoutList:
      APIProblem(.invalidBody, "A calendar object stays with its reminder.")
    case .parentList:
      APIProblem(
        .invalidBody, "The body is invalid.",
        errors: [
          FieldError(.pointer("/parentID"), "expected a reminder of the list in listID")
        ])
    case .recurrenceWithoutDue:
      APIProblem(
        .recurrenceWithoutDue, "A reminder that recurs needs a due date.",
        errors: [FieldError(.pointer("/dueDate"), "is required with a recurrence")])
    case .startDate:
      APIProblem(
        .invalidBody, "The body is invalid.",
        errors: [
          FieldError(
            .pointer("/startDate"),
            "expected a date or an instant, as dueDate is, and not after dueDate")
        ])
    case .uidExists:
      APIProblem(
        .uidExists, "Another list, or another reminder of the list, has the same uid.")
    }
  }
}
