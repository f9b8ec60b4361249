/// Rows that leave in the order in which they came.
public struct CollectedRows<Row> {
  private var stored: [Row] = []
  /// Where the rows begin that have not left: moving all others at each step would make a window's
  /// cost the square of its size.
  private var start = 0

  init() {}

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
