import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime

/// Reminders by id, by page, and their changes. Each function runs in the transaction of the
/// connection that it is given.
public enum ReminderRepository {
  /// What a client may set. Outer `nil`: leave it; inner `nil`: clear it.
  public struct Changes: Equatable, Sendable {
    public var listID: Int?
    public var title: String?
    public var notes: String?
    public var dueDate: DueDate??
    public var priority: Reminder.Priority??
    public var isFlagged: Bool?
    public var status: Reminder.Status?
    /// Replaces all of them.
    public var tags: [String]?

    public init() {}
  }

  public static func item(_ id: Int, among lists: ListExtent = .all) -> Query {
    guard case .only = lists else { return byID(id) }
    return Reminder.find(id).where { if let extent = lists.condition($0) { extent } }
      .select { $0.item }.query
  }

  private static let byID = PreparedQuery<Int> { id in Reminder.find(id).select { $0.item } }

  public static func page(
    _ filter: ReminderFilter, sort: ReminderSort, _ request: PageRequest, now: Instant
  ) throws(InvalidCursor) -> PageQuery {
    try ReminderPages(filter: filter, sort: sort, request: request, now: now).page()
  }

  /// Gives the new reminder's id. The list's existence is the trigger's to check. Throws
  /// ``RuleViolation/tooManyTags`` for a sixth different tag before anything is written.
  public static func create(
    _ changes: Changes, among lists: ListExtent = .all, in db: Connection
  ) throws -> Int {
    if let list = changes.listID, !lists.contains(list) { throw RuleViolation.unknownList }
    let tags = try distinct(changes.tags ?? [])
    let query = insertion(
      changes.listID ?? 0, changes.title ?? "", changes.notes ?? "", changes.dueDate ?? nil,
      changes.priority ?? nil, changes.isFlagged ?? false, changes.status ?? .incomplete)
    try db.statement(for: query).run()
    let id = Int(db.lastInsertRowID)
    for tag in tags { try add(tag: tag, to: id, in: db) }
    return id
  }

  private static let insertion = PreparedQuery<
    Int, String, String, DueDate?, Reminder.Priority?, Bool, Reminder.Status
  > { list, title, notes, due, priority, flag, status in
    Reminder.insert {
      ($0.remindersListID, $0.title, $0.notes, $0.dueDate, $0.priority, $0.isFlagged, $0.status)
    } values: {
      (list, title, notes, due, priority, flag, status)
    }
  }

  /// Changes what differs from what is stored: setting a reminder to what it is does not touch it. Throws
  /// ``RuleViolation/tooManyTags`` for a sixth different tag before anything is written.
  public static func update(
    _ id: Int, _ changes: Changes, among lists: ListExtent = .all, in db: Connection
  ) throws {
    guard let old = try Reminder.find(id).fetchOne(db), lists.contains(old.remindersListID) else {
      throw DomainError.notFound(.reminder(id))
    }
    if let list = changes.listID, !lists.contains(list) { throw RuleViolation.unknownList }
    let tags = try changes.tags.map(distinct)
    try Reminder.find(id).update {
      if let list = changes.listID, list != old.remindersListID { $0.remindersListID = list }
      // By bytes: to Swift's equality a composed letter and a decomposed one are the same.
      if let title = changes.title, !title.utf8.elementsEqual(old.title.utf8) { $0.title = title }
      if let notes = changes.notes, !notes.utf8.elementsEqual(old.notes.utf8) { $0.notes = notes }
      if let due = changes.dueDate, due != old.dueDate { $0.dueDate = due }
      if let priority = changes.priority, priority != old.priority { $0.priority = priority }
      if let flag = changes.isFlagged, flag != old.isFlagged { $0.isFlagged = flag }
      if let status = changes.status, status != old.status { $0.status = status }
    }.execute(db)
    if let tags { try replaceTags(of: id, with: tags, in: db) }
  }

  public static func delete(
    _ id: Int, among lists: ListExtent = .all, in db: Connection
  ) throws {
    try check(id, lists, db)
    guard try Reminder.find(id).delete().returning(\.id).fetchOne(db) != nil else {
      throw DomainError.notFound(.reminder(id))
    }
  }

  /// Puts a list's reminders into the order of `ids`, which are all of them, once each.
  public static func order(_ ids: [Int], ofList list: Int, in db: Connection) throws {
    guard try ListRepository.exists(list, in: db) else {
      throw DomainError.notFound(.list(list))
    }
    let stored = try Reminder.where { $0.remindersListID == list }
      .select { ($0.id, $0.position) }.fetchAll(db)
    for (id, position) in try Reordering(stored: stored, asked: ids).changes() {
      try Reminder.find(id).update { $0.position = position }.execute(db)
    }
  }

  /// Throws where the reminder lies in none of `lists`.
  private static func check(_ id: Int, _ lists: ListExtent, _ db: Connection) throws {
    guard case .only = lists else { return }
    let list = try Reminder.find(id).select(\.remindersListID).fetchOne(db)
    guard let list, lists.contains(list) else { throw DomainError.notFound(.reminder(id)) }
  }

  // MARK: Tags

  /// Makes the tag when it is new. Tagging twice is tagging once.
  public static func tag(
    _ id: Int, with tag: String, among lists: ListExtent = .all, in db: Connection
  ) throws {
    guard try Reminder.find(id).exists(in: db) else { throw DomainError.notFound(.reminder(id)) }
    try check(id, lists, db)
    try add(tag: tag, to: id, in: db)
  }

  public static func untag(
    _ id: Int, from tag: String, among lists: ListExtent = .all, in db: Connection
  ) throws {
    try check(id, lists, db)
    let removed = try ReminderTag.where { $0.reminderID == id && $0.tagID == tag }
      .delete().returning(\.id).fetchOne(db)
    guard removed == nil else { return }
    guard try Reminder.find(id).exists(in: db) else { throw DomainError.notFound(.reminder(id)) }
    throw DomainError.notFound(.tagging(tag, reminder: id))
  }

  /// Each tag once, as it is spelt first.
  private static func distinct(_ tags: [String]) throws -> [String] {
    var keys: Set<[UInt8]> = []
    var distinct: [String] = []
    for tag in tags where keys.insert(Tag.key(tag)).inserted {
      guard distinct.count < Reminder.mostTags else { throw RuleViolation.tooManyTags }
      distinct.append(tag)
    }
    return distinct
  }

  private static func replaceTags(of id: Int, with tags: [String], in db: Connection) throws {
    let stored = try ReminderTag.where { $0.reminderID == id }.select(\.tagID).fetchAll(db)
    let wanted = Set(tags.map(Tag.key))
    let known = Set(stored.map(Tag.key))
    // First away, then to: five can be replaced by five others.
    for tag in stored where !wanted.contains(Tag.key(tag)) {
      try ReminderTag.where { $0.reminderID == id && $0.tagID == tag }.delete().execute(db)
    }
    for tag in tags where !known.contains(Tag.key(tag)) { try add(tag: tag, to: id, in: db) }
  }

  private static func add(tag: String, to id: Int, in db: Connection) throws {
    try Tag.insert { Tag.Columns(title: tag) }.onConflictDoNothing().execute(db)
    try ReminderTag.insert { ReminderTag.Draft(reminderID: id, tagID: tag) }
      .onConflictDoNothing().execute(db)
  }
}
