import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime

/// The change feed: everything there is, and then what has changed since.
///
/// A client applies pages until one has no more, and then has what the database had at that moment.
/// A page shows each of its items once, in its newest state.
public struct ChangeFeed: Sendable {
  /// The allowed page sizes.
  public static let limits = 1...500
  /// The page size if the client does not set one.
  public static let defaultLimit = 100
  /// The maximum number of items on a page.
  public var limit = ChangeFeed.defaultLimit
  /// Only items of this kind.
  public var kind: ChangeKind?
  /// The lists whose items are shown.
  public var lists = ListExtent.all
  /// Whether completed reminders are hidden: left out at first, and shown as deleted when they
  /// change.
  public var isOpenOnly = false

  /// The whole feed.
  public init() {}

  /// A hash of what is asked for, which a token has to match: the filters, and the lists that the
  /// caller may see. If they have changed, a client has items that it should not have, or lacks
  /// some, and no later change tells it.
  var scope: String {
    var fingerprint = Fingerprint("changes")
    fingerprint.combine(kind?.label)
    fingerprint.combine(isOpenOnly ? "open" : nil)
    if case .only(let ids) = lists {
      for id in ids.sorted() { fingerprint.combine(String(id)) }
    } else {
      fingerprint.combine("all")
    }
    return String(fingerprint.value & 0xFFFF_FFFF, radix: 36)
  }

  /// An item of a page.
  public struct Entry: Sendable {
    /// The kind of the changed row.
    public let kind: ChangeKind
    /// The ID of the list, the reminder or the smart list.
    public let id: Int
    /// The version of its last change.
    public let version: Int
    /// Whether it is gone, for the caller.
    public let isDeleted: Bool

    /// The query of the item, as the feed shows it.
    public var query: Query {
      switch kind {
      case .list: ListRepository.feedItem(id)
      case .reminder: ReminderRepository.item(id)
      case .smartList: SmartListRepository.feedItem(id)
      }
    }
  }

  /// Where a page ends.
  public struct End: Sendable {
    /// The token after the page.
    public let next: FeedToken
    /// Whether there are further items now.
    public let hasMore: Bool
  }

  /// The query whose result changes whenever the feed has something new.
  public func head() -> some Statement<Int?> {
    ChangeLine
      .where { if let extent = lists.condition($0.listID) { extent } }
      .select { $0.version.max() }
  }

  /// Passes the items after `token` to `take`, until `take` returns false because the page is full.
  /// Without a token, begins with everything there is.
  ///
  /// Throws ``FeedExpired`` if the changes since the token are not known any more.
  public func page(
    after token: FeedToken?, in db: Connection, _ take: (Entry) throws -> Bool
  ) throws -> End {
    guard let state = try FeedState.find(1).fetchOne(db) else { throw FeedExpired() }
    let newest = try ChangeLine.select { $0.version.max() }.fetchOne(db) ?? nil
    let latest = max(newest ?? 0, state.horizon)
    // A caller who sees only some lists gets the newest version of these lists. Otherwise a token
    // would tell how much has changed in others.
    let now = try lists == .all ? latest : (head().fetchOne(db) ?? nil) ?? 0
    let start = token ?? FeedToken(epoch: state.epoch, scope: scope, version: now, last: (.list, 0))
    guard start.epoch == state.epoch, start.version <= latest else { throw FeedExpired() }
    guard start.scope == scope else { throw FeedExpired(isOtherRequest: true) }
    if start.version < state.horizon {
      // A caller limited to some lists can go on if nothing in them has changed since the token.
      // That is known, because the newest line of a list is never forgotten.
      guard now <= start.version, lists != .all else { throw FeedExpired() }
    }
    if let last = start.last {
      let rest = try items(after: last, db, take)
      return End(
        next: FeedToken(epoch: state.epoch, scope: scope, version: start.version, last: rest),
        hasMore: rest != nil || start.version < now)
    }
    let rest = try changes(after: start.version, db, take)
    return End(
      next: FeedToken(epoch: state.epoch, scope: scope, version: rest ?? max(now, start.version)),
      hasMore: rest != nil)
  }

  // MARK: Everything there is

