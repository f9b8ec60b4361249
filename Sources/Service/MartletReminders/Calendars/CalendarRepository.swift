import MartletICalendar
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime
import Synchronization

/// Reads and changes lists and reminders as calendars and their objects. Every function that takes
/// a connection runs in that connection's transaction.
package enum CalendarRepository {
  /// A list as a calendar.
  package struct Collection: Sendable {
    /// The ID of the list.
    package let id: Int
    /// The last part of its path.
    package let name: String
    package let title: String
    /// `0xRRGGBBAA`.
    package let color: Int
    package let position: Int?
    package let createdAt: Instant?
    package let updatedAt: Instant?
    /// The properties that clients have set and no column has, as XML.
    package let properties: String?
  }

  /// A reminder as an object of a calendar, without its text.
  package struct Entry: Sendable {
    /// The ID of the reminder.
    package let id: Int
    /// The last part of its path.
    package let name: String
    /// The version of its text.
    package let version: Int
    /// When it was created and last changed, as they are stored. Few requests want them.
    let created, updated: String?
    package var createdAt: Instant? { created.flatMap { SQLiteTime.parse($0) } }
    package var updatedAt: Instant? { updated.flatMap { SQLiteTime.parse($0) } }
    /// The epoch of the change feed. A restored database has another one, because it assigns its
    /// versions again.
    package let epoch: String
    /// The entity tag: strong, and known without the text. The text depends on `house`, the zone
    /// of times that name none.
    package func tag(house: ZoneInfo) -> String {
      "\"\(epoch)-\(id)-\(version)-\(CalendarRepository.mark(of: house))\""
    }
  }

  /// The hash of a zone in entity tags and sync tokens.
  static func mark(of house: ZoneInfo) -> String {
    lastMark.withLock { last in
      if last.zone != house.identifier {
        let mark = String(Fingerprint(house.identifier).value & 0xFFFF_FFFF, radix: 36)
        last = (house.identifier, mark)
      }
      return last.mark
    }
  }

  /// The hash that was computed last, because a process has one zone for times that name none.
  private static let lastMark = Mutex((zone: "", mark: ""))

  // MARK: Lists

  /// The lists, by position.
  package static func collections(
    among lists: ListExtent, in db: Connection
  ) throws -> [Collection] {
    try RemindersList.leftJoin(CalendarCollection.all) { $1.listID == $0.id }
      .where { list, _ in if let extent = lists.condition(list.id) { extent } }
      .order { list, _ in (list.position, list.id) }
      .select { list, own in (list, own.name, own.properties) }
      .fetchAll(db).map { Collection($0.0, $0.1, $0.2) }
  }

  /// The list with a path; `nil` if `lists` has no such list.
  package static func collection(
    _ name: String, among lists: ListExtent, in db: Connection
  ) throws -> Collection? {
    let own = try CalendarCollection.where { $0.name.eq(name) }.select(\.listID).fetchOne(db)
    guard let id = own ?? number(name), lists.contains(id) else { return nil }
    let found = try RemindersList.where { $0.id == id }
      .leftJoin(CalendarCollection.all) { $1.listID == $0.id }
      .select { list, own in (list, own.name, own.properties) }
      .fetchOne(db)
    guard let found else { return nil }
    let collection = Collection(found.0, found.1, found.2)
    return collection.name == name ? collection : nil
  }

  /// Whether a name is one that only the service gives.
  package static func isReserved(list name: String) -> Bool { number(name) != nil }

  /// A number as it is printed.
  private static func number(_ text: String) -> Int? {
    guard let number = Int(text), "\(number)" == text, number > 0 else { return nil }
    return number
  }

  /// The version of the contents of a list: it goes up when a text in it changes, and when one
  /// comes or goes. What the feed forgets does not lower it.
  package static func contents(of list: Int, in db: Connection) throws -> Int {
    let row = try db.rows(
      """
      SELECT max(coalesce((SELECT calendarVersion FROM reminders \
      WHERE remindersListID = ?1 AND calendarVersion > -1 ORDER BY calendarVersion DESC LIMIT 1), 0), \
      coalesce((SELECT version FROM changes WHERE listID = ?1 AND gone IS NOT NULL AND kind = 2 \
      ORDER BY version DESC LIMIT 1), 0), \
      coalesce((SELECT horizon FROM calendarCollections WHERE listID = ?1), 0))
      """, .integer(Int64(list))
    ).first
    return row?[0].integer.map { Int($0) } ?? 0
  }

  /// Makes a list with a path, and returns its ID.
  package static func create(
    _ name: String, _ values: ListRepository.Values, in db: Connection
  ) throws -> Int {
    let id = try ListRepository.create(values, in: db)
    try CalendarCollection.insert { CalendarCollection(listID: id, name: name) }.execute(db)
    return id
  }

  /// Stores the properties of a list that no column has.
  package static func set(properties: String?, of list: Int, in db: Connection) throws {
    try db.run(
      """
      INSERT INTO calendarCollections (listID, properties) VALUES (?1, ?2)
      ON CONFLICT (listID) DO UPDATE SET properties = excluded.properties
      """, .integer(Int64(list)), properties.map { .text($0) } ?? .null)
  }

  // MARK: Reminders

  private static func entries(
    _ condition: String, _ values: [Value], in db: Connection
  ) throws -> [Entry] {
    try db.query(
      """
      SELECT reminders.id, name, calendarVersion, createdAt, updatedAt, \
      (SELECT epoch FROM feedState) FROM reminders \
      LEFT JOIN calendarObjects ON reminderID = reminders.id WHERE \(condition)
      """, values
    ).map { row in
      let id = Int(row[0].integer ?? 0)
      return Entry(
        id: id, name: row[1].text ?? madeName(of: id), version: Int(row[2].integer ?? 0),
        created: row[3].text, updated: row[4].text, epoch: row[5].text ?? "")
    }
  }

  /// The reminders of a list, by ID.
  package static func entries(of list: Int, in db: Connection) throws -> [Entry] {
    try entries("remindersListID = ? ORDER BY reminders.id", [.integer(Int64(list))], in: db)
  }

  /// The number of reminders of a list.
  package static func count(of list: Int, in db: Connection) throws -> Int {
    try Reminder.where { $0.remindersListID == list }.count.fetchOne(db) ?? 0
  }

  /// The reminder of a list with a path; `nil` for an unknown path.
  package static func entry(_ name: String, in list: Int, _ db: Connection) throws -> Entry? {
    let list = Value.integer(Int64(list))
    if let id = madeID(name) {
      return try entries(
        "reminders.id = ? AND remindersListID = ? AND name IS NULL",
        [.integer(Int64(id)), list], in: db
      ).first
    }
    let id = try db.value(named, .text(name), list)?.integer
    return try id.flatMap { try entry(Int($0), db) }
  }

  /// The reminders of a list with these paths, by the bytes of the path.
  package static func entries(
    _ names: [String], in list: Int, _ db: Connection
  ) throws -> [[UInt8]: Entry] {
    let list = Value.integer(Int64(list))
    let ids = try names.compactMap { name in
      try madeID(name).map { Int64($0) } ?? db.value(named, .text(name), list)?.integer
    }
    // By their IDs: a list may be long.
    let found = try entries(
      "reminders.id IN (SELECT value FROM json_each(?)) AND +remindersListID = ?",
      [.text("\(ids)"), list], in: db)
    return Dictionary(found.map { (Array($0.name.utf8), $0) }) { first, _ in first }
  }

  /// The ID of the reminder with name `?1` in list `?2`. CROSS JOIN, because a list may be long.
  static let named = """
    SELECT reminderID FROM calendarObjects CROSS JOIN reminders ON reminders.id = reminderID \
    WHERE name = ?1 AND remindersListID = ?2 ORDER BY reminderID LIMIT 1
    """

  /// The reminder of a list with a UID.
  package static func entry(uid: String, in list: Int, _ db: Connection) throws -> Entry? {
    guard let id = try ReminderRepository.withUID(uid, in: list).fetchOne(db) else { return nil }
    return try entry(id, db)
  }

  package static func entry(_ id: Int, _ db: Connection) throws -> Entry? {
    try entries("reminders.id = ?", [.integer(Int64(id))], in: db).first
  }

  /// The name of a reminder to which no client has given one.
  package static func madeName(of id: Int) -> String { "m-\(id).ics" }

  /// Whether a name is one that only the service gives.
  package static func isReserved(object name: String) -> Bool { madeID(name) != nil }

  private static func madeID(_ name: String) -> Int? {
    guard name.hasPrefix("m-"), name.hasSuffix(".ics") else { return nil }
    return number(String(name.dropFirst(2).dropLast(4)))
  }

  /// The text of a reminder: as a client has written it, or else made from the reminder.
  ///
  /// - Parameter house: The zone of reminders without one.
  package static func text(
    of id: Int, house: ZoneInfo, in db: Connection
  ) throws -> String? {
    guard let stored = try stored(id, in: db) else { return nil }
    if let raw = stored.raw { return raw }
    return ObjectText.text(
      of: stored.reminder, hasLines: stored.reminder.calendar != nil, house: house)
  }

  /// A reminder with all that is in its text, and the text of a client.
  static func stored(
    _ id: Int, in db: Connection
  ) throws -> (reminder: TransferReminder, raw: String?)? {
    let found = PreparedRows(query: preparedObject(id), decode: decodeObject)
    guard let (item, lines, raw, parent) = try found.fetchOne(db) else { return nil }
    var reminder = TransferReminder(item, calendar: lines)
    reminder.parentUID = parent
    reminder.splitDefaultAlarm()
    return (reminder, raw)
  }

  private static let preparedObject = PreparedQuery<Int> { object($0) }
  private static let decodeObject = object(SQLQueryExpression("0")).decode

  /// A reminder with the lines and the text of its object, and the UID of its parent.
  private static func object(
    _ id: SQLQueryExpression<Int>
  ) -> some Statement<(ReminderItem, String?, String?, String?)> {
    Reminder.where { $0.id == id }
      .leftJoin(CalendarObject.all) { $1.reminderID == $0.id }
      .select { reminder, object in
        (
          reminder.item, object.lines, object.raw, reminder.uidOfParent(awaited: object.parentUID)
        )
      }
  }

  /// Stores the lines that no column stands for. The text of a client is kept if it has them.
  static func keep(_ lines: String?, of id: Int, in db: Connection) throws {
    let stored = try CalendarObject.find(id).select(\.lines).fetchOne(db) ?? nil
    guard stored.map({ Array($0.utf8) }) != lines.map({ Array($0.utf8) }) else { return }
    try db.run(
      """
      INSERT INTO calendarObjects (reminderID, lines) VALUES (?1, ?2)
      ON CONFLICT (reminderID) DO UPDATE SET raw = NULL, lines = excluded.lines
      """, .integer(Int64(id)), lines.map { .text($0) } ?? .null)
  }
}

