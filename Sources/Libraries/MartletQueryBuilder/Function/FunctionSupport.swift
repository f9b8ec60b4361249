import FoundationEssentials

/// The message of a Swift function's error in SQL: its `LocalizedError` description, otherwise its
/// own.
package func message(of error: any Error) -> String {
  (error as? any LocalizedError)?.errorDescription ?? "\(error)"
}

/// Declarations for the code that `@DatabaseFunction` generates.
extension MacroSupport {
  /// The number of columns that values of these types take up together.
  public static func columnCount<each V: QueryRepresentable>(_ types: repeat (each V).Type) -> Int {
    var count = 0
    for type in repeat each types { count += type.columnCount }
    return count
  }

  /// A call of a Swift function: `"exclaim"("reminders"."title")`. A row as an argument prints as
  /// its columns.
  public static func call<V: QueryRepresentable, each E: QueryExpressible>(
    _ name: String, _ arguments: repeat each E
  ) -> SQLQueryExpression<V> {
    var sql: QueryFragment = "\(quote: name)(\(list(repeat each arguments)))"
    sql.segments.append(.function(name))
    return SQLQueryExpression(sql)
  }

  /// A call of a Swift aggregate:
  /// `"mode"(DISTINCT "reminders"."priority" ORDER BY …) FILTER (WHERE …)`.
  public static func aggregate<V: QueryRepresentable, each E: QueryExpressible>(
    _ name: String, distinct: Bool, order: (some OrderingTerm)?,
    filter: (some QueryExpression<Bool>)?,
    _ arguments: repeat each E
  ) -> SQLQueryExpression<V> {
    var sql: QueryFragment = "\(quote: name)("
    if distinct { sql += "DISTINCT " }
    sql += list(repeat each arguments)
    if let order { sql += " ORDER BY \(order.orderFragment)" }
    sql += ")"
    if let filter { sql += " FILTER (WHERE \(filter.queryFragment))" }
    sql.segments.append(.function(name))
    return SQLQueryExpression(sql)
  }

  private static func list<each E: QueryExpressible>(_ arguments: repeat each E) -> QueryFragment {
    var list: [QueryFragment] = []
    for argument in repeat each arguments {
      if (Swift.type(of: argument)).QueryValue.kind == .row {
        list += argument.selection.map(\.fragment)
      } else {
        list.append(argument.queryFragment)
      }
    }
    return list.joined(", ")
  }

  /// The result of a Swift function as a value in SQL.
  public static func result<V: ColumnRepresentation>(
    _ value: V.QueryOutput, as type: V.Type
  ) -> QueryBinding { V.bind(value) }

  /// The error of a method whose object, captured weakly, has been deallocated.
  public struct OwnerIsGone: Error, CustomStringConvertible {
    let function: String
    /// Makes the error for the function of this name.
    public init(_ function: String) { self.function = function }
    public var description: String { "the object with the method \(function) no longer exists" }
  }
}

/// The result of a function that returns nothing: NULL, read as `()`.
///
/// ```swift
/// Values($createDefaultRemindersList())
/// // SELECT "createDefaultRemindersList"()
/// ```
public struct NullRepresentation: ColumnRepresentation {
  public var queryOutput: Void
  public init(queryOutput: Void) { self.queryOutput = queryOutput }
  public static var kind: ColumnKind { .integer }
  public static func bind(_ value: Void) -> QueryBinding { .null }
  public static func decode(_ row: inout RowReader) throws(DecodingProblem) {
    guard row.skipNulls(1) else { throw row.problem("NULL") }
  }
}

/// The rows of a ``CollectingDatabaseFunction``, removed in the order in which they were added.
public struct CollectedRows<Row> {
  private var stored: [Row] = []
  /// The index of the first row that is not removed. Moving all other rows on each removal would
  /// take quadratic time for a window.
  private var start = 0

  init() {}

  /// The rows that are not removed, oldest first.
  public var rows: [Row] { start == 0 ? stored : Array(stored[start...]) }

  mutating func append(_ row: Row) { stored.append(row) }

  mutating func removeFirst() {
    start += 1
    if start * 2 > stored.count {
      stored.removeFirst(start)
      start = 0
    }
  }
}
