// SQLite's aggregates (https://sqlite.org/lang_aggfunc.html). Each takes a `filter:`, and `over`
// makes it a window function.

/// A call of an aggregate: `sum(DISTINCT "t"."a") FILTER (WHERE …)`.
///
/// Use it directly to call an aggregate that this module has no method for, or your own:
/// `AggregateFunctionExpression<Int?>("mode", $0.priority, filter: $0.isFlagged)`.
public struct AggregateFunctionExpression<QueryValue: QueryRepresentable>: QueryExpression,
  WindowCallable
{
  public let queryFragment: QueryFragment

  /// Calls an aggregate by name.
  ///
  /// `order` determines the order in which the aggregate receives the rows; it needs SQLite 3.44.
  public init<each Argument: QueryExpressible>(
    _ name: String, _ argument: repeat each Argument, distinct: Bool = false,
    order: (some OrderingTerm)? = SQLOrder?.none,
    filter: (some QueryExpression<Bool>)? = SQLQueryExpression<Bool>?.none
  ) {
    var arguments: [QueryFragment] = []
    for argument in repeat each argument { arguments.append(argument.queryFragment) }
    self.init(
      call: QueryFragment(raw: Self.isPlain(name) ? name : quoted(identifier: name)),
      arguments.joined(", "), distinct: distinct, order: order?.orderFragment,
      filter: filter?.queryFragment)
  }

  init(
    call name: QueryFragment, _ arguments: QueryFragment, distinct: Bool, order: QueryFragment?,
    filter: QueryFragment?
  ) {
    var call: QueryFragment = "\(name)(\(distinct ? "DISTINCT " : "")\(arguments)"
    if let order {
      let clause: QueryFragment = " ORDER BY \(order)"
      call += clause.requiring("ORDER BY in an aggregate", since: 3, 44)
    }
    call += ")"
    if let filter { call += " FILTER (WHERE \(filter))" }
    queryFragment = call
  }

  private static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.allSatisfy { $0 == UInt8(ascii: "_") || ($0 | 32).isLetter }
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
}

/// The type of `filter:` if no filter is given.
public typealias NoFilter = SQLQueryExpression<Bool>

extension QueryExpression where QueryValue.Unwrapped: ColumnRepresentation {
  /// The number of rows whose value is not NULL: `count("t"."a")`, `count(DISTINCT "t"."a")`.
  public func count(
    distinct: Bool = false, filter: (some QueryExpression<Bool>)? = NoFilter?.none
  ) -> AggregateFunctionExpression<Int> {
    aggregate("count", queryFragment, distinct: distinct, filter)
  }
  /// The greatest value, or NULL without rows: `max("t"."a")`.
  public func max(
    filter: (some QueryExpression<Bool>)? = NoFilter?.none
  ) -> AggregateFunctionExpression<QueryValue.Unwrapped?> {
    aggregate("max", queryFragment, filter)
  }
  /// The smallest value, or NULL without rows: `min("t"."a")`.
  public func min(
    filter: (some QueryExpression<Bool>)? = NoFilter?.none
  ) -> AggregateFunctionExpression<QueryValue.Unwrapped?> {
    aggregate("min", queryFragment, filter)
  }
}

extension QueryExpression where QueryValue.Unwrapped: SQLNumeric {
  /// The sum, or NULL without rows: `sum("t"."a")`, `sum(DISTINCT "t"."a")`.
  public func sum(
    distinct: Bool = false, filter: (some QueryExpression<Bool>)? = NoFilter?.none
  ) -> AggregateFunctionExpression<QueryValue.Unwrapped?> {
    aggregate("sum", queryFragment, distinct: distinct, filter)
  }
  /// The average, or NULL without rows: `avg("t"."a")`, `avg(DISTINCT "t"."a")`.
  public func avg(
    distinct: Bool = false, filter: (some QueryExpression<Bool>)? = NoFilter?.none
  ) -> AggregateFunctionExpression<Double?> {
    aggregate("avg", queryFragment, distinct: distinct, filter)
  }
  /// The sum as a floating-point number, or 0.0 without rows: `total("t"."a")`,
  /// `total(DISTINCT "t"."a")`.
  public func total(
    distinct: Bool = false, filter: (some QueryExpression<Bool>)? = NoFilter?.none
  ) -> AggregateFunctionExpression<Double> {
    aggregate("total", queryFragment, distinct: distinct, filter)
  }
}

