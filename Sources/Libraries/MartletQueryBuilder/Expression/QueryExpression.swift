/// A value that can be used in SQL: a column, a call, a subquery, a whole table, or a plain Swift
/// value.
public protocol QueryExpressible<QueryValue>: Sendable, OrderingTerm {
  associatedtype QueryValue: QueryRepresentable
  /// The SQL of the value.
  var queryFragment: QueryFragment { get }
  /// The columns that the value becomes in a SELECT: a single one, or all columns of a table.
  var selection: [SelectedColumn] { get }
}

extension QueryExpressible {
  public var selection: [SelectedColumn] {
    [SelectedColumn(queryFragment, ResultColumn("", kind: QueryValue.kind))]
  }
}

/// An expression with operators and methods, also the result type of reusable expressions:
///
/// ```swift
/// extension Reminder.TableColumns {
///   var isCompleted: some QueryExpression<Bool> { status.neq(Reminder.Status.incomplete) }
///   var isPastDue: some QueryExpression<Bool> { !isCompleted && #sql("\(dueDate) < date('now')") }
/// }
/// ```
/// Swift values are only ``QueryExpressible``, so `1 + 2` and `"a".hasPrefix("b")` never consider
/// this module's overloads.
///
/// A date is moved by calling it: `$0.dueDate(.startOfMonth)`. This is not a `callAsFunction`,
/// which together with a dynamic member of the same generic type makes Swift 6.3 crash on every
/// misspelled method.
@dynamicCallable
public protocol QueryExpression<QueryValue>: QueryExpressible {}

/// The result of operators, functions and `#sql`.
public struct SQLQueryExpression<QueryValue: QueryRepresentable>: QueryExpression {
  public let queryFragment: QueryFragment
  /// The columns of a row that is selected column by column instead of as a row value, for
  /// ``Select/map(_:)``.
  private let columns: [SelectedColumn]?

  /// Makes an expression from an SQL fragment. Its type is inferred.
  public init(_ fragment: QueryFragment) {
    queryFragment = fragment
    columns = nil
  }
  /// Makes an expression from an SQL fragment, with the given type.
  public init(_ fragment: QueryFragment, as type: QueryValue.Type) { self.init(fragment) }
  init(columns: [SelectedColumn]) {
    let list = columns.map(\.fragment).joined(", ")
    queryFragment = columns.count == 1 ? list : "(\(list))"
    self.columns = columns
  }

  public var selection: [SelectedColumn] {
    columns ?? [SelectedColumn(queryFragment, ResultColumn("", kind: QueryValue.kind))]
  }
}

/// The Swift type of an expression's value without the optional: `Int` for a column of `Int` or
/// `Int?`.
public typealias SwiftValue<E: QueryExpressible> = E.QueryValue.Unwrapped.QueryOutput

extension QueryExpressible where QueryValue.Unwrapped: ColumnRepresentation {
  static func binding(_ value: SwiftValue<Self>?) -> QueryFragment {
    QueryFragment(value.map(QueryValue.Unwrapped.bind) ?? .null)
  }
}

func infix<V>(
  _ left: QueryFragment, _ operation: String, _ right: QueryFragment
) -> SQLQueryExpression<V> { SQLQueryExpression(infix(left, operation, right)) }

func infix(
  _ left: QueryFragment, _ operation: String, _ right: QueryFragment
) -> QueryFragment {
  let (left, right) = (left.operand, right.operand)
  var sql = QueryFragment()
  sql.segments.reserveCapacity(left.segments.count + right.segments.count + 3)
  sql.append(raw: "(")
  sql += left
  sql.append(raw: " " + operation + " ")
  sql += right
  sql.append(raw: ")")
  return sql
}

func call<V>(_ name: String, _ arguments: QueryFragment...) -> SQLQueryExpression<V> {
  SQLQueryExpression("\(raw: name)(\(arguments.joined(", ")))")
}
