import MartletSQLite

/// A reminder that a check could not change, for example because a value in it is older than the
/// constraint of its column. It does not hold up the others.
struct LeftReminder: Error, CustomStringConvertible {
  let id: Int
  let error: any Error

  var description: String { "reminder \(id): \(error)" }
}

extension Connection {
  /// Changes each reminder in a savepoint of its own. Where a rule of the data refuses that, it is
  /// undone, and `leave` is called.
  ///
  /// - Returns: The reminders that were left.
  func changeEach(
    _ ids: [Int], _ change: (Int) throws -> Void, leave: (Int) throws -> Void = { _ in }
  ) throws -> [LeftReminder] {
    try ids.compactMap { id in
      do {
        try savepoint { try change(id) }
        return nil
      } catch let error as SQLiteError where !error.isConstraint {
        // Of the file, or of all of this write.
        throw error
      } catch {
        try leave(id)
        return LeftReminder(id: id, error: error)
      }
    }
  }
}
