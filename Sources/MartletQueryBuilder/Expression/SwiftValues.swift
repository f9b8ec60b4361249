// Functions of Swift values that the standard library does not have by these names. Operators and all other
// methods want an operand: `#bind("a").length()`.

extension QueryBindable {
  /// `(? IN (?, ?))`
  public func `in`(_ values: [Self]) -> SQLQueryExpression<Bool> {
    infix(queryFragment, "IN", "(\(values.map(\.queryFragment).joined(", ")))")
  }
  public func `in`<S: QueryExpression>(_ values: S) -> SQLQueryExpression<Bool>
  where S.QueryValue == Self { infix(queryFragment, "IN", values.queryFragment) }

  fileprivate var bound: SQLQueryExpression<Self> { SQLQueryExpression(queryFragment) }
}

extension Int {
  /// `randomblob(10)`
  public func randomblob() -> SQLQueryExpression<[UInt8]> { bound.randomblob() }
  public func zeroblob() -> SQLQueryExpression<[UInt8]> { bound.zeroblob() }
}

extension String {
  /// `instr('Jr', "users"."name")`
  public func instr<E: QueryExpression>(_ text: E) -> SQLQueryExpression<Int>
  where E.QueryValue.Unwrapped == String { bound.instr(text) }
  public func unhex(_ ignoring: String? = nil) -> SQLQueryExpression<[UInt8]?> {
    bound.unhex(ignoring)
  }
}
