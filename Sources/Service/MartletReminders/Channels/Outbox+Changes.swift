import MartletJSON
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime

// The changes of lists and reminders. A channel reads the change feed from where it has come to,
// so a write costs nothing more, and a channel that is behind skips what was superseded.
extension Outbox {
  /// The number of changes that are added to a channel in one transaction.
  static let portion = 100

  /// The channels that read the change feed.
  static func following() -> Where<Channel> {
    Channel.where { $0.isEnabled && $0.isFollowing }
  }

  /// Whether a channel has changes to read, and may have more deliveries.
  static func hasNews(_ db: Connection) throws -> Bool {
    try following().fetchAll(db).contains { channel in
      try feed(of: channel, portion: 0).news(after: channel.version).fetchOne(db) != nil
        && Outbox.mostWaiting > (Outbox.waiting(for: channel.id).fetchOne(db) ?? 0)
    }
  }

  /// Adds the next changes to each channel that reads them.
  static func addChanges(at now: Instant, _ db: Connection) throws {
    let epoch = try epoch(db)
    for channel in try following().fetchAll(db) {
      guard var receiver = try Receiver(channel, at: now, db), receiver.room > 0 else { continue }
      let news = try feed(of: channel, portion: min(portion, receiver.room))
        .news(after: channel.version).fetchAll(db)
      guard let last = news.last else { continue }
      let isEnd = news.count <= min(portion, receiver.room)
      let taken = isEnd ? news[...] : news.dropLast()
      for (version, kind, id, isGone) in taken {
        let line = Line(version: version, kind: kind, id: id, isGone: isGone, epoch: epoch)
        try add(line, to: &receiver, at: now, db)
      }
      // The marks of new rows advance only at the end: a row that was created or completed before
      // may have changed again, so that a later line stands for it.
      var marks = try isEnd ? Marks(db) : Marks(of: channel)
      marks.version = isEnd ? last.0 : taken.last?.0 ?? channel.version
      try marks.store(in: channel.id, db)
    }
  }

  /// The positions up to which a channel has seen the feed and the completions.
  struct Marks {
    var version: Int
    var reminder: Int
    var list: Int
    var completion: Int

    init(of channel: Channel) {
      version = channel.version
      reminder = channel.reminderID
      list = channel.listID
      completion = channel.completionID
    }

    /// Everything there is.
    init(_ db: Connection) throws {
      version = try ChangeLine.select { $0.version.max() }.fetchOne(db).flatMap { $0 } ?? 0
      reminder = try Reminder.select { $0.id.max() }.fetchOne(db).flatMap { $0 } ?? 0
      list = try RemindersList.select { $0.id.max() }.fetchOne(db).flatMap { $0 } ?? 0
      completion = try Completion.select { $0.id.max() }.fetchOne(db).flatMap { $0 } ?? 0
    }

    func store(in channel: Int, _ db: Connection) throws {
      try Channel.find(channel).update {
        $0.version = version
        $0.reminderID = reminder
        $0.listID = list
        $0.completionID = completion
      }.execute(db)
    }
  }

  private struct Line {
    let version: Int
    let kind: ChangeKind
    let id: Int
    let isGone: Bool
    let epoch: String
  }

  private static func feed(of channel: Channel, portion: Int) -> ChangeFeed {
    var feed = ChangeFeed()
    feed.lists = channel.extent
    feed.limit = portion
    return feed
  }

  /// Adds what a change is: a creation and a completion if they are new, else a change. Instead of
  /// a type that the channel is not set to, a change is added.
  private static func add(
    _ line: Line, to receiver: inout Receiver, at now: Instant, _ db: Connection
  ) throws {
    let channel = receiver.channel
    var isReported = false
    func report(_ type: ChannelEvent, _ name: String) throws {
      guard channel.sends(type) else { return }
      let event = Event(
        id: "\(line.epoch)-\(name)", type: type, body: try body(line, type, at: now, db))
      if try add(event, to: &receiver, at: now, db) { isReported = true }
    }
    switch (line.kind, line.isGone) {
    case (.list, true): try report(.listDeleted, "change-\(line.version)")
    case (.reminder, true): try report(.reminderDeleted, "change-\(line.version)")
    case (.list, false):
      if line.id > channel.listID { try report(.listCreated, "list-\(line.id)") }
      if !isReported { try report(.listChanged, "change-\(line.version)") }
    case (.reminder, false):
      if line.id > channel.reminderID { try report(.reminderCreated, "reminder-\(line.id)") }
      if let completion = try completion(of: line.id, after: channel.completionID).fetchOne(db) {
        try report(.reminderCompleted, "completion-\(completion)")
      }
      if !isReported { try report(.reminderChanged, "change-\(line.version)") }
    // Only people who look at them need smart lists.
    case (.smartList, _): break
    }
  }

  /// The newest completion of a reminder that a channel has not seen.
  static func completion(of reminder: Int, after mark: Int) -> some Statement<Int> {
    Completion
      .where { $0.reminderID == reminder && $0.id > mark && $0.kind == .completed }
      .order { $0.id.desc() }.limit(1).select(\.id)
  }

  private static func body(
    _ line: Line, _ type: ChannelEvent, at now: Instant, _ db: Connection
  ) throws -> String {
    try body(of: type, at: now) { data in
      switch (line.kind, line.isGone) {
      case (.list, false):
        try data.member("list") { try write(ListRepository.feedItem(line.id), into: $0, db) }
      case (.reminder, false):
        let list = try Reminder.find(line.id).select(\.remindersListID).fetchOne(db)
        try write(reminder: line.id, inList: list ?? 0, into: &data, db)
      case (.list, true): try data.member("list") { try writeGone(line, list: nil, into: $0, db) }
      case (.reminder, true):
        let list = try ChangeLine.find(line.version).select(\.listID).fetchOne(db) ?? 0
        try data.member("reminder") { try writeGone(line, list: list, into: $0, db) }
        try data.member("list") { try write(ListRepository.feedItem(list), into: $0, db) }
      case (.smartList, _): break
      }
    }
  }

  /// Writes the body of a deletion: the kind, the ID, and the title from the trash. A reminder that
  /// has left the lists of the channel has no title, also if it was deleted elsewhere since.
  private static func writeGone(
    _ line: Line, list: Int?, into buffer: ByteBuffer, _ db: Connection
  ) throws {
    let isThere = try line.kind == .reminder && Reminder.find(line.id).exists(in: db)
    let title = try isThere ? nil : deletedTitle(line.kind, line.id, in: list).fetchOne(db)
    JSONWriter.object(into: buffer) { object in
      object.member("id", line.id)
      if let list { object.member("listID", list) }
      object.member("title", title)
    }
  }

  /// The title of what was deleted last under an ID; of a reminder, if it was in this list.
  static func deletedTitle(
    _ kind: ChangeKind, _ id: Int, in list: Int?
  ) -> some Statement<String> {
    TrashEntry.where { entry in
      entry.itemID == id && entry.kind == kind
      if let list { entry.listID == list }
    }
    .order { $0.id.desc() }.limit(1).select(\.title)
  }
}
