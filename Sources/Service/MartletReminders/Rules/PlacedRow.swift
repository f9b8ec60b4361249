import MartletQueryBuilder

/// A row with a UID, a position and times.
enum PlacedRow {
  /// The columns of the old row and of the new one.
  typealias Change = (old: QueryFragment, new: QueryFragment)

  /// Refuses invalid values that a program sets. An invalid old value may stay while others change.
  static func rules(
    uid: Change, position: Change, createdAt: Change, updatedAt: Change,
    unique: (unless: QueryFragment, message: String)
  ) -> Refusal {
    func rule(
      _ change: Change, _ condition: QueryFragment, _ message: String
    ) -> (unless: QueryFragment, message: String) {
      ("\(change.old) IS \(change.new) OR \(condition)", message)
    }
    return Refusal(
      rule(uid, ValueRule.isUID(uid.new), ValueRule.uid.rawValue),
      rule(uid, unique.unless, unique.message),
      rule(
        position, "\(position.new) IS NULL OR \(ValueRule.isPosition(position.new))",
        ValueRule.position.rawValue),
      rule(createdAt, ValueRule.isTime(createdAt.new), ValueRule.time.rawValue),
      rule(updatedAt, ValueRule.isTime(updatedAt.new), ValueRule.time.rawValue))
  }
}
