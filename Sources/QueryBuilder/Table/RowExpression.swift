/// A row of expressions: what `T.Columns(…)` is.
public protocol RowExpression: QueryExpression where QueryValue: Table {}

extension RowExpression {
  public var queryFragment: QueryFragment {
    "(\(selection.map(\.fragment).joined(", ")))"
  }
}

/// One column's new value in an INSERT or UPDATE.
public struct Assignment: Sendable {
  public var column: String
  public var value: QueryFragment

  public init(_ column: String, _ value: QueryFragment) {
    self.column = column
    self.value = value
  }
}

/// What `insert` takes: a row, a draft, or `T.Columns(…)` of expressions.
public protocol Insertable<Target>: Sendable {
  associatedtype Target: Table
  var assignments: [Assignment] { get }
}
