import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime

/// Reads and changes reminders and their tags. Every function that takes a connection runs in that
/// connection's transaction.
public enum ReminderRepository {
  /// The fields of a reminder that a client can set. Outer `nil` leaves a field unchanged; inner
  /// `nil` clears it.
  public struct Changes: Equatable, Sendable {
    /// The list to move the reminder to.
    public var listID: Int?
    /// The title, at most 1,000 characters.
    public var title: String?
    /// The notes, at most 100,000 characters.
    public var notes: String?
    /// The due date.
    public var dueDate: DueDate??
    /// The priority.
    public var priority: Reminder.Priority??
    /// Whether the reminder is flagged.
    public var isFlagged: Bool?
    /// The status.
    public var status: Reminder.Status?
    /// The titles of all tags, which replace the existing ones.
    public var tags: [String]?
    /// The UID; only for a new reminder.
    public var uid: String?

    /// No changes.
    public init() {}
  }

  /// The query of a single reminder, as a ``ReminderItem``. It has no row if the reminder is not in
  /// `lists`.
  public static func item(_ id: Int, among lists: ListExtent = .all) -> Query {
    guard case .only = lists else { return byID(id) }
    return Reminder.find(id).where { if let extent = lists.condition($0) { extent } }
      .select { $0.item }.query
  }

  private static let byID = PreparedQuery<Int> { id in Reminder.find(id).select { $0.item } }

  /// A page of reminders. Throws ``InvalidCursor`` if the cursor belongs to another filter or sort
  /// order.
  public static func page(
    _ filter: ReminderFilter, sort: ReminderSort, _ request: PageRequest, now: Instant
  ) throws(InvalidCursor) -> PageQuery {
    try ReminderPages(filter: filter, sort: sort, request: request, now: now).page()
  }

  /// Creates a reminder and returns its ID.
  ///
  /// A trigger checks that the list exists. Throws ``RuleViolation/unknownList`` for a list outside
  /// `lists`, ``RuleViolation/tooManyTags`` for more than five different tags, and
  /// ``DomainError/uidExists(_:at:)`` if a reminder of the list has the UID, before anything is
  /// written.
  public static func create(
    _ changes: Changes, among lists: ListExtent = .all, in db: Connection
  ) throws -> Int {
    if let list = changes.listID, !lists.contains(list) { throw RuleViolation.unknownList }
    let tags = try distinct(changes.tags ?? [])
    if let uid = changes.uid, let id = try withUID(uid, in: changes.listID ?? 0).fetchOne(db) {
      throw DomainError.uidExists(uid, at: .reminder(id))
    }
    let query = insertion(
      changes.listID ?? 0, changes.title ?? "", changes.notes ?? "", changes.dueDate ?? nil,
      changes.priority ?? nil, changes.isFlagged ?? false, changes.status ?? .incomplete,
      changes.uid)
    try db.statement(for: query).run()
    let id = Int(db.lastInsertRowID)
    for tag in tags { try add(tag: tag, to: id, in: db) }
    return id
  }

  /// The ID of the reminder of a list that has a UID. `eq`, because `IS` does not use an index of
  /// the rows that are not NULL.
  static func withUID(_ uid: String, in list: Int) -> some Statement<Int> {
    Reminder.where { $0.uid.eq(uid) && $0.remindersListID == list }.select(\.id)
  }

  private static let insertion = PreparedQuery<
    Int, String, String, DueDate?, Reminder.Priority?, Bool, Reminder.Status, String?
  > { list, title, notes, due, priority, flag, status, uid in
    Reminder.insert {
      (
        $0.remindersListID, $0.title, $0.notes, $0.dueDate, $0.priority, $0.isFlagged, $0.status,
        $0.uid
      )
    } values: {
      (list, title, notes, due, priority, flag, status, uid)
    }
  }

  /// Changes the fields that differ from the stored values. If all are equal, the reminder is not
  /// touched.
  ///
  /// Throws ``DomainError/notFound(_:)`` if the reminder does not exist in `lists`. Throws
  /// ``RuleViolation/unknownList`` for a list outside `lists` and ``RuleViolation/tooManyTags`` for
  /// more than five different tags, before anything is written.
  public static func update(
    _ id: Int, _ changes: Changes, among lists: ListExtent = .all, in db: Connection
  ) throws {
    guard let old = try Reminder.find(id).fetchOne(db), lists.contains(old.remindersListID) else {
      throw DomainError.notFound(.reminder(id))
    }
    if let list = changes.listID, !lists.contains(list) { throw RuleViolation.unknownList }
    let tags = try changes.tags.map(distinct)
    if let list = changes.listID, list != old.remindersListID, let uid = old.uid,
      let other = try withUID(uid, in: list).fetchOne(db)
    {
      throw DomainError.uidInList(uid, at: .reminder(other))
    }
    try Reminder.find(id).update {
      if let list = changes.listID, list != old.remindersListID { $0.remindersListID = list }
      // Compared by bytes: Swift's string equality treats composed and decomposed letters as equal.
      if let title = changes.title, !title.utf8.elementsEqual(old.title.utf8) { $0.title = title }
      if let notes = changes.notes, !notes.utf8.elementsEqual(old.notes.utf8) { $0.notes = notes }
      if let due = changes.dueDate, due != old.dueDate { $0.dueDate = due }
      if let priority = changes.priority, priority != old.priority { $0.priority = priority }
      if let flag = changes.isFlagged, flag != old.isFlagged { $0.isFlagged = flag }
      if let status = changes.status, status != old.status { $0.status = status }
    }.execute(db)
    if let tags { try replaceTags(of: id, with: tags, in: db) }
  }

  /// Deletes a reminder, into the trash unless `isPermanent`. Throws ``DomainError/notFound(_:)``
  /// if it does not exist in `lists`.
  public static func delete(
    _ id: Int, among lists: ListExtent = .all, isPermanent: Bool = false, in db: Connection
  ) throws {
    try check(id, lists, db)
    guard try Reminder.find(id).delete().returning(\.id).fetchOne(db) != nil else {
      throw DomainError.notFound(.reminder(id))
    }
    if isPermanent { try TrashRepository.erase(.reminder, id, in: db) }
  }

  /// Orders a list's reminders as in `ids`, which must contain each of them exactly once. Throws
  /// ``DomainError/incompleteOrder(missing:unknown:repeated:)`` otherwise.
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

  /// Throws if the reminder is not in `lists`.
  private static func check(_ id: Int, _ lists: ListExtent, _ db: Connection) throws {
    guard case .only = lists else { return }
    let list = try Reminder.find(id).select(\.remindersListID).fetchOne(db)
    guard let list, lists.contains(list) else { throw DomainError.notFound(.reminder(id)) }
  }

  // MARK: Tags

  /// Adds a tag to a reminder, and creates the tag if it is new. Has no effect if the reminder
  /// already carries it.
  ///
  /// Throws ``DomainError/notFound(_:)`` if the reminder does not exist in `lists`.
  public static func tag(
    _ id: Int, with tag: String, among lists: ListExtent = .all, in db: Connection
  ) throws {
    guard try Reminder.find(id).exists(in: db) else { throw DomainError.notFound(.reminder(id)) }
    try check(id, lists, db)
    try add(tag: tag, to: id, in: db)
  }

  /// Removes a tag from a reminder. Throws ``DomainError/notFound(_:)`` if the reminder does not
  /// exist in `lists` or does not carry the tag.
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

  /// The different tags, each in its first spelling.
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
    // Tags are removed before others are added, so that five can be replaced by five others.
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
