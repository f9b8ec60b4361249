import MartletQueryBuilder
import MartletSQLite
import MartletStore

/// Reads and changes lists. Every function that takes a connection runs in that connection's
/// transaction.
public enum ListRepository {
  /// The fields of a list that a client can set. `nil` leaves a field unchanged.
  public struct Values: Equatable, Sendable {
    /// The title, at most 1,000 characters.
    public var title: String?
    /// The color as `0xRRGGBBAA`.
    public var color: Int?
    /// The UID; only for a new list.
    public var uid: String?

    /// Values that set nothing.
    public init() {}
  }

  /// The query of a single list, as a ``ListItem``.
  public static func item(_ id: Int) -> Query { byID(id) }

  private static let byID = PreparedQuery<Int> { id in RemindersList.find(id).select { $0.item } }

  /// The query of a single list as the change feed shows it. The numbers of its reminders are left
  /// out: each change of a reminder would be a change of its list.
  static func feedItem(_ id: Int) -> Query { feedItemByID(id) }

  private static let feedItemByID = PreparedQuery<Int> { id in
    RemindersList.find(id).select { list in
      FeedList.Columns(
        id: list.id, uid: list.uid, title: list.title, color: list.hexColor,
        position: list.position)
    }
  }

  /// The IDs and the titles of the lists, by ID.
  public static func titles(
    among lists: ListExtent = .all, in db: Connection
  ) throws -> [(id: Int, title: String)] {
    try RemindersList.where { if let extent = lists.condition($0.id) { extent } }
      .order { $0.id }.select { ($0.id, $0.title) }.fetchAll(db).map { (id: $0.0, title: $0.1) }
  }

  /// The ID of the first list; `nil` if there is no list in `lists`.
  public static func first(among lists: ListExtent = .all, in db: Connection) throws -> Int? {
    try RemindersList.where { if let extent = lists.condition($0.id) { extent } }
      .order { ($0.position, $0.id) }.limit(1).select(\.id).fetchOne(db)
  }

  /// A page of lists, ordered by position. Throws ``InvalidCursor`` if the cursor belongs to
  /// another collection.
  public static func page(
    _ request: PageRequest, among lists: ListExtent = .all
  ) throws(InvalidCursor) -> PageQuery {
    let fingerprint = Fingerprint("lists").value
    let after = try request.keys(for: fingerprint)
    var condition: QueryFragment?
    if let after {
      guard after.count == 2, let position = after[0].integer, let id = after[1].integer else {
        throw InvalidCursor()
      }
      condition = """
        ((\(RemindersList.position), \(RemindersList.columns.id)) > \
        (\(bind: position), \(bind: id)))
        """
    }
    return PageQuery(
      segments: [
        { [condition] limit in
          RemindersList
            .where { list in
              if let condition { SQLQueryExpression<Bool>(condition) }
              if let extent = lists.condition(list.id) { extent }
            }
            .order { ($0.position, $0.id) }
            .limit(limit)
            .select { $0.item }
            .query(hiding: [RemindersList.position, RemindersList.columns.id])
        }
      ],
      keyCount: 2, limit: request.limit, fingerprint: fingerprint,
      total: request.wantsTotal
        ? RemindersList.where { if let extent = lists.condition($0.id) { extent } }.count.query
        : nil)
  }

  /// Creates a list and returns its ID. Unset fields get default values.
  ///
  /// Throws ``DomainError/uidExists(_:at:)`` if another list has the UID.
  public static func create(_ values: Values, in db: Connection) throws -> Int {
    if let uid = values.uid, let id = try withUID(uid).fetchOne(db) {
      throw DomainError.uidExists(uid, at: .list(id))
    }
    try RemindersList.insert {
      RemindersList.Draft(
        title: values.title ?? "", color: values.color ?? RemindersList.defaultColor,
        uid: values.uid)
    }.execute(db)
    return Int(db.lastInsertRowID)
  }

  /// The ID of the list that has a UID.
  static func withUID(_ uid: String) -> some Statement<Int> {
    RemindersList.where { $0.uid.eq(uid) }.select(\.id)
  }

