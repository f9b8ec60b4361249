extension QueryOperand where QueryValue.Unwrapped: ColumnRepresentation {
  /// `coalesce("t"."a", 0)`
  public static func ?? (
    left: Self, right: SwiftValue<Self>
  ) -> SQLQueryExpression<QueryValue.Unwrapped> {
    call("coalesce", left.queryFragment, binding(right))
  }
  public static func ?? <R: QueryOperand>(
    left: Self, right: R
  ) -> SQLQueryExpression<R.QueryValue> where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    call("coalesce", left.queryFragment, right.queryFragment)
  }
  /// Two operands of one type are also what the standard library's `??` takes, which would drop the
  /// right one: this overload is closer.
  public static func ?? (left: Self, right: Self) -> SQLQueryExpression<QueryValue> {
    call("coalesce", left.queryFragment, right.queryFragment)
  }
  public func ifnull(_ other: SwiftValue<Self>) -> SQLQueryExpression<QueryValue.Unwrapped> {
    call("ifnull", queryFragment, Self.binding(other))
  }
}
