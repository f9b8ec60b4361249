// Functions of numbers and blobs (https://sqlite.org/lang_corefunc.html,
// https://sqlite.org/lang_mathfunc.html).

extension QueryExpression where QueryValue: ColumnRepresentation, QueryValue.Unwrapped: SQLNumeric {
  /// The absolute value: `abs("t"."a")`.
  public func abs() -> SQLQueryExpression<QueryValue> { call("abs", queryFragment) }
  /// The sign, -1, 0 or 1: `sign("t"."a")`.
  public func sign() -> SQLQueryExpression<QueryValue.AsInt> { call("sign", queryFragment) }
  /// The number, rounded half away from zero: `round("t"."a", ?)`.
  ///
  /// `digits` is the number of decimal places; without it the number is rounded to a whole one.
  public func round(_ digits: Int? = nil) -> SQLQueryExpression<QueryValue.AsDouble> {
    guard let digits else { return call("round", queryFragment) }
    return call("round", queryFragment, digits.queryFragment)
  }
}

extension QueryExpression where QueryValue.Unwrapped: SQLNumeric & FixedWidthInteger {
  /// As many random bytes as the number says: `randomblob("t"."a")`.
  public func randomblob() -> SQLQueryExpression<[UInt8]> { call("randomblob", queryFragment) }
  /// As many zero bytes as the number says: `zeroblob("t"."a")`.
  public func zeroblob() -> SQLQueryExpression<[UInt8]> { call("zeroblob", queryFragment) }
}

/// Random bytes: `randomblob(?)`.
///
/// They come from SQLite's generator, which is not suitable for secrets.
public func randomblob(_ count: Int) -> SQLQueryExpression<[UInt8]> {
  call("randomblob", count.queryFragment)
}
/// Zero bytes: `zeroblob(?)`.
public func zeroblob(_ count: Int) -> SQLQueryExpression<[UInt8]> {
  call("zeroblob", count.queryFragment)
}

extension QueryExpression where QueryValue: ColumnRepresentation {
  /// The value as an SQL literal (`'it''s'`, `X'01'`, `NULL`): `quote("t"."a")`.
  public func quote() -> SQLQueryExpression<String> { call("quote", queryFragment) }
  /// The bytes as hexadecimal text: `hex("t"."a")`.
  ///
  /// For a number these are the bytes of its text. For NULL the text is empty.
  public func hex() -> SQLQueryExpression<String> { call("hex", queryFragment) }
  /// The number of characters of a text, or of bytes of a blob: `length("t"."s")`.
  public func length() -> SQLQueryExpression<QueryValue.AsInt> { call("length", queryFragment) }
  /// The number of bytes of a text or blob: `length(CAST("t"."s" AS BLOB))`.
  ///
  /// This is what `octet_length` returns from SQLite 3.43 on, and works in every version.
  public func octetLength() -> SQLQueryExpression<QueryValue.AsInt> {
    SQLQueryExpression("length(CAST(\(queryFragment) AS BLOB))")
  }
}

// Hints for the query planner about a condition. They do not change its value.
extension QueryExpression where QueryValue.Unwrapped == Bool {
  /// Hints that the condition usually holds: `likely("t"."a")`.
  public func likely() -> SQLQueryExpression<QueryValue> { call("likely", queryFragment) }
  /// Hints that the condition rarely holds: `unlikely("t"."a")`.
  public func unlikely() -> SQLQueryExpression<QueryValue> { call("unlikely", queryFragment) }
  /// Hints how often the condition holds: `likelihood("t"."a", 0.25)`.
  ///
  /// `probability` is from 0.0 to 1.0 and printed as a literal, because SQLite accepts nothing
  /// else. With another number executing the statement throws.
  public func likelihood(_ probability: Double) -> SQLQueryExpression<QueryValue> {
    guard (0.0...1.0).contains(probability) else {
      return call(
        "likelihood", queryFragment,
        QueryFragment(.invalid(reason: "a likelihood must be from 0.0 to 1.0, not \(probability)")))
    }
    return call("likelihood", queryFragment, QueryFragment(raw: decimal(probability)))
  }

  /// Formats without an exponent, because SQLite does not accept `1.0e-05` as a likelihood.
  private func decimal(_ probability: Double) -> String {
    let text = String(probability)
    guard text.contains("e") else { return text }
    var digits = String(Int64((probability * 1e15).rounded()))
    digits = String(repeating: "0", count: Swift.max(0, 15 - digits.count)) + digits
    return "0.\(digits)"
  }
}
