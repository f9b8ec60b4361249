/// An aggregate over all rows at once: what a parameter `some Sequence<T>` becomes. The rows are
/// collected one by one and handed to the function on the thread of the statement.
///
/// ```swift
/// @DatabaseFunction
/// func mode(priority priorities: some Sequence<Reminder.Priority?>) -> Reminder.Priority? { … }
/// Reminder.select { $mode(priority: $0.priority) }
/// // SELECT "mode"("reminders"."priority") FROM "reminders"
/// ```
/// As a window function it is called once for each row of the result, with the rows of its window.
public protocol CollectingDatabaseFunction: WindowDatabaseFunction
where State == CollectedRows<Row> {
  associatedtype Row
  func row(_ arguments: inout RowReader) throws -> Row
  func result(of rows: [Row]) throws -> QueryBinding
}

extension CollectingDatabaseFunction {
  public func makeState() -> CollectedRows<Row> { CollectedRows() }
  public func step(_ state: inout CollectedRows<Row>, _ arguments: inout RowReader) throws {
    state.append(try row(&arguments))
  }
  public func inverse(_ state: inout CollectedRows<Row>, _ arguments: inout RowReader) throws {
    state.removeFirst()
  }
  public func finalize(_ state: inout CollectedRows<Row>) throws -> QueryBinding {
    try result(of: state.rows)
  }
}
