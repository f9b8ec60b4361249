import MartletTime

/// A record of an export or import. Lists and reminders have their times.
///
/// Lists are ordered by position, and reminders by list and position. This order is the only
/// information about positions.
public enum TransferRecord: Equatable, Sendable {
  /// A list.
  case list(TransferList)
  /// A tag, by its title.
  case tag(String)
  /// A reminder.
  case reminder(TransferReminder)
  /// A completion of the last reminder before it.
  case completion(TransferCompletion)
  /// A single occurrence in a calendar. It can come before its series.
  case occurrence(TransferOccurrence)
  /// A smart list. They come last, because their filters name lists and reminders.
  case smartList(TransferSmartList)
}

/// A smart list in a transfer.
public struct TransferSmartList: Equatable, Sendable {
  /// The fields. IDs in the filter are those of the transfer.
  public var values: SmartListRepository.Values
  /// When it was created; `nil` for the time of the import.
  public var createdAt: Instant?
  /// When it last changed; `nil` for the time of the import.
  public var updatedAt: Instant?

  /// A smart list with the given fields.
  public init(
    _ values: SmartListRepository.Values, createdAt: Instant? = nil, updatedAt: Instant? = nil
  ) {
    self.values = values
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }
}

/// A list in a transfer.
public struct TransferList: Equatable, Sendable {
  /// The ID by which the transfer's reminders refer to the list. The database assigns a new one.
  public var id: Int
  /// The title.
  public var title: String
  /// The color as `0xRRGGBBAA`.
  public var color: Int
  /// The UID; `nil` for a new one.
  public var uid: String?
  /// When the list was created; `nil` for the time of the import.
  public var createdAt: Instant?
  /// When the list last changed; `nil` for the time of the import.
  public var updatedAt: Instant?

  /// A list, by default in ``RemindersList/defaultColor``.
  public init(
    id: Int, title: String, color: Int? = nil, uid: String? = nil, createdAt: Instant? = nil,
    updatedAt: Instant? = nil
  ) {
    self.id = id
    self.title = title
    self.color = color ?? RemindersList.defaultColor
    self.uid = uid
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }
}

/// A reminder in a transfer.
public struct TransferReminder: Equatable, Sendable {
  /// The ID in the database it was exported from; `nil` if the file does not have it. Not used by
  /// an import.
  public var id: Int?
  /// The fields. `listID` refers to a list of the same transfer.
  public var values: ReminderRepository.Values
  /// When the reminder was created; `nil` for the time of the import.
  public var createdAt: Instant?
  /// When the reminder last changed; `nil` for the time of the import.
  public var updatedAt: Instant?
  /// The UID of the parent, in files that have no IDs. The parent is in the same list, before or
  /// after it.
  public var parentUID: String?
  /// The UIDs of other parents, in files that name several. The first one that is there counts.
  public var otherParentUIDs: [String] = []
  /// The UIDs of subtasks, in files whose parents name them.
  public var childUIDs: [String] = []
  /// When the reminder was completed; `nil` if it was not, or for the time of the import.
  public var completedAt: Instant?
  /// The alarms.
  public var alarms: [TransferAlarm] = []
  /// Whether the transfer says which alarms there are. A calendar file does if it has one, also one
  /// that a reminder cannot have, or one that stands for none.
  public var namesAlarms = false
  /// The alarm that the service has given a to-do whose program names none. It is not in its text.
  var defaultAlarm: TransferAlarm?
  /// The parts of the file's reminder that do not fit, as sentences.
  public var unread: [String] = []
  /// The line of the file, for an error that is found later.
  public var line: Int?
  /// The properties of a calendar file that have no field here: content lines (RFC 5545, section
  /// 3.1), unfolded and joined by line feeds.
  public var calendar: String?

  /// A reminder with the given fields.
  public init(
    id: Int? = nil, _ values: ReminderRepository.Values, createdAt: Instant? = nil,
    updatedAt: Instant? = nil, completedAt: Instant? = nil, calendar: String? = nil
  ) {
    self.id = id
    self.completedAt = completedAt
    self.values = values
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.calendar = calendar
  }
}

