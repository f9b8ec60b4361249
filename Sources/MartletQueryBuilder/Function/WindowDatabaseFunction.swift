/// An aggregate that can also forget its oldest row, so that it works over a moving window
/// (https://sqlite.org/windowfunctions.html#udfwinfunc).
public protocol WindowDatabaseFunction: AggregateDatabaseFunction {
  /// Forgets the oldest row that was taken, whose arguments it gets once more.
  func inverse(_ state: inout State, _ arguments: inout RowReader) throws
}
