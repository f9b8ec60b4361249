import MartletQueryBuilder
import MartletSQLite
import MartletStore

/// Lists, in the transaction of the connection that is given.
public enum ListRepository {
  public struct Changes: Equatable, Sendable {
    public var title: String?
    /// `0xRRGGBBAA`
    public var color: Int?

    public init() {}
  }

  public static func item(_ id: Int) -> Query { byID(id) }

  private static let byID = PreparedQuery<Int> { id in RemindersList.find(id).select { $0.item } }

  /// Reads the key alone: whoever follows what is in a list need not hear of its title.
  public static func exists(_ id: Int, in db: Connection) throws -> Bool {
    let statement = try db.statement(for: isThere(id))
    defer { statement.reset() }
    return try statement.step()
  }

  private static let isThere = PreparedQuery<Int> { id in
    RemindersList.find(id).select { $0.id }
  }

  /// By position.
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

  public static func create(_ changes: Changes, in db: Connection) throws -> Int {
    try RemindersList.insert {
      RemindersList.Draft(
        title: changes.title ?? "", color: changes.color ?? RemindersList.defaultColor)
    }.execute(db)
    return Int(db.lastInsertRowID)
  }

  public static func update(_ id: Int, _ changes: Changes, in db: Connection) throws {
    guard let old = try RemindersList.find(id).fetchOne(db) else {
      throw DomainError.notFound(.list(id))
    }
    try RemindersList.find(id).update {
      if let title = changes.title, !title.utf8.elementsEqual(old.title.utf8) { $0.title = title }
      if let color = changes.color, color != old.color { $0.color = color }
    }.execute(db)
  }

  /// How many reminders a list may have that is deleted at once, and how many are deleted at once of a larger one.
  static let mostAtOnce = 5_000
  static let portion = 500

  /// Deletes the last reminders of a list that has too many for one transaction. False where it has not.
  public static func shrink(_ id: Int, in db: Connection) throws -> Bool {
    let ofList = Reminder.where { $0.remindersListID == id }
    guard try ofList.limit(1, offset: mostAtOnce).select(\.id).fetchOne(db) != nil else {
      return false
    }
    let last = ofList.order { ($0.position.desc(), $0.id.desc()) }.limit(portion).select(\.id)
    try Reminder.where { $0.id.in(last) }.delete().execute(db)
    return true
  }

  public static func delete(_ id: Int, in db: Connection) throws {
    guard try RemindersList.find(id).delete().returning(\.id).fetchOne(db) != nil else {
      throw DomainError.notFound(.list(id))
    }
  }

  /// Puts the lists into the order of `ids`, which are all of them, once each.
  public static func order(_ ids: [Int], in db: Connection) throws {
    let stored = try RemindersList.select { ($0.id, $0.position) }.fetchAll(db)
    for (id, position) in try Reordering(stored: stored, asked: ids).changes() {
      try RemindersList.find(id).update { $0.position = position }.execute(db)
    }
  }
}

extension RemindersList.TableColumns {
  /// The columns that the service shows.
  var item: ListItem.Columns {
    ListItem.Columns(
      id: id, title: title,
      color: #sql("printf('#%06x', \(color) >> 8)", as: String.self),
      position: position,
      reminders: ReminderCounts.Columns(
        open: Reminder.where { $0.remindersListID == id && $0.isOpen }.count,
        all: Reminder.where { $0.remindersListID == id }.count))
  }
}

extension Select
where
  Output: Table, Scope == Output.TableColumns, Picked == (), Scope: PrimaryKeyedDefinition,
  Scope.PrimaryKey: ColumnRepresentation
{
  /// Reads the key alone: whoever follows what is in a list need not hear of its title.
  func exists(in db: Connection) throws -> Bool {
    try Values(select { $0.primaryKey }.exists()).fetchOne(db) ?? false
  }
}
