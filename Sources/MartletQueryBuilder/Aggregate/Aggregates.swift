// SQLite's aggregates (https://sqlite.org/lang_aggfunc.html). Each takes `filter:`, and becomes a window
// function by `over`.

/// A call of an aggregate: `sum(DISTINCT "t"."a") FILTER (WHERE …)`.
///
/// Aggregates that SQLite has and this module does not name, and your own, are called by this type:
/// `AggregateFunctionExpression<Int?>("mode", $0.priority, filter: $0.isFlagged)`.
public struct AggregateFunctionExpression<QueryValue: QueryRepresentable>: QueryExpression,
  WindowCallable
{
  public let queryFragment: QueryFragment

  /// `order` says in which order the rows are fed to the aggregate; it needs SQLite 3.44.
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

/// `filter:` where none is given.
public typealias NoFilter = SQLQueryExpression<Bool>

extension QueryExpression where QueryValue.Unwrapped: ColumnRepresentation {
  /// The rows where it is not NULL.
  public func count(
    distinct: Bool = false, filter: (some QueryExpression<Bool>)? = NoFilter?.none
  ) -> AggregateFunctionExpression<Int> {
    aggregate("count", queryFragment, distinct: distinct, filter)
  }
  public func max(
    filter: (some QueryExpression<Bool>)? = NoFilter?.none
  ) -> AggregateFunctionExpression<QueryValue.Unwrapped?> {
    aggregate("max", queryFragment, filter)
  }
  public func min(
    filter: (some QueryExpression<Bool>)? = NoFilter?.none
  ) -> AggregateFunctionExpression<QueryValue.Unwrapped?> {
    aggregate("min", queryFragment, filter)
  }
}

extension QueryExpression where QueryValue.Unwrapped: SQLNumeric {
  /// NULL where there are no rows.
  public func sum(
    distinct: Bool = false, filter: (some QueryExpression<Bool>)? = NoFilter?.none
  ) -> AggregateFunctionExpression<QueryValue.Unwrapped?> {
    aggregate("sum", queryFragment, distinct: distinct, filter)
  }
  public func avg(
    distinct: Bool = false, filter: (some QueryExpression<Bool>)? = NoFilter?.none
  ) -> AggregateFunctionExpression<Double?> {
    aggregate("avg", queryFragment, distinct: distinct, filter)
  }
  /// As ``sum(distinct:filter:)``, but 0.0 where there are no rows.
  public func total(
    distinct: Bool = false, filter: (some QueryExpression<Bool>)? = NoFilter?.none
  ) -> AggregateFunctionExpression<Double> {
    aggregate("total", queryFragment, distinct: distinct, filter)
  }
}

extension QueryExpression where QueryValue.Unwrapped == String {
  /// All texts in one. `order` needs SQLite 3.44; without it the order is SQLite's.
  public func groupConcat(
    _ separator: String? = nil, order: (some OrderingTerm)? = SQLOrder?.none,
    filter: (some QueryExpression<Bool>)? = NoFilter?.none
  ) -> AggregateFunctionExpression<String?> {
    aggregate(
      "group_concat", separator.map { "\(queryFragment), \(bind: $0)" } ?? queryFragment,
      order: order?.orderFragment, filter)
  }
  /// With a separator from the row.
  public func groupConcat<E: QueryExpression>(
    _ separator: E, order: (some OrderingTerm)? = SQLOrder?.none,
    filter: (some QueryExpression<Bool>)? = NoFilter?.none
  ) -> AggregateFunctionExpression<String?> {
    aggregate(
      "group_concat", "\(queryFragment), \(separator.queryFragment)",
      order: order?.orderFragment, filter)
  }
  /// Each text once, with commas: an aggregate with DISTINCT takes no second argument.
  public func groupConcat(
    distinct: Bool, order: (some OrderingTerm)? = SQLOrder?.none,
    filter: (some QueryExpression<Bool>)? = NoFilter?.none
  ) -> AggregateFunctionExpression<String?> {
    aggregate(
      "group_concat", queryFragment, distinct: distinct, order: order?.orderFragment, filter)
  }
}

/// `count(*)`, over the rows of the query it stands in.
public func count(
  filter: (some QueryExpression<Bool>)? = NoFilter?.none
) -> AggregateFunctionExpression<Int> { .count(filter: filter) }

extension QueryExpressible where Self == AggregateFunctionExpression<Int> {
  /// `count(*)`, where a type is expected: `select { ($0.title, .count()) }`.
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

/// Numbers that have names: `$0.priority.avg()`.
extension QueryExpression
where QueryValue.Unwrapped: RawRepresentable, QueryValue.Unwrapped.RawValue: SQLNumeric {
  public func sum(
    distinct: Bool = false, filter: (some QueryExpression<Bool>)? = NoFilter?.none
  ) -> AggregateFunctionExpression<QueryValue.Unwrapped.RawValue?> {
    aggregate("sum", queryFragment, distinct: distinct, filter)
  }
  public func avg(
    distinct: Bool = false, filter: (some QueryExpression<Bool>)? = NoFilter?.none
  ) -> AggregateFunctionExpression<Double?> {
    aggregate("avg", queryFragment, distinct: distinct, filter)
  }
  public func total(
    distinct: Bool = false, filter: (some QueryExpression<Bool>)? = NoFilter?.none
  ) -> AggregateFunctionExpression<Double> {
    aggregate("total", queryFragment, distinct: distinct, filter)
  }
}
