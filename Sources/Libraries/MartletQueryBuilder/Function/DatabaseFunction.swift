/// A Swift function that SQL can call. `@DatabaseFunction` declares it as `$name`.
///
/// Add it to a connection before a statement or a trigger uses it: `db.add(function: $name)`.
public protocol DatabaseFunction: Sendable {
  /// The function's name in SQL, where case does not matter.
  var name: String { get }
  /// The number of columns that the arguments take up; `nil` for any number.
  var argumentCount: Int? { get }
  /// Whether equal arguments always give equal results.
  ///
  /// SQLite may then call the function once for many rows, and an index may store its results
  /// (https://sqlite.org/deterministic.html). The default is `false`.
  var isDeterministic: Bool { get }
  /// Whether triggers, views, CHECK constraints, indexes and generated columns may not call the
  /// function (`SQLITE_DIRECTONLY`).
  ///
  /// The default is `false`.
  var isDirectOnly: Bool { get }
  /// Whether the function has no side effects and reveals nothing, so that an untrusted schema may
  /// call it (`SQLITE_INNOCUOUS`).
  ///
  /// The default is `false`.
  var isInnocuous: Bool { get }
}

extension DatabaseFunction {
  /// `false`: SQLite calls the function for every row.
  public var isDeterministic: Bool { false }
  /// `false`: triggers and views may call the function.
  public var isDirectOnly: Bool { false }
  /// `false`: an untrusted schema may not call the function.
  public var isInnocuous: Bool { false }
}

/// A Swift function with one result per call.
///
/// ```swift
/// @DatabaseFunction func exclaim(_ text: String) -> String { text + "!" }
/// Reminder.select { $exclaim($0.title) }
/// // SELECT "exclaim"("reminders"."title") FROM "reminders"
/// ```
public protocol ScalarDatabaseFunction: DatabaseFunction {
  /// Reads the arguments from left to right and returns the result.
  ///
  /// A thrown error fails the statement with the error's message.
  func invoke(_ arguments: inout RowReader) throws -> QueryBinding
}

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

/// A Swift function with one result for many rows. It runs row by row, on the thread of the
/// statement.
///
/// ```swift
/// @DatabaseFunction struct Product {
///   private var value = 1.0
///   mutating func step(_ factor: Double) { value *= factor }
///   func finalize() -> Double { value }
/// }
/// Item.select { $Product($0.price) }
/// // SELECT "product"("items"."price") FROM "items"
/// ```
public protocol AggregateDatabaseFunction: DatabaseFunction {
  /// The state that accumulates over rows. Each call in a statement has its own for each group.
  associatedtype State
  /// Makes the state for a group.
  func makeState() -> State
  /// Adds one row's arguments to the state.
  func step(_ state: inout State, _ arguments: inout RowReader) throws
  /// The result for all rows, or for a new state if there are no rows.
  func finalize(_ state: inout State) throws -> QueryBinding
}

/// An aggregate that can also remove its oldest row, so that it works over a moving window
/// (https://sqlite.org/windowfunctions.html#udfwinfunc).
public protocol WindowDatabaseFunction: AggregateDatabaseFunction {
  /// Removes the oldest row, which has these arguments, from the state.
  func inverse(_ state: inout State, _ arguments: inout RowReader) throws
}
