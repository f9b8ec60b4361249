import MartletQueryBuilder
import MartletStore

/// Full-text search of reminders, with the matches highlighted.
public enum SearchRepository {
  /// The texts around a match.
  public struct Markers: Hashable, Sendable {
    /// The text before a match.
    public var before = "<mark>"
    /// The text after a match.
    public var after = "</mark>"

    /// The HTML tags `<mark>` and `</mark>`.
    public init() {}
  }

  /// The best matches. The title has more weight than notes and tags, and equal ranks are ordered
  /// by ID. `nil` if the text contains no search terms.
  ///
  /// If `lists` is limited, the matches are ordered by ID.
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

  /// The prepared queries of the most common searches: words only, in all lists.
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
        // A rank depends on how often the words occur in all rows. For a caller limited to some
        // lists, the order of its own reminders would reveal what others contain.
        if isSortedBySearch {
          // Equal ranks stay ordered by ID, because SQLite's sorter is stable and FTS5 reads its
          // index by ID.
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

  /// A column with its matches marked, by bytes that occur in no UTF-8 text:
  /// ``ColumnKind/marked(before:after:)``.
  private static func marking(
    _ column: TableColumn<ReminderText, String>
  ) -> SQLQueryExpression<String> {
    let marked: QueryFragment = """
      highlight("reminderTexts", \(raw: "\(column.index)"), CAST(x'f8' AS TEXT), CAST(x'f9' AS TEXT))
      """
    return SQLQueryExpression(UnspacedScripts.joined(marked))
  }

  /// The query of the number of matches; `nil` if the text contains no search terms.
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
