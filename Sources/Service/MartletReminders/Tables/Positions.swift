import MartletQueryBuilder

/// The positions that order the lists, the smart lists, and the reminders of a list. They have
/// gaps, so that a row can be moved without changing the others.
enum Positions {
  /// The distance between rows that are placed one after the other: enough for 16 rows in the same
  /// place, each halving what is left.
  static let gap = 65_536

  /// The position after the last one, or 0 for the first row. At the largest position it stays the
  /// same; rows with equal positions are ordered by ID.
  static func next(after last: QueryFragment) -> SQLQueryExpression<Int> {
    SQLQueryExpression(
      """
      coalesce(min(\(last) + \(raw: "\(gap)"), \(raw: "\(ValueRule.largest)")), 0)
      """)
  }

  /// A position between two others, or before or after one; `nil` if there is no room.
  static func between(_ low: Int?, _ high: Int?) -> Int? {
    spread(1, between: low, high, leastStep: 1)?.first
  }

  /// The positions of `count` rows between two others, with equal distances: `gap` where there is
  /// no other row on one side, at least `leastStep` elsewhere. `nil` if there is no room.
  static func spread(
    _ count: Int, between low: Int? = nil, _ high: Int? = nil, leastStep: Int = gap
  ) -> [Int]? {
    let step: Int
    let first: Int
    switch (low, high) {
    case (let low?, let high?):
      step = (high - low) / (count + 1)
      first = low + step
    case (let low?, nil):
      step = gap
      first = low + gap
    case (nil, let high?):
      step = gap
      first = high - gap * count
    case (nil, nil):
      step = gap
      first = 0
    }
    guard step >= leastStep, first >= -ValueRule.largest,
      first + (count - 1) * step <= ValueRule.largest
    else { return nil }
    return (0..<count).map { first + $0 * step }
  }
}
