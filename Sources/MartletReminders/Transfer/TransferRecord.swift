import MartletTime

/// Something that leaves a database or comes into one, with its times. Lists come by their position, reminders by
/// list and position: the order is all that is said of places.
public enum TransferRecord: Equatable, Sendable {
  case list(TransferList)
  case tag(String)
  case reminder(TransferReminder)
}

public struct TransferList: Equatable, Sendable {
  /// What its reminders call it; in the database it gets another one.
  public var id: Int
  public var title: String
  /// `0xRRGGBBAA`
  public var color: Int
  public var createdAt: Instant?
  public var updatedAt: Instant?

  public init(
    id: Int, title: String, color: Int? = nil, createdAt: Instant? = nil, updatedAt: Instant? = nil
  ) {
    self.id = id
    self.title = title
    self.color = color ?? RemindersList.defaultColor
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }
}

public struct TransferReminder: Equatable, Sendable {
  public var id: Int?
  /// `listID` is a list's of the same transfer.
  public var values: ReminderRepository.Changes
  public var createdAt: Instant?
  public var updatedAt: Instant?
  /// What a calendar file said besides: content lines (RFC 5545 section 3.1), unfolded, line feeds between them.
  public var calendar: String?

  public init(
    id: Int? = nil, _ values: ReminderRepository.Changes, createdAt: Instant? = nil,
    updatedAt: Instant? = nil, calendar: String? = nil
  ) {
    self.id = id
    self.values = values
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.calendar = calendar
  }
}

/// How much there was.
public struct TransferCounts: Equatable, Sendable {
  public var lists = 0
  public var tags = 0
  public var reminders = 0

  public init() {}

  public mutating func add(_ record: TransferRecord) {
    switch record {
    case .list: lists += 1
    case .tag: tags += 1
    case .reminder: reminders += 1
    }
  }
}
