import QueryBuilder
import Store

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
    let marked = ColumnKind.marked(before: markers.before, after: markers.after)
    return
      ReminderText
      .where { if let pattern = text.pattern { $0.match(pattern) } }
      .join(Reminder.all) { $0.rowid == $1.id }
      .where { _, reminder in
        for condition in text.tagConditions(reminder) { condition }
        if let extent = lists.condition(reminder) { extent }
      }
      .order { found, reminder in
        // A rank knows how often the words are in all rows. To whoever sees some of them, the order of two of
        // their own would tell what others write.
        if case .all = lists { found.bm25([\.title: 4, \.tags: 2]) }
        reminder.id
      }
      .limit(limit)
      .select { _, reminder in reminder.item }
      .query(
        adding: [
          ("title", ReminderText.title.highlight("\u{1}", "\u{2}")),
          ("notes", ReminderText.notes.highlight("\u{1}", "\u{2}")),
          ("tags", ReminderText.tags.highlight("\u{1}", "\u{2}")),
        ], in: "highlights", kind: marked)
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
