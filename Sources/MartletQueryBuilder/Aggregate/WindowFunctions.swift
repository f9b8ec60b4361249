/// A function that has a value only `over` a window (https://sqlite.org/windowfunctions.html#biwinfunc).
public struct WindowFunction<QueryValue: QueryRepresentable>: WindowCallable {
  public let queryFragment: QueryFragment

  init(_ name: String, _ arguments: QueryFragment...) {
    queryFragment = "\(raw: name)(\(arguments.joined(", ")))"
  }
}

/// 1, 2, 3, … in the window's order.
public func rowNumber() -> WindowFunction<Int> { WindowFunction("row_number") }
/// The row number of the first peer: 1, 1, 3, …
public func rank() -> WindowFunction<Int> { WindowFunction("rank") }
/// The number of the group of peers: 1, 1, 2, …
public func denseRank() -> WindowFunction<Int> { WindowFunction("dense_rank") }
/// The rank from 0.0 to 1.0.
public func percentRank() -> WindowFunction<Double> { WindowFunction("percent_rank") }
/// The part of the rows up to the current one and its peers, to 1.0.
public func cumeDist() -> WindowFunction<Double> { WindowFunction("cume_dist") }
/// The number of the bucket, where the partition is divided into `count` as evenly as can be.
public func ntile(_ count: Int) -> WindowFunction<Int> {
  WindowFunction("ntile", count.queryFragment)
}

extension QueryExpression where QueryValue.Unwrapped: ColumnRepresentation {
  /// The value `offset` rows before; NULL where there is no such row.
  public func lag(_ offset: Int = 1) -> WindowFunction<QueryValue.Unwrapped?> {
    WindowFunction("lag", queryFragment, offset.queryFragment)
  }
  public func lag(_ offset: Int = 1, default value: SwiftValue<Self>) -> WindowFunction<QueryValue>
  {
    WindowFunction("lag", queryFragment, offset.queryFragment, Self.binding(value))
  }
  /// The value `offset` rows after; NULL where there is no such row.
  public func lead(_ offset: Int = 1) -> WindowFunction<QueryValue.Unwrapped?> {
    WindowFunction("lead", queryFragment, offset.queryFragment)
  }
  public func lead(_ offset: Int = 1, default value: SwiftValue<Self>) -> WindowFunction<QueryValue>
  {
    WindowFunction("lead", queryFragment, offset.queryFragment, Self.binding(value))
  }
  /// The value in the frame's first row. NULL where the frame is empty, as it may be.
  public func firstValue() -> WindowFunction<QueryValue.Unwrapped?> {
    WindowFunction("first_value", queryFragment)
  }
  public func lastValue() -> WindowFunction<QueryValue.Unwrapped?> {
    WindowFunction("last_value", queryFragment)
  }
  /// The value in the frame's row number `number`, counted from 1.
  public func nthValue(_ number: Int) -> WindowFunction<QueryValue.Unwrapped?> {
    WindowFunction("nth_value", queryFragment, number.queryFragment)
  }
}