extension QueryExpression where QueryValue.Unwrapped == String {
  /// All texts in one, separated by commas or `separator`: `group_concat("t"."s", ?)`.
  ///
  /// `order` needs SQLite 3.44; without it the order is up to SQLite.
  public func groupConcat(
    _ separator: String? = nil, order: (some OrderingTerm)? = SQLOrder?.none,
    filter: (some QueryExpression<Bool>)? = NoFilter?.none
  ) -> AggregateFunctionExpression<String?> {
    aggregate(
      "group_concat", separator.map { "\(queryFragment), \(bind: $0)" } ?? queryFragment,
      order: order?.orderFragment, filter)
  }
  /// All texts in one, with a separator from each row: `group_concat("t"."s", "t"."a")`.
  public func groupConcat<E: QueryExpression>(
    _ separator: E, order: (some OrderingTerm)? = SQLOrder?.none,
    filter: (some QueryExpression<Bool>)? = NoFilter?.none
  ) -> AggregateFunctionExpression<String?> {
    aggregate(
      "group_concat", "\(queryFragment), \(separator.queryFragment)",
      order: order?.orderFragment, filter)
  }
  /// Every distinct text once, separated by commas: `group_concat(DISTINCT "t"."s")`.
  ///
  /// There is no separator, because an aggregate with DISTINCT takes a single argument.
  public func groupConcat(
    distinct: Bool, order: (some OrderingTerm)? = SQLOrder?.none,
    filter: (some QueryExpression<Bool>)? = NoFilter?.none
  ) -> AggregateFunctionExpression<String?> {
    aggregate(
      "group_concat", queryFragment, distinct: distinct, order: order?.orderFragment, filter)
  }
}

/// The number of rows of the query: `count(*)`.
public func count(
  filter: (some QueryExpression<Bool>)? = NoFilter?.none
) -> AggregateFunctionExpression<Int> { .count(filter: filter) }

extension QueryExpressible where Self == AggregateFunctionExpression<Int> {
  /// The number of rows where the context gives the type: `select { ($0.title, .count()) }`,
  /// `count(*)`.
  public static func count(filter: (some QueryExpression<Bool>)? = NoFilter?.none) -> Self {
    aggregate("count", "*", filter)
  }
}

func aggregate<V>(
  _ name: String, _ arguments: QueryFragment, distinct: Bool = false,
  order: QueryFragment? = nil, _ filter: (some QueryExpressible)?
) -> AggregateFunctionExpression<V> {
  AggregateFunctionExpression(
    call: QueryFragment(raw: name), arguments, distinct: distinct, order: order,
    filter: filter?.queryFragment)
}

/// Aggregates of enums whose raw value is a number: `$0.priority.avg()`.
extension QueryExpression
where QueryValue.Unwrapped: RawRepresentable, QueryValue.Unwrapped.RawValue: SQLNumeric {
  /// The sum of the raw values, or NULL without rows: `sum("t"."a")`.
  public func sum(
    distinct: Bool = false, filter: (some QueryExpression<Bool>)? = NoFilter?.none
  ) -> AggregateFunctionExpression<QueryValue.Unwrapped.RawValue?> {
    aggregate("sum", queryFragment, distinct: distinct, filter)
  }
  /// The average of the raw values, or NULL without rows: `avg("t"."a")`.
  public func avg(
    distinct: Bool = false, filter: (some QueryExpression<Bool>)? = NoFilter?.none
  ) -> AggregateFunctionExpression<Double?> {
    aggregate("avg", queryFragment, distinct: distinct, filter)
  }
  /// The sum of the raw values, or 0.0 without rows: `total("t"."a")`.
  public func total(
    distinct: Bool = false, filter: (some QueryExpression<Bool>)? = NoFilter?.none
  ) -> AggregateFunctionExpression<Double> {
    aggregate("total", queryFragment, distinct: distinct, filter)
  }
}
