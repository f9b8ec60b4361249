/// A row of expressions: what `T.Columns(…)` is.
public protocol RowExpression: QueryExpressible where QueryValue: Table {}

extension RowExpression {
  public var queryFragment: QueryFragment {
    "(\(selection.map(\.fragment).joined(", ")))"
  }
}

/// One column's new value in an INSERT or UPDATE.
public struct Assignment: Sendable {
  public var column: String
  public var value: QueryFragment
  /// A draft's `nil`: an INSERT may leave the column to its DEFAULT, an upsert sets it to NULL.
  public var isOmittable = false

  public init(_ column: String, _ value: QueryFragment) {
    self.column = column
    self.value = value
  }
}

extension [Assignment] {
  /// Two groups with a column of one name are one column: which value is meant, nobody knows.
  var refusingDuplicates: [Assignment] {
    var seen: Set<String> = []
    return map { part in
      guard !seen.insert(part.column).inserted else { return part }
      let reason = "the column \"\(part.column)\" is given twice: two groups of the table have it"
      return Assignment(part.column, QueryFragment(.invalid(reason: reason)))
    }
  }
}

/// What `insert` takes beside rows: a draft, or `T.Columns(…)` of expressions.
public protocol Insertable<Target>: Sendable {
  associatedtype Target: Table
  var assignments: [Assignment] { get }
}
