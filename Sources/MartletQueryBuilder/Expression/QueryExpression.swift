/// Anything that has a place in SQL: columns, calls, sub-selects, whole tables, plain Swift values.
public protocol QueryExpressible<QueryValue>: Sendable, OrderingTerm {
  associatedtype QueryValue: QueryRepresentable
  var queryFragment: QueryFragment { get }
  /// The columns that it becomes in a SELECT: one, or those of a table.
  var selection: [SelectedColumn] { get }
}

extension QueryExpressible {
  public var selection: [SelectedColumn] {
    [SelectedColumn(queryFragment, ResultColumn("", kind: QueryValue.kind))]
  }
}

/// An expression that operators and methods work on, and what a reusable one gives:
///
/// ```swift
/// extension Reminder.TableColumns {
///   var isCompleted: some QueryExpression<Bool> { status.neq(Reminder.Status.incomplete) }
///   var isPastDue: some QueryExpression<Bool> { !isCompleted && #sql("\(dueDate) < date('now')") }
/// }
/// ```
/// Swift values are ``QueryExpressible`` only: `1 + 2` and `"a".hasPrefix("b")` never see this module's overloads.
///
/// A date is moved by calling it: `$0.dueDate(.startOfMonth)`. That is no `callAsFunction`, because with a
/// dynamic member of the same generic type it makes Swift 6.3 crash on each misspelled method.
@dynamicCallable
public protocol QueryExpression<QueryValue>: QueryExpressible {}

/// What every operator, function and `#sql` returns.
public struct SQLQueryExpression<QueryValue: QueryRepresentable>: QueryExpression {
  public let queryFragment: QueryFragment
  /// The columns of a row that is no row value where it is selected: what ``Select/map(_:)`` hands on.
  private let columns: [SelectedColumn]?

  public init(_ fragment: QueryFragment) {
    queryFragment = fragment
    columns = nil
  }
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

/// The Swift value that fits an expression: `Int` for a column of `Int` and of `Int?`.
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