  /// Changes the fields that differ from the stored values. Throws ``DomainError/notFound(_:)`` if
  /// the list does not exist.
  public static func update(_ id: Int, _ values: Values, in db: Connection) throws {
    guard let old = try RemindersList.find(id).fetchOne(db) else {
      throw DomainError.notFound(.list(id))
    }
    try RemindersList.find(id).update {
      if let title = values.title, !title.utf8.elementsEqual(old.title.utf8) { $0.title = title }
      if let color = values.color, color != old.color { $0.color = color }
    }.execute(db)
  }

  /// The largest number of reminders of a list that is deleted in one transaction.
  static let mostAtOnce = 5_000
  /// The number of reminders deleted at a time from a larger list.
  static let portion = 500

  /// Deletes a portion of the last reminders of a list that has too many for one transaction.
  /// Returns false if it does not have too many.
  public static func shrink(
    _ id: Int, isPermanent: Bool = false, in db: Connection
  ) throws -> Bool {
    let ofList = Reminder.where { $0.remindersListID == id }
    guard try ofList.limit(1, offset: mostAtOnce).select(\.id).fetchOne(db) != nil else {
      return false
    }
    let last = try ofList.order { ($0.position.desc(), $0.id.desc()) }.limit(portion).select(\.id)
      .fetchAll(db)
    try Reminder.where { $0.id.in(last) }.delete().execute(db)
    let entries = TrashEntry.where { $0.itemID.in(last) && $0.kind == .reminder }
    // With their subtasks, which are parts of these entries.
    let ids = try entries.select(\.id).fetchAll(db)
    let numbers = ids.map(String.init).joined(separator: ", ")
    let all = TrashEntry.where {
      $0.id.in(ids) || #sql("\($0.entryID) IN (\(raw: numbers))", as: Bool.self)
    }
    if isPermanent {
      try all.delete().execute(db)
    } else {
      try all.update {
        $0.isPortion = true
        $0.entryID = nil
      }.execute(db)
    }
    return true
  }

  /// Deletes a list and its reminders, into the trash unless `isPermanent`. Throws
  /// ``DomainError/notFound(_:)`` if it does not exist.
  public static func delete(_ id: Int, isPermanent: Bool = false, in db: Connection) throws {
    guard try RemindersList.find(id).delete().returning(\.id).fetchOne(db) != nil else {
      throw DomainError.notFound(.list(id))
    }
    if isPermanent { try TrashRepository.erase(.list, id, in: db) }
  }

  /// Orders the lists as in `ids`, which must contain every list exactly once. Throws
  /// ``DomainError/incompleteOrder(missing:unknown:repeated:)`` otherwise.
  public static func order(_ ids: [Int], in db: Connection) throws {
    try OrderedRows.lists.order(ids, in: db)
  }

  /// Moves a list among the lists.
  ///
  /// Throws ``DomainError/notFound(_:)`` if it does not exist, and ``DomainError/invalid(_:_:)`` if
  /// the destination names no other list.
  public static func move(_ id: Int, _ destination: Destination, in db: Connection) throws {
    guard try OrderedRows.lists.move(id, destination, in: db) else {
      throw DomainError.notFound(.list(id))
    }
  }
}

extension RemindersList.TableColumns {
  /// The columns of a ``ListItem``.
  var item: ListItem.Columns {
    ListItem.Columns(
      id: id, uid: uid, title: title,
      color: hexColor, position: position,
      reminders: ReminderCounts.Columns(
        open: Reminder.where { $0.remindersListID == id && $0.isOpen }.count,
        all: Reminder.where { $0.remindersListID == id }.count))
  }

  /// The color as `#rrggbb`.
  var hexColor: SQLQueryExpression<String> {
    #sql("printf('#%06x', \(color) >> 8)", as: String.self)
  }
}

extension Select
where
  Output: Table, Scope == Output.TableColumns, Picked == (), Scope: PrimaryKeyedDefinition,
  Scope.PrimaryKey: ColumnRepresentation
{
  /// Whether the query has a row. It reads only the key, so that a live query does not depend on
  /// other columns.
  func exists(in db: Connection) throws -> Bool {
    try Values(select { $0.primaryKey }.exists()).fetchOne(db) ?? false
  }
}
