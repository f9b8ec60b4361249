// Each aggregate takes `filter:` (https://sqlite.org/lang_aggfunc.html): `sum("t"."a") FILTER (WHERE …)`.

extension QueryOperand where QueryValue.Unwrapped: ColumnRepresentation {
  /// The rows where it is not NULL.
  public func count(
    distinct: Bool = false, filter: (some QueryOperand<Bool>)? = SQLQueryExpression<Bool>?.none
  ) -> SQLQueryExpression<Int> {
    aggregate("count", distinct ? "DISTINCT \(queryFragment)" : queryFragment, filter)
  }
  public func max(
    filter: (some QueryOperand<Bool>)? = SQLQueryExpression<Bool>?.none
  ) -> SQLQueryExpression<QueryValue.Unwrapped?> { aggregate("max", queryFragment, filter) }
  public func min(
    filter: (some QueryOperand<Bool>)? = SQLQueryExpression<Bool>?.none
  ) -> SQLQueryExpression<QueryValue.Unwrapped?> { aggregate("min", queryFragment, filter) }
}

extension QueryOperand where QueryValue.Unwrapped: SQLNumeric {
  public func sum(
    filter: (some QueryOperand<Bool>)? = SQLQueryExpression<Bool>?.none
  ) -> SQLQueryExpression<QueryValue.Unwrapped?> { aggregate("sum", queryFragment, filter) }
  public func avg(
    filter: (some QueryOperand<Bool>)? = SQLQueryExpression<Bool>?.none
  ) -> SQLQueryExpression<Double?> { aggregate("avg", queryFragment, filter) }
  /// As ``sum(filter:)``, but 0.0 where there are no rows.
  public func total(
    filter: (some QueryOperand<Bool>)? = SQLQueryExpression<Bool>?.none
  ) -> SQLQueryExpression<Double> { aggregate("total", queryFragment, filter) }
}

extension QueryOperand where QueryValue.Unwrapped == String {
  public func groupConcat(
    _ separator: String = ",", filter: (some QueryOperand<Bool>)? = SQLQueryExpression<Bool>?.none
  ) -> SQLQueryExpression<String?> {
    aggregate("group_concat", "\(queryFragment), \(bind: separator)", filter)
  }
}

/// `count(*)`, over the rows of the query it stands in.
public func count(
  filter: (some QueryOperand<Bool>)? = SQLQueryExpression<Bool>?.none
) -> SQLQueryExpression<Int> { aggregate("count", "*", filter) }

func aggregate<V>(
  _ name: StaticString, _ argument: QueryFragment, _ filter: (some QueryExpression)?
) -> SQLQueryExpression<V> {
  let call: QueryFragment = "\(QueryFragment(name))(\(argument))"
  return SQLQueryExpression(filter.map { "\(call) FILTER (WHERE \($0.queryFragment))" } ?? call)
}

/// Numbers that have names: `$0.priority.avg()`.
extension QueryOperand
where QueryValue.Unwrapped: RawRepresentable, QueryValue.Unwrapped.RawValue: SQLNumeric {
  public func sum(
    filter: (some QueryOperand<Bool>)? = SQLQueryExpression<Bool>?.none
  ) -> SQLQueryExpression<QueryValue.Unwrapped.RawValue?> {
    aggregate("sum", queryFragment, filter)
  }
  public func avg(
    filter: (some QueryOperand<Bool>)? = SQLQueryExpression<Bool>?.none
  ) -> SQLQueryExpression<Double?> { aggregate("avg", queryFragment, filter) }
  public func total(
    filter: (some QueryOperand<Bool>)? = SQLQueryExpression<Bool>?.none
  ) -> SQLQueryExpression<Double> { aggregate("total", queryFragment, filter) }
}
