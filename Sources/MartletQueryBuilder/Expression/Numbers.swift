// Functions of numbers and blobs (https://sqlite.org/lang_corefunc.html,
// https://sqlite.org/lang_mathfunc.html).

extension QueryExpression where QueryValue: ColumnRepresentation, QueryValue.Unwrapped: SQLNumeric {
  public func abs() -> SQLQueryExpression<QueryValue> { call("abs", queryFragment) }
  /// -1, 0 or 1.
  public func sign() -> SQLQueryExpression<QueryValue.AsInt> { call("sign", queryFragment) }
  /// To `digits` after the point, half away from zero.
  public func round(_ digits: Int? = nil) -> SQLQueryExpression<QueryValue.AsDouble> {
    guard let digits else { return call("round", queryFragment) }
    return call("round", queryFragment, digits.queryFragment)
  }
}

extension QueryExpression where QueryValue.Unwrapped: SQLNumeric & FixedWidthInteger {
  /// So many random bytes.
  public func randomblob() -> SQLQueryExpression<[UInt8]> { call("randomblob", queryFragment) }
  /// So many zeros.
  public func zeroblob() -> SQLQueryExpression<[UInt8]> { call("zeroblob", queryFragment) }
}

/// `randomblob(16)`: bytes of SQLite's own generator, which is none for secrets.
public func randomblob(_ count: Int) -> SQLQueryExpression<[UInt8]> {
  call("randomblob", count.queryFragment)
}
/// `zeroblob(16)`
public func zeroblob(_ count: Int) -> SQLQueryExpression<[UInt8]> {
  call("zeroblob", count.queryFragment)
}

extension QueryExpression where QueryValue: ColumnRepresentation {
  /// The value as an SQL literal: `'it''s'`, `X'01'`, `NULL`.
  public func quote() -> SQLQueryExpression<String> { call("quote", queryFragment) }
  /// The bytes in hexadecimal; of a number, those of its text. An empty text for NULL.
  public func hex() -> SQLQueryExpression<String> { call("hex", queryFragment) }
  /// The number of characters of a text, of bytes of a blob.
  public func length() -> SQLQueryExpression<QueryValue.AsInt> { call("length", queryFragment) }
  /// The number of bytes: `length(CAST("t"."s" AS BLOB))`, which is what `octet_length` (SQLite 3.43)
  /// gives, in every version.
  public func octetLength() -> SQLQueryExpression<QueryValue.AsInt> {
    SQLQueryExpression("length(CAST(\(queryFragment) AS BLOB))")
  }
}

// What the query planner is told about a condition; the value stays the same.
extension QueryExpression where QueryValue.Unwrapped == Bool {
  public func likely() -> SQLQueryExpression<QueryValue> { call("likely", queryFragment) }
  public func unlikely() -> SQLQueryExpression<QueryValue> { call("unlikely", queryFragment) }
  /// `probability` from 0.0 to 1.0; SQLite wants a literal.
  public func likelihood(_ probability: Double) -> SQLQueryExpression<QueryValue> {
    guard (0.0...1.0).contains(probability) else {
      return call(
        "likelihood", queryFragment,
        QueryFragment(.invalid(reason: "a likelihood is 0.0 to 1.0, not \(probability)")))
    }
    return call("likelihood", queryFragment, QueryFragment(raw: decimal(probability)))
  }

  /// Without an exponent: SQLite takes `1.0e-05` for no likelihood.
  private func decimal(_ probability: Double) -> String {
    let text = String(probability)
    guard text.contains("e") else { return text }
    var digits = String(Int64((probability * 1e15).rounded()))
    digits = String(repeating: "0", count: Swift.max(0, 15 - digits.count)) + digits
    return "0.\(digits)"
  }
}
