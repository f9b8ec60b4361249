// Functions that can be called on a Swift value directly, because the standard library has no
// method of that name. Operators and all other methods need an expression: `#bind("a").length()`.

extension QueryBindable {
  /// Whether the value is in a list of Swift values: `(? IN (?, ?))`.
  public func `in`(_ values: [Self]) -> SQLQueryExpression<Bool> {
    infix(queryFragment, "IN", "(\(values.map(\.queryFragment).joined(", ")))")
  }
  /// Whether a query returns the value: `(? IN (SELECT …))`.
  public func `in`<S: QueryExpression>(_ values: S) -> SQLQueryExpression<Bool>
  where S.QueryValue == Self { infix(queryFragment, "IN", values.queryFragment) }

  fileprivate var bound: SQLQueryExpression<Self> { SQLQueryExpression(queryFragment) }
}

extension Int {
  /// As many random bytes as the number says: `randomblob(?)`.
  public func randomblob() -> SQLQueryExpression<[UInt8]> { bound.randomblob() }
  /// As many zero bytes as the number says: `zeroblob(?)`.
  public func zeroblob() -> SQLQueryExpression<[UInt8]> { bound.zeroblob() }
}

extension String {
  /// The position of an expression's text in this one, counted from 1, or 0:
  /// `instr(?, "users"."name")`.
  public func instr<E: QueryExpression>(_ text: E) -> SQLQueryExpression<Int>
  where E.QueryValue.Unwrapped == String { bound.instr(text) }
  /// The bytes of the hexadecimal text, or NULL if it is invalid: `unhex(?)`. Needs SQLite 3.41.
  public func unhex(_ ignoring: String? = nil) -> SQLQueryExpression<[UInt8]?> {
    bound.unhex(ignoring)
  }
}
