/// A function that can be used with `OVER`: an aggregate or a window function
/// (https://sqlite.org/windowfunctions.html).
public protocol WindowCallable: Sendable {
  /// The type of the result.
  associatedtype QueryValue: QueryRepresentable
  /// The call, without `OVER`.
  var queryFragment: QueryFragment { get }
}

extension WindowCallable {
  /// A value for each row, computed from the rows around it.
  ///
  /// ```swift
  /// $0.position.sum().over(partitionBy: $0.remindersListID, orderBy: $0.position.desc())
  /// // sum("reminders"."position") OVER (
  /// //   PARTITION BY "reminders"."remindersListID" ORDER BY "reminders"."position" DESC)
  /// ```
  /// Without a frame the function covers all rows of the partition, or with an order, the rows up
  /// to the current one and its peers.
  public func over<each P: QueryExpressible, each O: OrderingTerm>(
    partitionBy partition: repeat each P, orderBy order: repeat each O, frame: WindowFrame? = nil
  ) -> SQLQueryExpression<QueryValue> {
    over(Window(partitionBy: repeat each partition, orderBy: repeat each order, frame: frame))
  }

  /// The function over a window: `row_number() OVER (ORDER BY "t"."a")`.
  public func over(_ window: Window) -> SQLQueryExpression<QueryValue> {
    SQLQueryExpression("\(queryFragment) OVER (\(window.fragment))")
  }
  /// The function over a window that the query declares with ``Select/window(_:_:)``:
  /// `row_number() OVER "w"`.
  public func over(_ name: String) -> SQLQueryExpression<QueryValue> {
    SQLQueryExpression("\(queryFragment) OVER \(quote: name)")
  }
}

/// The rows that a window function covers, and their order.
public struct Window: Sendable {
  let fragment: QueryFragment

  /// Makes a window: `PARTITION BY "t"."a" ORDER BY "t"."b" ROWS BETWEEN …`.
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
  /// Declares a named window that several functions can use: `WINDOW "w" AS (PARTITION BY …)`.
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

/// The rows around the current one that a window function covers:
/// `ROWS BETWEEN 1 PRECEDING AND CURRENT ROW`
/// (https://sqlite.org/windowfunctions.html#frame_specifications).
public struct WindowFrame: Sendable {
  /// The start or the end of a frame. Counts are rows, groups, or a difference of the ordering
  /// value.
  public enum Bound: Sendable {
    /// The start of the partition: `UNBOUNDED PRECEDING`.
    case unboundedPreceding
    /// A count before the current row: `1 PRECEDING`.
    case preceding(Int)
    /// The current row: `CURRENT ROW`.
    case currentRow
    /// A count after the current row: `1 FOLLOWING`.
    case following(Int)
    /// The end of the partition: `UNBOUNDED FOLLOWING`.
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

  /// The rows that a frame leaves out.
  public enum Exclusion: String, Sendable {
    /// No rows.
    case noOthers = "NO OTHERS"
    /// The current row.
    case currentRow = "CURRENT ROW"
    /// The current row and its peers.
    case group = "GROUP"
    /// The current row's peers, but not the current row.
    case ties = "TIES"
  }

  let fragment: QueryFragment

  private init(_ unit: String, _ start: Bound, _ end: Bound, _ exclusion: Exclusion?) {
    let exclusion = exclusion.map { " EXCLUDE \($0.rawValue)" } ?? ""
    fragment = QueryFragment(raw: "\(unit) BETWEEN \(start.sql) AND \(end.sql)\(exclusion)")
  }

  /// A frame counted in rows: `ROWS BETWEEN 1 PRECEDING AND CURRENT ROW`.
  public static func rows(
    from start: Bound, to end: Bound = .currentRow, exclude: Exclusion? = nil
  ) -> Self { Self("ROWS", start, end, exclude) }
  /// A frame by the value of the order's only term: `RANGE BETWEEN 1 PRECEDING AND CURRENT ROW`.
  public static func range(
    from start: Bound, to end: Bound = .currentRow, exclude: Exclusion? = nil
  ) -> Self { Self("RANGE", start, end, exclude) }
  /// A frame counted in groups of peers: `GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW`.
  public static func groups(
    from start: Bound, to end: Bound = .currentRow, exclude: Exclusion? = nil
  ) -> Self { Self("GROUPS", start, end, exclude) }
}
