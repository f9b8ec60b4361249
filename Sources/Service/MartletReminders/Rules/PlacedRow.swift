import MartletQueryBuilder

/// A row with a position and times.
enum PlacedRow {
  /// The condition that the position is invalid, or that a changed time is.
  static func condition(
    position: QueryFragment, createdAt: (old: QueryFragment, new: QueryFragment),
    updatedAt: (old: QueryFragment, new: QueryFragment)
  ) -> SQLQueryExpression<Bool> {
    SQLQueryExpression(
      """
      (\(ValueRule.isPosition(position)) IS NOT 1 \
      OR (\(createdAt.old) IS NOT NULL AND \(createdAt.old) IS NOT \(createdAt.new) \
      AND \(ValueRule.isTime(createdAt.new)) IS NOT 1) \
      OR (\(updatedAt.old) IS NOT NULL AND \(updatedAt.old) IS NOT \(updatedAt.new) \
      AND \(ValueRule.isTime(updatedAt.new)) IS NOT 1))
      """)
  }
}
