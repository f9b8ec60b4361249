import Synchronization

/// A cache of the variants of one query, with one prepared query for each shape.
///
/// The shape says which clauses the query has; the values are bound when the query runs.
///
/// ```swift
/// static let lists = PreparedQueries<Bool, Int, Int>()
///
/// static func page(flagged: Bool, list: Int, limit: Int) -> Query {
///   let query = lists(flagged) { list, limit in
///     Reminder.where {
///       $0.listID == list
///       if flagged { $0.isFlagged }
///     }
///     .limit { _ in limit }.query
///   }
///   return query(list, limit)
/// }
/// ```
/// The closure may read the shape's values directly, because they are the same in every query of
/// that shape. All other values must come from the closure's parameters, because the query that it
/// returns is used again.
public final class PreparedQueries<Shape: Hashable & Sendable, each Value: ColumnRepresentation>:
  Sendable
{
  private let known = Mutex<[Shape: PreparedQuery<repeat each Value>]>([:])
  private let most: Int

  /// Creates an empty cache. When it has `most` queries, the next new shape empties it first.
  public init(most: Int = 512) { self.most = most }

  /// The prepared query of a shape. `build` is called when the shape is not in the cache.
  public func callAsFunction(
    _ shape: Shape, build: (repeat SQLQueryExpression<each Value>) -> Query
  ) -> PreparedQuery<repeat each Value> {
    if let query = known.withLock({ $0[shape] }) { return query }
    let query = PreparedQuery<repeat each Value>(query: build)
    return known.withLock { known in
      // Another thread may have built the same shape meanwhile. Keep the first one, so that all
      // callers share its text and what is cached with it.
      if let first = known[shape] { return first }
      if known.count >= most { known.removeAll() }
      known[shape] = query
      return query
    }
  }
}
