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
