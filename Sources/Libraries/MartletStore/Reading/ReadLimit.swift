/// Sets time limits for parts of a read on the connection it was passed with.
public struct ReadLimit {
  let budget: ReadBudget

  /// Runs `body` and interrupts its statements after `limit`. Throws
  /// ``ReadError/overBudget(limit:)`` if they were interrupted.
  ///
  /// With `ownWork`, only the time counts in which the thread works, and not the time in which the
  /// machine was busy with other work.
  public func within<T>(
    _ limit: Duration, ownWork: Bool = false, _ body: () throws -> T
  ) throws -> T {
    try budget.limiting(to: limit, ownWork: ownWork, body)
  }
}
