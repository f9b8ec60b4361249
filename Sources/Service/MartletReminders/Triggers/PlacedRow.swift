import MartletQueryBuilder

/// A row with a UID, a position and times.
enum PlacedRow {
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
