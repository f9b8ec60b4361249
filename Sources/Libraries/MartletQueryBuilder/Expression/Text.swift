// Text functions (https://sqlite.org/lang_corefunc.html). Each has a form for Swift values and one
// for expressions.

extension QueryExpression where QueryValue: ColumnRepresentation, QueryValue.Unwrapped == String {
  /// The text with ASCII letters in lowercase: `lower("t"."s")`.
  public func lower() -> SQLQueryExpression<QueryValue> { call("lower", queryFragment) }
  /// The text with ASCII letters in uppercase: `upper("t"."s")`.
  public func upper() -> SQLQueryExpression<QueryValue> { call("upper", queryFragment) }

  /// The text with all occurrences of `old` replaced: `replace("t"."s", ?, ?)`.
  public func replace(_ old: String, _ new: String) -> SQLQueryExpression<QueryValue> {
    call("replace", queryFragment, old.queryFragment, new.queryFragment)
  }
  /// The text with all occurrences of an expression's text replaced:
  /// `replace("t"."s", "t"."a", "t"."b")`.
  public func replace<A: QueryExpressible, B: QueryExpressible>(
    _ old: A, _ new: B
  ) -> SQLQueryExpression<QueryValue>
  where A.QueryValue.Unwrapped == String, B.QueryValue.Unwrapped == String {
    call("replace", queryFragment, old.queryFragment, new.queryFragment)
  }

  /// A part of the text: `substr("t"."s", ?, ?)`, or `substr("t"."s", ?)` up to the end.
  ///
  /// `start` counts characters from 1, or from the end if it is negative. `length` is a number of
  /// characters.
  public func substr(_ start: Int, _ length: Int? = nil) -> SQLQueryExpression<QueryValue> {
    guard let length else { return call("substr", queryFragment, start.queryFragment) }
    return call("substr", queryFragment, start.queryFragment, length.queryFragment)
  }
  /// A part of the text, with its start and length from expressions:
  /// `substr("t"."s", "t"."a", "t"."b")`.
  public func substr<A: QueryExpressible, B: QueryExpressible>(
    _ start: A, _ length: B
  ) -> SQLQueryExpression<QueryValue>
  where A.QueryValue.Unwrapped == Int, B.QueryValue.Unwrapped == Int {
    call("substr", queryFragment, start.queryFragment, length.queryFragment)
  }

  /// The text without the given characters at both ends: `trim("t"."s", ?)`. The default is spaces.
  public func trim(_ characters: String? = nil) -> SQLQueryExpression<QueryValue> {
    trimmed("trim", characters)
  }
  /// The text without the given characters at its beginning: `ltrim("t"."s", ?)`. The default is
  /// spaces.
  public func ltrim(_ characters: String? = nil) -> SQLQueryExpression<QueryValue> {
    trimmed("ltrim", characters)
  }
  /// The text without the given characters at its end: `rtrim("t"."s", ?)`. The default is spaces.
  public func rtrim(_ characters: String? = nil) -> SQLQueryExpression<QueryValue> {
    trimmed("rtrim", characters)
  }
  private func trimmed(
    _ name: String, _ characters: String?
  ) -> SQLQueryExpression<QueryValue> {
    guard let characters else { return call(name, queryFragment) }
    return call(name, queryFragment, characters.queryFragment)
  }

  /// The position of `text`, counted in characters from 1, or 0 if it does not occur:
  /// `instr("t"."s", ?)`.
  ///
  /// Case matters.
  public func instr(_ text: String) -> SQLQueryExpression<QueryValue.AsInt> {
    call("instr", queryFragment, text.queryFragment)
  }
  /// The position of an expression's text, counted from 1, or 0 if it does not occur:
  /// `instr("t"."s", "t"."a")`.
  public func instr<E: QueryExpression>(_ text: E) -> SQLQueryExpression<QueryValue.AsInt>
  where E.QueryValue.Unwrapped == String {
    call("instr", queryFragment, text.queryFragment)
  }

  /// The code point of the first character, or NULL for an empty text: `unicode("t"."s")`.
  public func unicode() -> SQLQueryExpression<Int?> { call("unicode", queryFragment) }

  /// The bytes of hexadecimal text, or NULL if the text is invalid: `unhex("t"."s")`.
  ///
  /// Characters of `ignoring` are accepted between pairs of digits: `unhex("t"."s", ?)`. Needs
  /// SQLite 3.41.
  public func unhex(_ ignoring: String? = nil) -> SQLQueryExpression<[UInt8]?> {
    let call: QueryFragment =
      if let ignoring {
        "unhex(\(queryFragment), \(bind: ignoring))"
      } else {
        "unhex(\(queryFragment))"
      }
    return SQLQueryExpression(call.requiring("unhex()", since: 3, 41))
  }

  /// The text with another collating sequence: `("t"."s" COLLATE "NOCASE")`
  /// (https://sqlite.org/datatype3.html#collating_sequences).
  public func collate(_ collation: Collation) -> SQLQueryExpression<QueryValue> {
    SQLQueryExpression("(\(queryFragment) COLLATE \(quote: collation.rawValue))")
  }
}

/// The name of a collating sequence.
public struct Collation: RawRepresentable, Sendable {
  public let rawValue: String
  /// Names a collating sequence, one of SQLite's or one that the connection registers.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Compares bytes: `BINARY`.
  public static let binary = Collation(rawValue: "BINARY")
  /// Compares bytes, ignoring the case of ASCII letters: `NOCASE`.
  public static let nocase = Collation(rawValue: "NOCASE")
  /// Compares bytes, ignoring spaces at the end: `RTRIM`.
  public static let rtrim = Collation(rawValue: "RTRIM")
}