/// A completion in a transfer.
public struct TransferCompletion: Equatable, Sendable {
  /// The ID in the database it was exported from.
  public var id: Int?
  /// The ID of the reminder in the transfer.
  public var reminderID: Int
  /// The title of the reminder at that time.
  public var title: String
  /// The due date of the occurrence.
  public var dueDate: DueDate?
  /// The start date of the occurrence.
  public var startDate: DueDate?
  /// When it was completed or skipped.
  public var completedAt: Instant
  /// The kind of the completion.
  public var kind: CompletionKind
  /// The rule before, if the completion has changed it.
  public var rule: RecurrenceRule?
  /// The start of the series before, if the completion has changed it.
  public var start: DueDate?
  /// The completion of the parent that completed this one as well.
  public var causeID: Int?
  /// The reminders below that were completed then.
  public var subtasks: [Int] = []

  /// A completion.
  public init(
    reminderID: Int, title: String, dueDate: DueDate? = nil, startDate: DueDate? = nil,
    completedAt: Instant, kind: CompletionKind = .completed
  ) {
    self.reminderID = reminderID
    self.title = title
    self.dueDate = dueDate
    self.startDate = startDate
    self.completedAt = completedAt
    self.kind = kind
  }
}

/// A part of a reminder that an import could not take over.
public struct TransferNote: Equatable, Sendable {
  /// The maximum number of notes of an import.
  public static let most = 1_000

  /// The UID in the file, if it has one.
  public var uid: String?
  /// The title of the reminder.
  public var title: String
  /// A sentence for people.
  public var detail: String
}

/// The numbers of records in a transfer.
public struct TransferCounts: Equatable, Sendable {
  /// The number of lists.
  public var lists = 0
  /// The number of tags.
  public var tags = 0
  /// The number of reminders.
  public var reminders = 0
  /// The number of completions.
  public var completions = 0
  /// The number of smart lists.
  public var smartLists = 0
  /// The parts of reminders that were cut, or stay in their text only: the first
  /// ``TransferNote/most``.
  public var notes: [TransferNote] = []

  /// Zero records.
  public init() {}

  /// Counts a record.
  public mutating func add(_ record: TransferRecord) {
    switch record {
    case .list: lists += 1
    case .tag: tags += 1
    case .reminder: reminders += 1
    case .completion: completions += 1
    case .occurrence: break
    case .smartList: smartLists += 1
    }
  }
}

/// An occurrence of a series that a calendar tells apart from the rule (RFC 5545 sections 3.8.4.4
/// and 3.8.5.2).
public struct TransferOccurrence: Equatable, Sendable {
  /// How an occurrence comes to be there.
  public enum Kind: Sendable {
    /// `RECURRENCE-ID`: one of the rule's was completed, canceled or changed.
    case single
    /// `RECURRENCE-ID` with `RANGE=THISANDFUTURE`: the change holds for all later ones, too.
    case following
    /// `RDATE`: a date that the rule does not give.
    case added
  }

  /// The UID of the series, which is in the same list.
  public var uid: String
  /// How it comes to be there.
  public var kind = Kind.single
  /// When the occurrence begins: the value of `RECURRENCE-ID` or `RDATE`.
  public var date: DueDate
  /// Whether it is canceled.
  public var isCancelled: Bool
  /// The to-do of the occurrence. `listID` refers to a list of the same transfer.
  public var reminder: TransferReminder
  /// The reminder that it becomes if it was only changed, or if its series is not there.
  public var own: TransferReminder
  /// All of its content lines, unfolded and joined by line feeds.
  public var lines: String
}

/// An inconsistency in a transfer.
public enum TransferError: Error, Equatable, Sendable {
  /// Two lists have this ID.
  case listTwice(Int)
  /// A reminder's list does not precede it in the transfer; `nil` if the reminder names no list.
  case unknownList(Int?)
  /// Two reminders have the ID that a subtask names.
  case reminderTwice(Int)
  /// The parent of the reminder on a line is not in the transfer.
  case unknownParent(Int, line: Int?)
  /// The reminder on a line cannot have its parent.
  case parent(RuleViolation, line: Int?)
  /// A completion does not follow its reminder in the transfer.
  case unknownReminder(Int)
}
