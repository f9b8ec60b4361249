/// An aggregate that gets all rows at once, as a parameter of type `some Sequence<T>`.
///
/// The rows are collected one by one and passed to the function on the thread of the statement.
///
/// ```swift
/// @DatabaseFunction
/// func mode(priority priorities: some Sequence<Reminder.Priority?>) -> Reminder.Priority? { … }
/// Reminder.select { $mode(priority: $0.priority) }
/// // SELECT "mode"("reminders"."priority") FROM "reminders"
/// ```
/// As a window function it is called once per row of the result, with the rows of that row's
/// window.
public protocol CollectingDatabaseFunction: WindowDatabaseFunction
where State == CollectedRows<Row> {
  /// The arguments for one row.
  associatedtype Row
  /// Reads one row's arguments.
  func row(_ arguments: inout RowReader) throws -> Row
  /// The result for the collected rows. A thrown error fails the statement.
  func result(of rows: [Row]) throws -> QueryBinding
}

extension CollectingDatabaseFunction {
  /// Makes an empty collection of rows.
  public func makeState() -> CollectedRows<Row> { CollectedRows() }
  /// Adds a row.
  public func step(_ state: inout CollectedRows<Row>, _ arguments: inout RowReader) throws {
    state.append(try row(&arguments))
  }
  /// Removes the oldest row.
  public func inverse(_ state: inout CollectedRows<Row>, _ arguments: inout RowReader) throws {
    state.removeFirst()
  }
  /// The function's result for the collected rows.
  public func finalize(_ state: inout CollectedRows<Row>) throws -> QueryBinding {
    try result(of: state.rows)
  }
}
