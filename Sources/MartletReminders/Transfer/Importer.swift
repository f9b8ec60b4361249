import MartletQueryBuilder
import MartletSQLite
import MartletStore

/// Adds what another database had, in the transaction of the connection that is given. Everything gets an id of its
/// own: those that there were once are not given again.
public struct Importer {
  private let db: Connection
  /// By the id that the transfer calls them.
  private var lists: [Int: Int] = [:]
  /// The list that a database begins with, where nobody has touched it yet: it goes when others come.
  private let firstList: Int?
  /// How many lists, tags and reminders the transfer has. A tag counts where it is listed, or once where only
  /// reminders carry it, as in tables and calendars.
  public private(set) var counts = TransferCounts()
  private var listedTags: Set<[UInt8]> = []
  private var carriedTags: Set<[UInt8]> = []

  public init(in db: Connection) throws {
    self.db = db
    let known = try RemindersList.all.limit(2).fetchAll(db)
    let isEmpty = try Reminder.all.limit(1).fetchOne(db) == nil
    if isEmpty, known.count == 1, let only = known.first,
      only.title == RemindersList.defaultTitle, only.updatedAt == only.createdAt
    {
      firstList = only.id
    } else {
      firstList = nil
    }
  }

  /// Adds all of them and says how many there were.
  public static func add(
    _ records: [TransferRecord], in db: Connection
  ) throws -> TransferCounts {
    var importer = try Importer(in: db)
    for record in records { try importer.add(record) }
    try importer.finish()
    return importer.counts
  }

  /// Throws ``TransferError`` for a list that was added before, and for a reminder of one that was not.
  public mutating func add(_ record: TransferRecord) throws {
    switch record {
    case .list(let list): try add(list)
    case .tag(let title):
      try Tag.insert { Tag.Columns(title: title) }.onConflictDoNothing().execute(db)
    case .reminder(let reminder): try add(reminder)
    }
    count(record)
  }

  private mutating func count(_ record: TransferRecord) {
    switch record {
    case .list: counts.lists += 1
    case .tag(let title):
      let tag = Importer.folded(title)
      listedTags.insert(tag)
      if !carriedTags.contains(tag) { counts.tags += 1 }
    case .reminder(let reminder):
      counts.reminders += 1
      for tag in (reminder.values.tags ?? []).map(Importer.folded)
      where !listedTags.contains(tag) && carriedTags.insert(tag).inserted {
        counts.tags += 1
      }
    }
  }

  /// As `COLLATE NOCASE` compares them: only ASCII letters are the same in both cases.
  private static func folded(_ tag: String) -> [UInt8] {
    tag.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }
  }

  private mutating func add(_ list: TransferList) throws {
    guard lists[list.id] == nil else { throw TransferError.listTwice(list.id) }
    var changes = ListRepository.Changes()
    changes.title = list.title
    changes.color = list.color
    let id = try ListRepository.create(changes, in: db)
    lists[list.id] = id
    // After the triggers, which take it for new.
    try RemindersList.find(id).update {
      if let created = list.createdAt { $0.createdAt = created }
      if let updated = list.updatedAt { $0.updatedAt = updated }
    }.execute(db)
  }

  private func add(_ reminder: TransferReminder) throws {
    var values = reminder.values
    guard let list = values.listID, let id = lists[list] else {
      throw TransferError.unknownList(values.listID)
    }
    values.listID = id
    let new = try ReminderRepository.create(values, in: db)
    try Reminder.find(new).update {
      if let created = reminder.createdAt { $0.createdAt = created }
      if let updated = reminder.updatedAt { $0.updatedAt = updated }
    }.execute(db)
    if let calendar = reminder.calendar {
      try CalendarLines.insert { CalendarLines(reminderID: new, lines: calendar) }.execute(db)
    }
  }

  /// To be called after the last record.
  public func finish() throws {
    if let firstList, counts.lists > 0 { try ListRepository.delete(firstList, in: db) }
  }
}

/// What a transfer says of itself that is not so.
public enum TransferError: Error, Equatable, Sendable {
  case listTwice(Int)
  case unknownList(Int?)
}