  /// Takes the items after `last`, by kind and ID. Returns the last one taken if there may be more.
  private func items(
    after last: (kind: ChangeKind, id: Int), _ db: Connection, _ take: (Entry) throws -> Bool
  ) throws -> (kind: ChangeKind, id: Int)? {
    var last = last
    var count = 0
    func takeAll(_ kind: ChangeKind, _ rows: [(Int, Int)]) throws -> Bool {
      for (id, version) in rows {
        let entry = Entry(kind: kind, id: id, version: version, isDeleted: false)
        guard count < limit, try take(entry) else { return false }
        count += 1
        last = (kind, id)
      }
      return true
    }
    if last.kind == .list {
      if kind == nil || kind == .list {
        let rows =
          try RemindersList
          .where { list in
            list.id > last.id
            if let extent = lists.condition(list.id) { extent }
          }
          .order { $0.id }.limit(limit + 1).select { ($0.id, $0.version) }.fetchAll(db)
        guard try takeAll(.list, rows) else { return last }
      }
      last = (.reminder, 0)
    }
    if last.kind == .reminder {
      if kind == nil || kind == .reminder {
        let rows =
          try Reminder
          .where { reminder in
            reminder.id > last.id
            if isOpenOnly { reminder.isOpen }
            if let extent = lists.condition(reminder) { extent }
          }
          .order { $0.id }.limit(limit + 1).select { ($0.id, $0.version) }.fetchAll(db)
        guard try takeAll(.reminder, rows) else { return last }
      }
      last = (.smartList, 0)
    }
    // Keys that are limited to some lists do not see them.
    guard kind == nil || kind == .smartList, lists == .all else { return nil }
    let rows = try SmartList.where { $0.id > last.id }
      .order { $0.id }.limit(limit + 1).select { ($0.id, $0.version) }.fetchAll(db)
    return try takeAll(.smartList, rows) ? nil : last
  }

  // MARK: What has changed

  /// Takes the items that have changed after a version. Returns the version of the last one taken
  /// if there may be more.
  private func changes(
    after version: Int, _ db: Connection, _ take: (Entry) throws -> Bool
  ) throws -> Int? {
    var last = version
    for (index, line) in try news(after: version).fetchAll(db).enumerated() {
      let (version, kind, id, isGone) = line
      let isDeleted = try isGone || (isOpenOnly && kind == .reminder && isCompleted(id, db))
      let entry = Entry(kind: kind, id: id, version: version, isDeleted: isDeleted)
      guard index < limit, try take(entry) else { return last }
      last = version
    }
    return nil
  }

  /// The lines to show after a version, and one more.
  func news(after version: Int) -> some Statement<(Int, ChangeKind, Int, Bool)> {
    ChangeLine
      .where { line in
        line.version > version
        if let kind { line.kind == kind }
        if let extent = lists.condition(line.listID) { extent }
        isNews(line)
      }
      .order { $0.version }.limit(limit + 1)
      .select { ($0.version, $0.kind, $0.itemID, $0.gone.isNot(nil)) }
  }

  /// The condition for showing a line. It is the newest of its item. If the item has left a list,
  /// it is in no other list that the caller sees.
  private func isNews(_ line: ChangeLine.TableColumns) -> SQLQueryExpression<Bool> {
    let inLists = { (list: QueryFragment) -> QueryFragment in
      guard case .only(let ids) = lists else { return "" }
      return " AND \(list) IN (\(raw: ids.map(String.init).joined(separator: ", ")))"
    }
    return SQLQueryExpression(
      """
      CASE WHEN \(line.gone) IS NULL THEN \(line.version) = \(line.versionOfItem) \
      ELSE NOT CASE \(line.kind) \
      WHEN 2 THEN EXISTS (SELECT 1 FROM reminders WHERE id = \(line.itemID)\(inLists("remindersListID"))) \
      ELSE \(line.versionOfItem) IS NOT NULL END \
      AND NOT EXISTS (SELECT 1 FROM changes AS later WHERE later.itemID = \(line.itemID) \
      AND later.gone IS NOT NULL AND later.kind = \(line.kind) \
      AND later.version > \(line.version)\(inLists("later.listID"))) END
      """)
  }

  private func isCompleted(_ id: Int, _ db: Connection) throws -> Bool {
    try Reminder.find(id).select(\.status).fetchOne(db) == .completed
  }
}

/// The changes since a token are not known any more: it belongs to a database that was replaced, or
/// is older than the deletions that the feed remembers, or it belongs to another request.
public struct FeedExpired: Error {
  /// Whether the token belongs to other filters, or to a caller who sees other lists.
  public let isOtherRequest: Bool

  init(isOtherRequest: Bool = false) { self.isOtherRequest = isOtherRequest }
}
