import MartletSQLite
import MartletStore
import MartletTime

/// A page of the due dates that follow the current one of a reminder.
public struct OccurrencePage: Sendable {
  /// The allowed numbers of due dates on a page.
  public static let limits = 1...100
  /// The number if the client does not set one.
  public static let defaultLimit = 10

  /// The due dates, ascending. None if the reminder does not recur.
  public let dueDates: [DueDate]
  /// The cursor of the next page; `nil` on the last one.
  public let next: PageCursor?

  /// Reads the page after a cursor. `nil` if the reminder does not exist in `lists`.
  ///
  /// A reminder that is counted from its completions is shown as if each occurrence were completed
  /// when it is due.
  ///
  /// - Parameters:
  ///   - id: The reminder.
  ///   - request: The limit and the cursor. Throws ``InvalidCursor`` for one of another collection.
  ///   - zone: The zone of a reminder without one.
  public init?(
    of id: Int, _ request: PageRequest, among lists: ListExtent, in zone: ZoneInfo,
    _ db: Connection
  ) throws {
    let after = try OccurrencePage.moment(of: id, request)
    guard let reminder = try Reminder.find(id).fetchOne(db),
      lists.contains(reminder.remindersListID)
    else { return nil }
    guard let due = reminder.dueDate, let series = reminder.series(in: zone) else {
      (dueDates, next) = ([], nil)
      return
    }
    let found = series.occurrences(after: Occurrence(after ?? due)).prefix(request.limit + 1)
      .map { DueDate($0) }
    dueDates = Array(found.prefix(request.limit))
    next =
      found.count > request.limit
      ? PageCursor(
        fingerprint: OccurrencePage.fingerprint(id),
        keys: [.text(found[request.limit - 1].stored)]) : nil
  }

  /// The due date after which the page begins; `nil` for the first page. Throws
  /// ``InvalidCursor`` if the cursor belongs to another collection.
  @discardableResult
  public static func moment(
    of id: Int, _ request: PageRequest
  ) throws(InvalidCursor) -> DueDate? {
    guard let keys = try request.keys(for: fingerprint(id)) else { return nil }
    guard keys.count == 1, let moment = keys[0].text.flatMap({ DueDate(stored: $0) }) else {
      throw InvalidCursor()
    }
    return moment
  }

  private static func fingerprint(_ id: Int) -> UInt64 {
    var hash = Fingerprint("occurrences")
    hash.combine("\(id)")
    return hash.value
  }
}
