/// The rows of a ``CollectingDatabaseFunction``, removed in the order in which they were added.
public struct CollectedRows<Row> {
  private var stored: [Row] = []
  /// The index of the first row that is not removed. Moving all other rows on each removal would
  /// take quadratic time for a window.
  private var start = 0

  init() {}

  /// The rows that are not removed, oldest first.
  public var rows: [Row] { start == 0 ? stored : Array(stored[start...]) }

  mutating func append(_ row: Row) { stored.append(row) }

  mutating func removeFirst() {
    start += 1
    if start * 2 > stored.count {
      stored.removeFirst(start)
      start = 0
    }
  }
}
