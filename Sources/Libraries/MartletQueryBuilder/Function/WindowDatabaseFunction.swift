/// An aggregate that can also remove its oldest row, so that it works over a moving window
/// (https://sqlite.org/windowfunctions.html#udfwinfunc).
public protocol WindowDatabaseFunction: AggregateDatabaseFunction {
  /// Removes the oldest row, which has these arguments, from the state.
  func inverse(_ state: inout State, _ arguments: inout RowReader) throws
}
