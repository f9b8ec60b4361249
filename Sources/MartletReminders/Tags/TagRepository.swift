import MartletQueryBuilder
import MartletSQLite
import MartletStore

/// Tags, in the transaction of the connection that is given.
public enum TagRepository {
  /// Among some lists, a tag is one that a reminder there carries.
  public static func item(_ title: String, among lists: ListExtent = .all) -> Query {
    Tag.find(title).where { if let use = $0.use(among: lists) { use } }
      .select { $0.item(among: lists) }.query
  }

  /// By title, without case.
  public static func page(
    _ request: PageRequest, among lists: ListExtent = .all
  ) throws(InvalidCursor) -> PageQuery {
    let fingerprint = Fingerprint("tags").value
    let after = try request.keys(for: fingerprint)
    if let after, after.count != 1 || after[0].text == nil { throw InvalidCursor() }
    let title = after?[0].text
    return PageQuery(
      segments: [
        { limit in
          Tag
            .where {
              if let title { $0.title > title }
              if let use = $0.use(among: lists) { use }
            }
            .order(by: \.title)
            .limit(limit)
            .select { $0.item(among: lists) }
            .query(hiding: [Tag.title])
        }
      ],
      keyCount: 1, limit: request.limit, fingerprint: fingerprint,
      total: request.wantsTotal
        ? Tag.where { if let use = $0.use(among: lists) { use } }.count.query : nil)
  }

  /// Throws ``DomainError/tagExists(title:)`` with the spelling that is there.
  public static func create(_ title: String, in db: Connection) throws {
    if let other = try Tag.find(title).select(\.title).fetchOne(db) {
      throw DomainError.tagExists(title: other)
    }
    try Tag.insert { Tag.Columns(title: title) }.execute(db)
  }

  /// Renames the tag on every reminder. Onto another tag only with `merging`: then that one stays.
  public static func rename(
    _ title: String, to new: String, merging: Bool, in db: Connection
  ) throws {
    guard let old = try Tag.find(title).select(\.title).fetchOne(db) else {
      throw DomainError.notFound(.tag(title))
    }
    if old.utf8.elementsEqual(new.utf8) { return }
    guard Tag.key(old) != Tag.key(new),
      let other = try Tag.find(new).select(\.title).fetchOne(db)
    else {
      try Tag.find(old).update { $0.title = new }.execute(db)
      return
    }
    guard merging else { throw DomainError.tagExists(title: other) }
    // Those that carry both keep the other one; the rest change over.
    try ReminderTag
      .where {
        $0.tagID == old
        $0.reminderID.in(ReminderTag.where { $0.tagID == other }.select(\.reminderID))
      }
      .delete().execute(db)
    try ReminderTag.where { $0.tagID == old }.update { $0.tagID = other }.execute(db)
    try Tag.find(old).delete().execute(db)
  }

  public static func delete(_ title: String, in db: Connection) throws {
    guard try Tag.find(title).delete().returning(\.title).fetchOne(db) != nil else {
      throw DomainError.notFound(.tag(title))
    }
  }
}

extension Tag {
  /// What tags are compared by: bytes with ASCII case folded, as SQLite's NOCASE does. Not Swift's
  /// equality of strings, to which a composed letter and a decomposed one are the same.
  public static func key(_ title: String) -> [UInt8] {
    title.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 + 32 : $0 }
  }
}

extension Tag.TableColumns {
  /// The columns that the service shows.
  func item(among lists: ListExtent) -> TagItem.Columns {
    TagItem.Columns(title: title, reminders: uses(among: lists).count)
  }

  /// That a reminder carries it; `nil` where one that none carries counts, too.
  func use(among lists: ListExtent) -> SQLQueryExpression<Bool>? {
    guard case .only = lists else { return nil }
    return SQLQueryExpression<Bool>("\(uses(among: lists).exists())")
  }

  private func uses(among lists: ListExtent) -> ReminderTag.All {
    ReminderTag.where { use in
      use.tagID == title
      if case .only = lists {
        use.reminderID.in(
          Reminder.where { if let extent = lists.condition($0) { extent } }.select(\.id))
      }
    }
  }
}
