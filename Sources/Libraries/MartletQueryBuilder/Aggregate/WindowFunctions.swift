/// A function that can be used only with `over`
/// (https://sqlite.org/windowfunctions.html#biwinfunc).
public struct WindowFunction<QueryValue: QueryRepresentable>: WindowCallable {
  public let queryFragment: QueryFragment

  init(_ name: String, _ arguments: QueryFragment...) {
    queryFragment = "\(raw: name)(\(arguments.joined(", ")))"
  }
}

/// The row's number in the window's order (1, 2, 3, …): `row_number()`.
public func rowNumber() -> WindowFunction<Int> { WindowFunction("row_number") }
/// The row number of the first peer (1, 1, 3, …): `rank()`.
public func rank() -> WindowFunction<Int> { WindowFunction("rank") }
/// The number of the row's group of peers (1, 1, 2, …): `dense_rank()`.
public func denseRank() -> WindowFunction<Int> { WindowFunction("dense_rank") }
/// The rank, scaled to 0.0…1.0: `percent_rank()`.
public func percentRank() -> WindowFunction<Double> { WindowFunction("percent_rank") }
/// The fraction of the rows up to the current one and its peers, at most 1.0: `cume_dist()`.
public func cumeDist() -> WindowFunction<Double> { WindowFunction("cume_dist") }
/// The number of the row's bucket if the partition is divided into `count` buckets of about the
/// same size: `ntile(?)`.
public func ntile(_ count: Int) -> WindowFunction<Int> {
  WindowFunction("ntile", count.queryFragment)
}

extension QueryExpression where QueryValue.Unwrapped: ColumnRepresentation {
  /// The value `offset` rows before, or NULL if there is no such row: `lag("t"."a", ?)`.
  public func lag(_ offset: Int = 1) -> WindowFunction<QueryValue.Unwrapped?> {
    WindowFunction("lag", queryFragment, offset.queryFragment)
  }
  /// The value `offset` rows before, or `value` if there is no such row: `lag("t"."a", ?, ?)`.
  public func lag(_ offset: Int = 1, default value: SwiftValue<Self>) -> WindowFunction<QueryValue>
  {
    WindowFunction("lag", queryFragment, offset.queryFragment, Self.binding(value))
  }
  /// The value `offset` rows after, or NULL if there is no such row: `lead("t"."a", ?)`.
  public func lead(_ offset: Int = 1) -> WindowFunction<QueryValue.Unwrapped?> {
    WindowFunction("lead", queryFragment, offset.queryFragment)
  }
  /// The value `offset` rows after, or `value` if there is no such row: `lead("t"."a", ?, ?)`.
  public func lead(_ offset: Int = 1, default value: SwiftValue<Self>) -> WindowFunction<QueryValue>
  {
    WindowFunction("lead", queryFragment, offset.queryFragment, Self.binding(value))
  }
  /// The value in the first row of the frame, or NULL if the frame is empty:
  /// `first_value("t"."a")`.
  public func firstValue() -> WindowFunction<QueryValue.Unwrapped?> {
    WindowFunction("first_value", queryFragment)
  }
  /// The value in the last row of the frame, or NULL if the frame is empty: `last_value("t"."a")`.
  public func lastValue() -> WindowFunction<QueryValue.Unwrapped?> {
    WindowFunction("last_value", queryFragment)
  }
  /// The value in a row of the frame, counted from 1, or NULL if there is no such row:
  /// `nth_value("t"."a", ?)`.
  public func nthValue(_ number: Int) -> WindowFunction<QueryValue.Unwrapped?> {
    WindowFunction("nth_value", queryFragment, number.queryFragment)
  }
}
