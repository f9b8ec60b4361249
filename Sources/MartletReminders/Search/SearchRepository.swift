import MartletQueryBuilder
import MartletStore

/// Full-text search: reminders, and what made them match.
public enum SearchRepository {
  /// What stands around a match.
  public struct Markers: Hashable, Sendable {
    public var before = "<mark>"
    public var after = "</mark>"

    public init() {}
  }

  /// The best matches, the title weighted above notes and tags, ties by id. `nil` where the text
  /// holds nothing to look for.
  public static func search(
    _ text: SearchText, markers: Markers, limit: Int, among lists: ListExtent = .all
  ) -> Query? {
    if text.isEmpty { return nil }
    guard text.tags.isEmpty, lists == .all, let pattern = text.pattern else {
      return query(
        text, text.pattern.map { SQLQueryExpression($0.rawValue.queryFragment) }, markers,
        SQLQueryExpression(limit.queryFragment), lists)
    }
    let prepared = words(markers) { query(text, $0, markers, $1, lists, isSortedBySearch: true) }
    return prepared(pattern.rawValue, limit)
  }

  /// What most searches are: words alone, in all lists.
  private static let words = PreparedQueries<Markers, String, Int>(most: 16)

  private static var weights: ReminderText.TableColumns.Weights { [\.title: 4, \.tags: 2] }

  private static func query(
    _ text: SearchText, _ pattern: SQLQueryExpression<String>?, _ markers: Markers,
    _ limit: SQLQueryExpression<Int>, _ lists: ListExtent, isSortedBySearch: Bool = false
  ) -> Query {
    let marked = ColumnKind.marked(before: markers.before, after: markers.after)
    return
      ReminderText
      .where {
        if let pattern { $0.match(pattern) }
        if isSortedBySearch { $0.ranked(by: weights) }
      }
      .join(Reminder.all) { $0.rowid == $1.id }
      .where { _, reminder in
        for condition in text.tagConditions(reminder) { condition }
        if let extent = lists.condition(reminder) { extent }
      }
      .order { found, reminder in
        // A rank knows how often the words are in all rows. To whoever sees some of them, the order of two of
        // their own would tell what others write.
        if isSortedBySearch {
          // Ties come by id, because SQLite's sorter is stable and FTS5 goes through its index by id.
          found.rank
        } else {
          if case .all = lists { found.bm25(weights) }
          reminder.id
        }
      }
      .limit { _, _ in limit }
      .select { _, reminder in reminder.item }
      .query(
        adding: [
          ("title", marking(ReminderText.title)),
          ("notes", marking(ReminderText.notes)),
          ("tags", marking(ReminderText.tags)),
        ], in: "highlights", kind: marked)
  }

  /// The marks are bytes that no text holds, and no `String` either: ``ColumnKind/marked(before:after:)``.
  private static func marking(
    _ column: TableColumn<ReminderText, String>
  ) -> SQLQueryExpression<String> {
    SQLQueryExpression(
      """
      highlight("reminderTexts", \(raw: "\(column.index)"), CAST(x'f8' AS TEXT), CAST(x'f9' AS TEXT))
      """)
  }

  /// How many reminders match.
  public static func total(_ text: SearchText, among lists: ListExtent = .all) -> Query? {
    if text.isEmpty { return nil }
    return
      Reminder
      .where { reminder in
        for condition in text.conditions(reminder) { condition }
        if let extent = lists.condition(reminder) { extent }
      }
      .count.query
  }
}