extension CalendarRepository.Collection {
  fileprivate init(_ list: RemindersList, _ name: String?, _ properties: String?) {
    self.init(
      id: list.id, name: name ?? "\(list.id)", title: list.title, color: list.color,
      position: list.position, createdAt: list.createdAt, updatedAt: list.updatedAt,
      properties: properties)
  }
}

extension CalendarRepository {
  /// Takes the occurrences of an import into their series, as if they were in the same object.
  ///
  /// - Returns: What was not understood, as sentences.
  @discardableResult
  static func take(
    _ occurrences: [TransferOccurrence], into id: Int, _ place: Placement, in db: Connection
  ) throws -> [String] {
    guard var text = try text(of: id, house: place.zone, in: db) else { return [] }
    let object = try text.withUTF8 { bytes throws(ObjectText.Fault) in
      try ObjectText(bytes, house: place.zone)
    }
    var master = object.master
    let (parts, others) = master.divide(occurrences)
    let unread = try fold(parts, master.reminder, id, place, db)
    guard !others.isEmpty else { return unread }
    var zones = CalendarZones(house: place.zone)
    for zone in others.flatMap(\.zones) { try zones.define(zone) }
    master.keep(others, zones)
    var series = master.reminder
    series.defaultAlarm = try stored(id, in: db)?.reminder.defaultAlarm
    try keep(series.storedLines, of: id, in: db)
    return unread
  }
}
