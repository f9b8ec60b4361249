// Text functions (https://sqlite.org/lang_corefunc.html). Each takes Swift text and expressions.

extension QueryExpression where QueryValue: ColumnRepresentation, QueryValue.Unwrapped == String {
  public func lower() -> SQLQueryExpression<QueryValue> { call("lower", queryFragment) }
  public func upper() -> SQLQueryExpression<QueryValue> { call("upper", queryFragment) }

  public func replace(_ old: String, _ new: String) -> SQLQueryExpression<QueryValue> {
    call("replace", queryFragment, old.queryFragment, new.queryFragment)
  }
  public func replace<A: QueryExpressible, B: QueryExpressible>(
    _ old: A, _ new: B
  ) -> SQLQueryExpression<QueryValue>
  where A.QueryValue.Unwrapped == String, B.QueryValue.Unwrapped == String {
    call("replace", queryFragment, old.queryFragment, new.queryFragment)
  }

  /// `length` characters from `start` on, which is counted from 1, or from the end if negative.
  public func substr(_ start: Int, _ length: Int? = nil) -> SQLQueryExpression<QueryValue> {
    guard let length else { return call("substr", queryFragment, start.queryFragment) }
    return call("substr", queryFragment, start.queryFragment, length.queryFragment)
  }
  public func substr<A: QueryExpressible, B: QueryExpressible>(
    _ start: A, _ length: B
  ) -> SQLQueryExpression<QueryValue>
  where A.QueryValue.Unwrapped == Int, B.QueryValue.Unwrapped == Int {
    call("substr", queryFragment, start.queryFragment, length.queryFragment)
  }

  /// Without white space, or without the given characters, at both ends.
  public func trim(_ characters: String? = nil) -> SQLQueryExpression<QueryValue> {
    trimmed("trim", characters)
  }
  public func ltrim(_ characters: String? = nil) -> SQLQueryExpression<QueryValue> {
    trimmed("ltrim", characters)
  }
  public func rtrim(_ characters: String? = nil) -> SQLQueryExpression<QueryValue> {
    trimmed("rtrim", characters)
  }
  private func trimmed(
    _ name: String, _ characters: String?
  ) -> SQLQueryExpression<QueryValue> {
    guard let characters else { return call(name, queryFragment) }
    return call(name, queryFragment, characters.queryFragment)
  }

  /// Where `text` begins, counted in characters from 1; 0 where it is not found. Case matters.
  public func instr(_ text: String) -> SQLQueryExpression<QueryValue.AsInt> {
    call("instr", queryFragment, text.queryFragment)
  }
  public func instr<E: QueryExpression>(_ text: E) -> SQLQueryExpression<QueryValue.AsInt>
  where E.QueryValue.Unwrapped == String {
    call("instr", queryFragment, text.queryFragment)
  }

  /// The first character's code point. An empty text has none.
  public func unicode() -> SQLQueryExpression<Int?> { call("unicode", queryFragment) }

  /// The bytes that hexadecimal text stands for; NULL where it is none. Other characters than digits are
  /// accepted between pairs if they are among `ignoring`. Needs SQLite 3.41.
  public func unhex(_ ignoring: String? = nil) -> SQLQueryExpression<[UInt8]?> {
    let call: QueryFragment =
      if let ignoring {
        "unhex(\(queryFragment), \(bind: ignoring))"
      } else {
        "unhex(\(queryFragment))"
      }
    return SQLQueryExpression(call.requiring("unhex()", since: 3, 41))
  }

  /// `("t"."s" COLLATE "NOCASE")` (https://sqlite.org/datatype3.html#collating_sequences).
  public func collate(_ collation: Collation) -> SQLQueryExpression<QueryValue> {
    SQLQueryExpression("(\(queryFragment) COLLATE \(quote: collation.rawValue))")
  }
}

/// A collating sequence by name.
public struct Collation: RawRepresentable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let binary = Collation(rawValue: "BINARY")
  /// Folds the case of ASCII letters only.
  public static let nocase = Collation(rawValue: "NOCASE")
  public static let rtrim = Collation(rawValue: "RTRIM")
}
