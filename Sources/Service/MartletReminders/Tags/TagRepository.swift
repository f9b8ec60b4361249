import MartletQueryBuilder
import MartletSQLite
import MartletStore

/// Reads and changes tags. Every function that takes a connection runs in that connection's
/// transaction.
public enum TagRepository {
  /// The query of a single tag, as a ``TagItem``. If `lists` is limited, a tag exists only if a
  /// reminder in those lists carries it.
  public static func item(_ title: String, among lists: ListExtent = .all) -> Query {
    Tag.find(title).where { if let use = $0.use(among: lists) { use } }
      .select { $0.item(among: lists) }.query
  }

  /// A page of tags, ordered by title without regard to case. Throws ``InvalidCursor`` if the
  /// cursor belongs to another collection.
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

  /// The titles of the tags with one of these names. If `lists` is limited, only tags of reminders
  /// in them.
  public static func titles(
    of names: [String], among lists: ListExtent = .all, in db: Connection
  ) throws -> [String] {
    guard !names.isEmpty else { return [] }
    return try Tag.where { $0.title.in(names) }
      .where { if let use = $0.use(among: lists) { use } }.select(\.title).fetchAll(db)
  }

  /// Creates a tag. Throws ``DomainError/tagExists(title:)`` with the existing spelling if there is
  /// one.
  public static func create(_ title: String, in db: Connection) throws {
    if let other = try Tag.find(title).select(\.title).fetchOne(db) {
      throw DomainError.tagExists(title: other)
    }
    try Tag.insert { Tag.Columns(title: title) }.execute(db)
  }

  /// Renames a tag on all reminders.
  ///
  /// If another tag has the new title, `merging` moves the reminders to that tag and keeps its
  /// spelling. Without `merging` this throws ``DomainError/tagExists(title:)``. Throws
  /// ``DomainError/notFound(_:)`` if the tag does not exist.
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
      try SmartListRepository.renameTag(old, to: new, in: db)
      return
    }
    guard merging else { throw DomainError.tagExists(title: other) }
    // Reminders that carry both tags keep the other one; the remaining ones are moved to it.
    try ReminderTag
      .where {
        $0.tagID == old
        $0.reminderID.in(ReminderTag.where { $0.tagID == other }.select(\.reminderID))
      }
      .delete().execute(db)
    try ReminderTag.where { $0.tagID == old }.update { $0.tagID = other }.execute(db)
    try Tag.find(old).delete().execute(db)
    try SmartListRepository.renameTag(old, to: other, in: db)
  }

  /// Deletes a tag and removes it from all reminders. Throws ``DomainError/notFound(_:)`` if it
  /// does not exist.
  public static func delete(_ title: String, in db: Connection) throws {
    guard try Tag.find(title).delete().returning(\.title).fetchOne(db) != nil else {
      throw DomainError.notFound(.tag(title))
    }
  }
}

extension Tag {
  /// The key by which tags are compared: the bytes of the title with ASCII letters in lowercase,
  /// like SQLite's NOCASE.
  ///
  /// Swift's string equality is not suitable, because it treats composed and decomposed letters as
  /// equal.
  public static func key(_ title: String) -> [UInt8] {
    title.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 + 32 : $0 }
  }
}

extension Tag.TableColumns {
  /// The columns of a ``TagItem``.
  func item(among lists: ListExtent) -> TagItem.Columns {
    TagItem.Columns(title: title, reminders: uses(among: lists).count)
  }

  /// The condition that an accessible reminder carries the tag; `nil` if unused tags count as well.
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
