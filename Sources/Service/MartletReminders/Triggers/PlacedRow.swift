import MartletQueryBuilder

/// A row with a UID, a position, times and a version.
enum PlacedRow {
  /// The condition that a statement has not added the line of its change to the feed. One that has
  /// sets the version of that line, as all triggers do.
  static func isUnlogged(
    _ kind: ChangeKind, _ id: QueryFragment, _ old: QueryFragment, _ new: QueryFragment
  ) -> SQLQueryExpression<Bool> {
    #sql(
      """
      (\(new) <= \(old) OR NOT EXISTS (SELECT 1 FROM changes \
      WHERE version = \(new) AND kind = \(raw: "\(kind.rawValue)") AND itemID = \(id)))
      """, as: Bool.self)
  }

  /// The `updatedAt` of a row that a trigger touches: now, but never before its last value, because
  /// the clock may have been set back. A text that does not begin with a digit is no time.
  static func touched(after last: QueryFragment = "updatedAt") -> QueryFragment {
    "max(\(sqliteNow), iif(\(last) < ':', \(last), ''))"
  }

  /// Refuses a changed UID that another row has, and to clear a time. A new row has no times until
  /// a trigger sets them.
  static func rules(unique: (unless: QueryFragment, message: String)) -> Refusal {
    Refusal(
      ("old.uid IS new.uid OR \(unique.unless)", unique.message),
      (
        """
        (old.createdAt IS NULL OR new.createdAt IS NOT NULL) \
        AND (old.updatedAt IS NULL OR new.updatedAt IS NOT NULL)
        """, ValueRule.time.rawValue
      ))
  }
}
