/// A ``Case`` with at least one branch.
///
/// Without `else` the value is NULL when no branch applies, so the expression is optional.
public struct CaseExpression<Base: ColumnRepresentation, Result: QueryRepresentable>:
  QueryExpression
{
  public typealias QueryValue = Result.Unwrapped?
  let base: QueryFragment?
  var branches: [QueryFragment]

  public var queryFragment: QueryFragment { fragment(else: nil) }

  private func fragment(else alternative: QueryFragment?) -> QueryFragment {
    var fragment: QueryFragment = "CASE"
    if let base { fragment += " \(base)" }
    for branch in branches { fragment += branch }
    if let alternative { fragment += " ELSE \(alternative)" }
    fragment += " END"
    return fragment
  }

  private func adding(_ condition: QueryFragment, _ result: QueryFragment) -> Self {
    var copy = self
    copy.branches.append(" WHEN \(condition) THEN \(result)")
    return copy
  }

  /// Adds a branch for a value of the base expression: `WHEN ? THEN …`.
  public func when(
    _ value: Base.QueryOutput, then result: some QueryExpressible<Result>
  ) -> Self where Base.QueryOutput: Sendable {
    adding(QueryFragment(Base.bind(value)), result.queryFragment)
  }
  /// Completes the expression with the value for all other rows: `ELSE … END`.
  public func `else`(_ result: some QueryExpressible<Result>) -> SQLQueryExpression<Result> {
    SQLQueryExpression(fragment(else: result.queryFragment))
  }
}

extension CaseExpression where Base == Bool {
  /// Adds a branch for a condition: `WHEN ("t"."a" > ?) THEN …`.
  public func when(
    _ condition: some QueryExpression<Bool>, then result: some QueryExpressible<Result>
  ) -> Self { adding(condition.queryFragment, result.queryFragment) }
}

/// A CASE over a value or over conditions (https://sqlite.org/lang_expr.html#case).
///
/// ```swift
/// Case($0.status).when(.incomplete, then: "open").else("done")
/// // CASE "reminders"."status" WHEN ? THEN ? ELSE ? END
/// ```
public struct Case<Base: ColumnRepresentation> {
  let base: QueryFragment?

  /// Compares an expression with the values of the branches: `CASE "reminders"."status" WHEN …`.
  public init(_ base: some QueryExpression<Base>) { self.base = base.queryFragment }
  /// Compares a Swift value with the values of the branches: `CASE ? WHEN …`.
  public init(_ base: Base) where Base: QueryBindable { self.base = base.queryFragment }

  /// Adds the first branch, for a value of the base expression: `WHEN ? THEN …`.
  public func when<Result: QueryRepresentable>(
    _ value: Base.QueryOutput, then result: some QueryExpressible<Result>
  ) -> CaseExpression<Base, Result> {
    CaseExpression(
      base: base,
      branches: [" WHEN \(QueryFragment(Base.bind(value))) THEN \(result.queryFragment)"])
  }
  /// Adds the first branch, for a condition: `WHEN ("t"."a" > ?) THEN …`.
  public func when<Result: QueryRepresentable>(
    _ condition: some QueryExpression<Bool>, then result: some QueryExpressible<Result>
  ) -> CaseExpression<Base, Result> where Base == Bool {
    CaseExpression(
      base: base, branches: [" WHEN \(condition.queryFragment) THEN \(result.queryFragment)"])
  }
}

extension Case where Base == Bool {
  /// Starts a CASE over conditions: `CASE WHEN … THEN …`.
  public init() { base = nil }
}
