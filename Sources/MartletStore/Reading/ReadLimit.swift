/// Limits one part of a read in time, on the connection that it came with.
public struct ReadLimit {
  let budget: ReadBudget

  /// Runs `body`; past `limit` its statements are interrupted and
  /// ``ReadError/overBudget(limit:)`` is thrown.
  /// `ownWork`: the time counts that the thread works, and not that in which the machine was busy with others.
  public func within<T>(
    _ limit: Duration, ownWork: Bool = false, _ body: () throws -> T
  ) throws -> T {
    try budget.limiting(to: limit, ownWork: ownWork, body)
  }
}
