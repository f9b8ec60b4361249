/// A row of expressions: `T.Columns(…)`.
public protocol RowExpression: QueryExpressible where QueryValue: Table {}

extension RowExpression {
  public var queryFragment: QueryFragment {
    "(\(selection.map(\.fragment).joined(", ")))"
  }
}

/// A column and its new value in an INSERT or UPDATE.
public struct Assignment: Sendable {
  /// The name of the column.
  public var column: String
  /// The new value.
  public var value: QueryFragment
  /// Whether it comes from a `nil` in a draft: an INSERT may leave the column to its DEFAULT, and
  /// an upsert sets it to NULL.
  public var isOmittable = false

  /// Creates an assignment.
  public init(_ column: String, _ value: QueryFragment) {
    self.column = column
    self.value = value
  }
}

extension [Assignment] {
  /// The assignments, with an error in place of a second value for a column. Two groups with a
  /// column of the same name share that column, so it is unclear which value is meant.
  var refusingDuplicates: [Assignment] {
    var seen: Set<String> = []
    return map { part in
      guard !seen.insert(part.column).inserted else { return part }
      let reason = "the column \"\(part.column)\" is given twice: two groups of the table have it"
      return Assignment(part.column, QueryFragment(.invalid(reason: reason)))
    }
  }
}

/// A row that `insert` takes besides values of the table's own type: a draft, or `T.Columns(…)`.
public protocol Insertable<Target>: Sendable {
  /// The table of the row.
  associatedtype Target: Table
  /// The values of the columns.
  var assignments: [Assignment] { get }
}
