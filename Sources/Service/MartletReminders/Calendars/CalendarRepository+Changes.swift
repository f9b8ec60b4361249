import MartletSQLite
import MartletStore
import MartletTime

extension CalendarRepository {
  /// A place in the changes of a list, as its sync token says it.
  package struct Token: Equatable, Sendable {
    /// The epoch of the change feed. A restored database has another one.
    package let epoch: String
    /// The ID of the list: another one can have the same path later.
    package let list: Int
    /// The version of the contents.
    package let version: Int

    package init(epoch: String, list: Int, version: Int) {
      self.epoch = epoch
      self.list = list
      self.version = version
    }

    /// Parses a token of the form `data:,{epoch}-{list}-{version}-{zone}`, a URI. Returns `nil` for
    /// another text, and for a token that was made with another zone.
    package init?(_ text: String, house: ZoneInfo) {
      guard text.hasPrefix(Token.prefix) else { return nil }
      let parts = text.dropFirst(Token.prefix.count).split(
        separator: "-", omittingEmptySubsequences: false)
      guard parts.count == 4, let list = Int(parts[1]), let version = Int(parts[2]), version >= 0
      else { return nil }
      self.init(epoch: String(parts[0]), list: list, version: version)
      guard self.text(house: house) == text else { return nil }
    }

    private static let prefix = "data:,"

    package func text(house: ZoneInfo) -> String {
      "\(Token.prefix)\(epoch)-\(list)-\(version)-\(CalendarRepository.mark(of: house))"
    }

    /// The entity tag of a list with its title, color and properties. It is weak: the order of the
    /// reminders and the compression are not a part of it.
    package func tag(of list: Collection, house: ZoneInfo) -> String {
      var head = Fingerprint(list.title)
      head.combine("\(list.color)")
      head.combine(list.properties ?? "")
      let mark = String(head.value & 0xFFFF_FFFF, radix: 36)
      return "W/\"\(epoch)-l\(list.id)-\(version)-\(CalendarRepository.mark(of: house))-\(mark)\""
    }
  }

  /// A change of a list.
  package struct Line: Sendable {
    /// The reminder or the list. A reminder that is gone has its last name.
    package let entry: Entry
    package let isGone: Bool
  }

  /// The changes of a list after a token, and the token after them.
  package struct Page: Sendable {
    package let lines: [Line]
    package let token: Token
    /// Whether there are more.
    package let isCut: Bool
  }

  /// The token of a list.
  package static func token(of list: Int, in db: Connection) throws -> Token {
    Token(
      epoch: try state(db).epoch, list: list, version: try contents(of: list, in: db))
  }

  /// The changes of a list after a token, at most `limit`, or everything without a token. `nil` if
  /// the token is not known any more.
  package static func changes(
    of list: Int, after token: Token?, limit: Int, in db: Connection
  ) throws -> Page? {
    let (epoch, latest) = try state(db)
    let contents = try contents(of: list, in: db)
    let start = token?.version ?? 0
    if let token {
      guard token.epoch == epoch, token.list == list, token.version <= latest,
        token.version >= (try horizon(of: list, db))
      else { return nil }
      if token.version >= contents {
        return Page(
          lines: [], token: Token(epoch: epoch, list: list, version: contents), isCut: false)
      }
    }
    // What has not changed since there are versions has none, and is on one page.
    let unversioned =
      try db.value(
        "SELECT count(*) FROM reminders WHERE remindersListID = ? AND calendarVersion = 0",
        .integer(Int64(list)))?.integer ?? 0
    let limit = token == nil ? max(limit, Int(unversioned)) : limit
    // A first copy has nothing to forget.
    let rows = try db.rows(
      """
      SELECT version, id, name, isGone, createdAt, updatedAt FROM (
        SELECT calendarVersion AS version, reminders.id AS id, calendarObjects.name AS name,
          0 AS isGone, createdAt, updatedAt
        FROM reminders LEFT JOIN calendarObjects ON reminderID = reminders.id
        WHERE remindersListID = ?1 AND calendarVersion > ?2
        UNION ALL
        SELECT version, itemID, name, 1, NULL, NULL FROM changes
        WHERE listID = ?1 AND version > ?2 AND gone IS NOT NULL AND kind = 2 AND ?3)
      ORDER BY version LIMIT ?4
      """, .integer(Int64(list)), .integer(Int64(token == nil ? -1 : start)),
      .integer(token == nil ? 0 : 1), .integer(Int64(min(limit, Int(Int32.max))) + 1))
    let isCut = rows.count > limit
    var lines: [Line] = []
    for row in rows.prefix(limit) {
      let id = Int(row[1].integer ?? 0)
      let entry = Entry(
        id: id, name: row[2].text ?? madeName(of: id), version: Int(row[0].integer ?? 0),
        created: row[4].text, updated: row[5].text, epoch: epoch)
      lines.append(Line(entry: entry, isGone: row[3].integer == 1))
    }
    let last = isCut ? lines.last?.entry.version ?? start : contents
    return Page(
      lines: try standing(lines, in: list, db),
      token: Token(epoch: epoch, list: list, version: last), isCut: isCut)
  }

  /// The lines without deletions of names that another object has by now.
  private static func standing(
    _ lines: [Line], in list: Int, _ db: Connection
  ) throws -> [Line] {
    guard lines.contains(where: \.isGone) else { return lines }
    // By their bytes: names of which only the composition of accents differs are two.
    var seen: Set<[UInt8]> = []
    var standing: [Line] = []
    for line in lines.reversed() {
      guard seen.insert(Array(line.entry.name.utf8)).inserted else { continue }
      if line.isGone, try entry(line.entry.name, in: list, db) != nil { continue }
      standing.append(line)
    }
    return standing.reversed()
  }

  /// Notes that the feed has forgotten a deletion in a list, with this version.
  static func forget(upTo version: Int, in list: Int, _ db: Connection) throws {
    try db.run(
      """
      INSERT INTO calendarCollections (listID, horizon)
      SELECT id, ?2 FROM remindersLists WHERE id = ?1
      ON CONFLICT (listID) DO UPDATE SET horizon = max(horizon, excluded.horizon)
      """, .integer(Int64(list)), .integer(Int64(version)))
  }

  /// The highest version of a deletion in a list that the feed has forgotten.
  private static func horizon(of list: Int, _ db: Connection) throws -> Int {
    try CalendarCollection.find(list).select(\.horizon).fetchOne(db) ?? 0
  }

  private static func state(_ db: Connection) throws -> (epoch: String, latest: Int) {
    let row = try db.rows(
      """
      SELECT epoch, max(horizon, coalesce((SELECT max(version) FROM changes), 0)) \
      FROM feedState
      """
    ).first
    return (row?[0].text ?? "", Int(row?[1].integer ?? 0))
  }
}
