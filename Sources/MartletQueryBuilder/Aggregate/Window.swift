/// What can stand before `OVER` (https://sqlite.org/windowfunctions.html): aggregates and window functions.
public protocol WindowCallable: Sendable {
  associatedtype QueryValue: QueryRepresentable
  var queryFragment: QueryFragment { get }
}

extension WindowCallable {
  /// A value for each row, made of the rows around it.
  ///
  /// ```swift
  /// $0.position.sum().over(partitionBy: $0.remindersListID, orderBy: $0.position.desc())
  /// // sum("reminders"."position") OVER (
  /// //   PARTITION BY "reminders"."remindersListID" ORDER BY "reminders"."position" DESC)
  /// ```
  /// Without a frame it is all rows of the partition; with an order, those up to the current one and its
  /// peers.
  public func over<each P: QueryExpressible, each O: OrderingTerm>(
    partitionBy partition: repeat each P, orderBy order: repeat each O, frame: WindowFrame? = nil
  ) -> SQLQueryExpression<QueryValue> {
    over(Window(partitionBy: repeat each partition, orderBy: repeat each order, frame: frame))
  }

  public func over(_ window: Window) -> SQLQueryExpression<QueryValue> {
    SQLQueryExpression("\(queryFragment) OVER (\(window.fragment))")
  }
  /// Over a window that the query declares by ``Select/window(_:_:)``.
  public func over(_ name: String) -> SQLQueryExpression<QueryValue> {
    SQLQueryExpression("\(queryFragment) OVER \(quote: name)")
  }
}

/// Which rows a window function sees, and in what order.
public struct Window: Sendable {
  let fragment: QueryFragment

  public init<each P: QueryExpressible, each O: OrderingTerm>(
    partitionBy partition: repeat each P, orderBy order: repeat each O, frame: WindowFrame? = nil
  ) {
    var partitions: [QueryFragment] = []
    for term in repeat each partition { partitions.append(term.queryFragment) }
    var orders: [QueryFragment] = []
    for term in repeat each order { orders.append(term.orderFragment) }
    var parts: [QueryFragment] = []
    if !partitions.isEmpty { parts.append("PARTITION BY \(partitions.joined(", "))") }
    if !orders.isEmpty { parts.append("ORDER BY \(orders.joined(", "))") }
    if let frame { parts.append(frame.fragment) }
    fragment = parts.joined(" ")
  }
}

extension Select {
  /// `WINDOW "w" AS (PARTITION BY …)`: a window under a name, for several functions.
  ///
  /// ```swift
  /// Reminder.all.window("list") { Window(partitionBy: $0.remindersListID, orderBy: $0.position) }
  ///   .select { (rowNumber().over("list"), $0.title.lag().over("list")) }
  /// ```
  public func window(_ name: String, _ window: (Scope) -> Window) -> Self {
    let window = window(scope)
    return with { $0.windows.append("\(quote: name) AS (\(window.fragment))") }
  }
}

/// Which rows around the current one count: `ROWS BETWEEN 1 PRECEDING AND CURRENT ROW`
/// (https://sqlite.org/windowfunctions.html#frame_specifications).
public struct WindowFrame: Sendable {
  /// Where a frame begins or ends. Counts are rows, groups, or the difference of the ordering value.
  public enum Bound: Sendable {
    case unboundedPreceding
    case preceding(Int)
    case currentRow
    case following(Int)
    case unboundedFollowing

    fileprivate var sql: String {
      switch self {
      case .unboundedPreceding: "UNBOUNDED PRECEDING"
      case .preceding(let count): "\(count) PRECEDING"
      case .currentRow: "CURRENT ROW"
      case .following(let count): "\(count) FOLLOWING"
      case .unboundedFollowing: "UNBOUNDED FOLLOWING"
      }
    }
  }

  /// What is left out of a frame.
  public enum Exclusion: String, Sendable {
    case noOthers = "NO OTHERS"
    case currentRow = "CURRENT ROW"
    /// The current row and its peers.
    case group = "GROUP"
    /// The current row's peers, but not it.
    case ties = "TIES"
  }

  let fragment: QueryFragment

  private init(_ unit: String, _ start: Bound, _ end: Bound, _ exclusion: Exclusion?) {
    let exclusion = exclusion.map { " EXCLUDE \($0.rawValue)" } ?? ""
    fragment = QueryFragment(raw: "\(unit) BETWEEN \(start.sql) AND \(end.sql)\(exclusion)")
  }

  /// Counted in rows.
  public static func rows(
    from start: Bound, to end: Bound = .currentRow, exclude: Exclusion? = nil
  ) -> Self { Self("ROWS", start, end, exclude) }
  /// By the value of the one term of the order.
  public static func range(
    from start: Bound, to end: Bound = .currentRow, exclude: Exclusion? = nil
  ) -> Self { Self("RANGE", start, end, exclude) }
  /// Counted in groups of rows that are equal in order.
  public static func groups(
    from start: Bound, to end: Bound = .currentRow, exclude: Exclusion? = nil
  ) -> Self { Self("GROUPS", start, end, exclude) }
}
