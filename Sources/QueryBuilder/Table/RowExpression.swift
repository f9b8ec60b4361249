/// A row of expressions: what `T.Columns(…)` is.
public protocol RowExpression: QueryExpression where QueryValue: Selection {}

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

/// A row without its primary key, for inserting. What is `nil` is left out of the INSERT, so that the
/// column's DEFAULT works.
public protocol TableDraft: Insertable {}
