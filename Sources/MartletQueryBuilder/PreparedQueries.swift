import Synchronization

/// Prepared queries of one kind, one for each shape that comes: which conditions there are is the shape, what they compare
/// with are the values.
///
/// ```swift
/// static let lists = PreparedQueries<Bool, Int, Int>()
///
/// static func page(flagged: Bool, list: Int, limit: Int) -> Query {
///   let query = lists(flagged) { list, limit in
///     Reminder.where { $0.listID == list && (!flagged || $0.isFlagged) }.limit { _ in limit }.query
///   }
///   return query(list, limit)
/// }
/// ```
/// What a shape holds, and no value, may go into the query as it is: it is bound the same way each time.
public final class PreparedQueries<Shape: Hashable & Sendable, each Value: ColumnRepresentation>:
  Sendable
{
  private let known = Mutex<[Shape: PreparedQuery<repeat each Value>]>([:])
  private let most: Int

  /// `most`: with one more all are forgotten, so that no shapes keep the places of others for ever.
  public init(most: Int = 512) { self.most = most }

  public func callAsFunction(
    _ shape: Shape, build: (repeat SQLQueryExpression<each Value>) -> Query
  ) -> PreparedQuery<repeat each Value> {
    if let query = known.withLock({ $0[shape] }) { return query }
    let query = PreparedQuery<repeat each Value>(query: build)
    return known.withLock { known in
      // Another thread has printed it meanwhile: a shape has one text, and the driver one note of it.
      if let first = known[shape] { return first }
      if known.count >= most { known.removeAll() }
      known[shape] = query
      return query
    }
  }
}
