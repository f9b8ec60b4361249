/// One result for many rows. It runs on the thread of the statement, row by row.
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
  /// What is known of the rows so far. Each use in a statement, and each group, has its own.
  associatedtype State
  func makeState() -> State
  /// Takes one row's arguments.
  func step(_ state: inout State, _ arguments: inout RowReader) throws
  /// The result of all rows; of a new state when there was none.
  func finalize(_ state: inout State) throws -> QueryBinding
}
