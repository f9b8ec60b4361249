import MartletQueryBuilder
import MartletTime

/// An event that is to be sent to a channel, or was.
@Table("deliveries")
struct Delivery: Equatable, Sendable {
  let id: Int
  var channelID: Int
  /// The same for every channel and every attempt.
  var eventID: String
  /// A ``ChannelEvent``.
  var type: String
  /// The event as JSON: `{"type": …, "timestamp": …, "data": {…}}`.
  var body: String
  var state = DeliveryState.waiting
  var createdAt: Instant
  /// When it is given up.
  var expiresAt: Instant
  /// When the next attempt is made; `nil` if it is not waiting.
  var nextAt: Instant?
  /// The number of attempts.
  var attempts = 0
  /// When it was delivered or given up.
  var endedAt: Instant?
  /// The status of the last answer.
  var lastStatus: Int?
  /// Why the last attempt failed.
  var lastError: String?
  /// The secret of an ``AnswerToken``; `nil` if its alarm cannot be answered with it.
  var token: String?
  /// The answer that was given with it: an ``AlarmAnswer``.
  var answer: String?
}

extension Delivery {
  /// Whether it is an alarm, and a channel sends alarms to people.
  func isAlarm(forPeopleBy channel: Channel) -> Bool {
    channel.isForPeople && type == ChannelEvent.alarmRinging.rawValue
  }
}

/// The state of a delivery.
public enum DeliveryState: Int, QueryBindable, CaseIterable, Sendable {
  /// It will be sent, or sent again.
  case waiting
  /// The receiver has confirmed it.
  case delivered
  /// It was given up.
  case dead
  /// Its alarm does not ring any more, so it is not sent to people.
  case answered
  /// It is a part of the message about several alarms.
  case merged

  public static var kind: ColumnKind { .labels(allCases.map(\.label)) }
  /// The name in the API.
  public var label: String {
    switch self {
    case .waiting: "waiting"
    case .delivered: "delivered"
    case .dead: "dead"
    case .answered: "answered"
    case .merged: "merged"
    }
  }
}

extension Delivery: AgingRecord {
  /// How long a delivery is kept.
  static let keep = Duration.seconds(30 * 86_400)

  static func id(_ columns: TableColumns) -> TableColumn<Delivery, Int> { columns.id }
  static func time(_ columns: TableColumns) -> TableColumn<Delivery, Instant> { columns.createdAt }
}

/// A delivery as the API returns it.
@Selection
public struct DeliveryItem: Equatable, Sendable {
  /// The ID of the delivery.
  public let id: Int
  /// The channel.
  public let channelID: Int
  /// The ID of the event: the same for every channel and every attempt.
  public let eventID: String
  /// The type of the event.
  public let type: String
  /// The state of the delivery.
  public let state: DeliveryState
  /// When the event happened.
  public let createdAt: Instant
  /// When it is given up.
  public let expiresAt: Instant
  /// When the next attempt is made; `nil` if it is not waiting.
  public let nextAt: Instant?
  /// The number of attempts.
  public let attempts: Int
  /// When it was delivered or given up.
  public let endedAt: Instant?
  /// The status of the last answer.
  public let lastStatus: Int?
  /// Why the last attempt failed.
  public let lastError: String?
}

extension Delivery.TableColumns {
  /// The columns of a ``DeliveryItem``.
  var item: DeliveryItem.Columns {
    DeliveryItem.Columns(
      id: id, channelID: channelID, eventID: eventID, type: type, state: state,
      createdAt: createdAt, expiresAt: expiresAt, nextAt: nextAt, attempts: attempts,
      endedAt: endedAt, lastStatus: lastStatus, lastError: lastError)
  }
}

/// When a delivery is tried again.
enum RetrySchedule {
  /// The pauses before each attempt after the first.
  static let pauses: [Int64] = [
    5, 5 * 60, 30 * 60, 2 * 3_600, 5 * 3_600, 10 * 3_600, 14 * 3_600, 20 * 3_600, 24 * 3_600,
  ]
  /// The pauses of an alarm for people, who wait for it.
  static let pausesOfAlarms: [Int64] = [
    5, 15, 45, 2 * 60, 5 * 60, 10 * 60, 20 * 60, 3_600, 2 * 3_600, 4 * 3_600, 8 * 3_600,
  ]

  /// The pause after a number of attempts, 20 % more or less, so that what failed together is not
  /// tried again together; `nil` after the last one.
  static func pause(after attempts: Int, of delivery: Int, in pauses: [Int64]) -> Duration? {
    guard (1...pauses.count).contains(attempts) else { return nil }
    // The same for each run of the program, but different for each delivery and attempt.
    var hash = Fingerprint("retry")
    hash.combine("\(delivery)")
    hash.combine("\(attempts)")
    let share = Int64(hash.value % 401) + 800
    return .milliseconds(pauses[attempts - 1] * share)
  }
}
