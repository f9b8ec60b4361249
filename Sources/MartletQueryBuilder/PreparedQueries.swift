import Synchronization

/// A cache of prepared queries of one kind, with one query for each shape.
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
/// The closure may use the shape as plain Swift values, because every query of that shape binds
/// them alike. Everything else must come from the closure's parameters.
public final class PreparedQueries<Shape: Hashable & Sendable, each Value: ColumnRepresentation>:
  Sendable
{
  private let known = Mutex<[Shape: PreparedQuery<repeat each Value>]>([:])
  private let most: Int

  /// Creates an empty cache. Adding a shape to a cache of `most` queries drops all of them.
  public init(most: Int = 512) { self.most = most }

  /// The prepared query of a shape. `build` is called when the shape is not in the cache.
  public func callAsFunction(
    _ shape: Shape, build: (repeat SQLQueryExpression<each Value>) -> Query
  ) -> PreparedQuery<repeat each Value> {
    if let query = known.withLock({ $0[shape] }) { return query }
    let query = PreparedQuery<repeat each Value>(query: build)
    return known.withLock { known in
      // Another thread may have built the same shape meanwhile. Keep the first one, so that a shape
      // has one text and the driver caches one object for it.
      if let first = known[shape] { return first }
      if known.count >= most { known.removeAll() }
      known[shape] = query
      return query
    }
  }
}
