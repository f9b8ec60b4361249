import MartletJSON
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime

/// Reads and changes smart lists. Every function that takes a connection runs in that connection's
/// transaction.
public enum SmartListRepository {
  /// The values of a smart list that a client sets. `nil` leaves a field unchanged.
  public struct Values: Equatable, Sendable {
    /// The title, at most 1,000 characters.
    public var title: String?
    /// The color as `0xRRGGBBAA`.
    public var color: Int?
    /// The symbol, at most ``SmartListRepository/longestIcon`` characters.
    public var icon: String?
    /// The members of the filter to set; `null` removes one.
    public var filter: JSONObject?
    /// The order of the reminders; inner `nil`: the default.
    public var sort: String??
    /// The UID; only for a new smart list.
    public var uid: String?

    /// Values that set nothing.
    public init() {}
  }

  /// The maximum length of an icon in code points.
  public static let longestIcon = 8
  /// The largest number that ``count(_:at:in:)`` returns.
  public static let largestCount = 1_000

  /// All smart lists in their order.
  public static func all(in db: Connection) throws -> [SmartList] {
    try SmartList.all.order { ($0.position, $0.id) }.fetchAll(db)
  }

  /// A smart list; `nil` if it does not exist.
  public static func find(_ id: Int, in db: Connection) throws -> SmartList? {
    try SmartList.find(id).fetchOne(db)
  }

  /// The query of a smart list as the change feed shows it, without its count.
  static func feedItem(_ id: Int) -> Query {
    SmartList.find(id).select { list in
      FeedSmartList.Columns(
        id: list.id, uid: list.uid, title: list.title,
        color: #sql("printf('#%06x', \(list.color) >> 8)"), icon: list.icon,
        filter: SQLQueryExpression("\(list.filter)"), sort: list.sort, position: list.position)
    }.query
  }

  /// The number of reminders that match a filter at `now`, and whether there are more than
  /// ``largestCount``, where counting stops. Completed reminders are only counted if the filter
  /// asks for them.
  public static func count(
    _ filter: ReminderFilter, at now: Instant, in db: Connection
  ) throws -> (count: Int, isMore: Bool) {
    var filter = filter
    if filter.status == nil, filter.isCompleted == nil { filter.isCompleted = false }
    let matching = Reminder.all
      .where { reminder in for condition in filter.conditions(reminder, now: now) { condition } }
      .limit(largestCount + 1).select(\.id)
    let count =
      try #sql("SELECT count(*) FROM (\(matching.queryFragment))", as: Int.self).fetchOne(db) ?? 0
    return (min(count, largestCount), count > largestCount)
  }

  /// Creates a smart list and returns its ID.
  ///
  /// Throws ``DomainError/uidExists(_:at:)`` if another one has the UID, and
  /// ``RuleViolation/tooManySmartLists``.
  public static func create(_ values: Values, in db: Connection) throws -> Int {
    if let uid = values.uid, let id = try withUID(uid).fetchOne(db) {
      throw DomainError.uidExists(uid, at: .smartList(id))
    }
    try SmartList.insert {
      SmartList.Draft(
        uid: values.uid, title: values.title ?? "",
        color: values.color ?? RemindersList.defaultColor, icon: values.icon ?? "",
        filter: merged("{}", values.filter), sort: values.sort ?? nil)
    }.execute(db)
    return Int(db.lastInsertRowID)
  }

  /// The ID of the smart list that has a UID.
  static func withUID(_ uid: String) -> some Statement<Int> {
    SmartList.where { $0.uid.eq(uid) }.select(\.id)
  }

  /// Changes the fields that differ from the stored values. Throws ``DomainError/notFound(_:)`` if
  /// the smart list does not exist.
  public static func update(_ id: Int, _ values: Values, in db: Connection) throws {
    guard let old = try find(id, in: db) else { throw DomainError.notFound(.smartList(id)) }
    let filter = merged(old.filter, values.filter)
    try SmartList.find(id).update {
      if let title = values.title, !title.utf8.elementsEqual(old.title.utf8) { $0.title = title }
      if let color = values.color, color != old.color { $0.color = color }
      if let icon = values.icon, !icon.utf8.elementsEqual(old.icon.utf8) { $0.icon = icon }
      if !filter.utf8.elementsEqual(old.filter.utf8) { $0.filter = filter }
      if let sort = values.sort, sort != old.sort { $0.sort = sort }
    }.execute(db)
  }

  /// Deletes a smart list. Its reminders stay. Throws ``DomainError/notFound(_:)`` if it does not
  /// exist.
  public static func delete(_ id: Int, in db: Connection) throws {
    guard try SmartList.find(id).delete().returning(\.id).fetchOne(db) != nil else {
      throw DomainError.notFound(.smartList(id))
    }
  }

  /// Orders the smart lists as in `ids`, which must contain each of them exactly once. Throws
  /// ``DomainError/incompleteOrder(missing:unknown:repeated:)`` otherwise.
  public static func order(_ ids: [Int], in db: Connection) throws {
    try OrderedRows.smartLists.order(ids, in: db)
  }

  /// Moves a smart list among the others.
  ///
  /// Throws ``DomainError/notFound(_:)`` if it does not exist, and ``DomainError/invalid(_:_:)`` if
  /// the destination names no other smart list.
  public static func move(_ id: Int, _ destination: Destination, in db: Connection) throws {
    guard try OrderedRows.smartLists.move(id, destination, in: db) else {
      throw DomainError.notFound(.smartList(id))
    }
  }

  /// Changes the title of a tag in all filters.
  static func renameTag(_ old: String, to new: String, in db: Connection) throws {
    let key = Tag.key(old)
    func renamed(_ value: JSONValue) -> JSONValue {
      switch value {
      case .string(let title): Tag.key(title) == key ? .string(new) : value
      case .array(let values): .array(values.map(renamed))
      default: value
      }
    }
    for list in try all(in: db) {
      guard let tags = SmartList.members(of: list.filter)["tag"], renamed(tags) != tags else {
        continue
      }
      let filter = merged(list.filter, ["tag": renamed(tags)])
      try SmartList.find(list.id).update { $0.filter = filter }.execute(db)
    }
  }

  /// A stored filter with other members, as a JSON Merge Patch sets them (RFC 7396).
  private static func merged(_ stored: String, _ values: JSONObject?) -> String {
    guard let values else { return stored }
    var filter = SmartList.members(of: stored)
    for member in values.members {
      filter[member.name] = member.value.isNull ? nil : member.value
    }
    let text = ByteBuffer(capacity: 256)
    filter.writeJSON(into: text)
    return String(decoding: text.bytes, as: UTF8.self)
  }
}

extension SmartList {
  /// The members of a stored filter.
  public static func members(of filter: String) -> JSONObject {
    if case .object(let object)? = JSONValue.stored(filter) { object } else { JSONObject() }
  }
}
