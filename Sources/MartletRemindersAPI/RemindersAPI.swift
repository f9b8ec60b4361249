import MartletLiveAPI
import MartletReminders
import MartletSQLite

/// The service's routes, all on one page.
public enum RemindersAPI {
  public static var routes: [Route] {
    [
      ListRoutes.list, ListRoutes.create, ListRoutes.get, ListRoutes.update, ListRoutes.delete,
      OrderRoutes.lists, OrderRoutes.reminders,
      ReminderRoutes.list, ReminderRoutes.listOfList, ReminderRoutes.create,
      ReminderRoutes.createInList, ReminderRoutes.get, ReminderRoutes.update,
      ReminderRoutes.delete, ReminderRoutes.tag, ReminderRoutes.untag,
      TagRoutes.list, TagRoutes.create, TagRoutes.get, TagRoutes.rename, TagRoutes.delete,
      SearchRoutes.search, StatisticsRoutes.get, LiveRoutes.live, .batch("/v1/batch"),
      TransferRoutes.export, TransferRoutes.import,
      .whoami("/v1/whoami", parts: "lists"), .liveSessions("/v1/live/sessions"),
    ]
  }

  /// What the words of paths stand for (``API/Settings/nouns``).
  public static let nouns = ["lists": "list", "reminders": "reminder", "tags": "tag"]

  /// What the domain's errors are in terms of problems; `nil` for others.
  @Sendable public static func problem(of error: any Error) -> APIProblem? {
    switch error {
    case let error as DomainError: refusal(error)
    case let rule as RuleViolation: violation(rule)
    case is InvalidCursor:
      APIProblem(
        .invalidCursor, "The cursor belongs to another sort or other filters.",
        errors: [
          FieldError(.parameter("cursor"), "belongs to the list that it was given with")
        ])
    case let error as SQLiteError:
      // A trigger's RAISE comes as a constraint, with the rule as its message.
      RuleViolation(rawValue: error.message).map(violation)
        ?? ValueRule(rawValue: error.message).map {
          APIProblem(.invalidBody, "The database does not take it (\($0.rawValue)).")
        }
    default: nil
    }
  }

  private static func refusal(_ error: DomainError) -> APIProblem {
    switch error {
    case .notFound(.list(let id)): return .missing("list", "\(id)")
    case .notFound(.reminder(let id)): return .missing("reminder", "\(id)")
    case .notFound(.tag(let title)): return .missing("tag", title)
    case .notFound(.tagging(let title, let id)):
      return .notFound("The reminder \(id) does not carry the tag \(shown(title)).")
    case .tagExists(let title):
      return APIProblem(
        .tagExists,
        "There is a tag \"\(title)\" already. A rename with ?merge=true makes the two one.")
    case .notAllOfThem(let missing, let unknown, let repeated):
      var faults: [String] = []
      if !missing.isEmpty { faults.append("missing: \(shortened(missing))") }
      if !unknown.isEmpty { faults.append("unknown: \(shortened(unknown))") }
      if !repeated.isEmpty { faults.append("more than once: \(shortened(repeated))") }
      return APIProblem(
        .invalidBody, "An order names all of them, once each.",
        errors: [FieldError(.pointer("/ids"), faults.joined(separator: "; "))])
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
        .unknownList, "There is no such list.",
        errors: [FieldError(.pointer("/listID"), "no list has this id")])
    case .tooManyTags: .tooManyTags
    }
  }
}

extension APIProblem {
  static var tooManyTags: APIProblem {
    APIProblem(.tooManyTags, "A reminder carries at most five tags.")
  }
}
