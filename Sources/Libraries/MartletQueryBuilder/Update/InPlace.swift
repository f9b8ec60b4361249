// Operators and methods that change a column in an `update` closure: `$0.position += 1`,
// `$0.isFlagged.toggle()`. Each is an assignment: `SET "position" = ("reminders"."position" + 1)`
// (https://sqlite.org/lang_expr.html#operators).

/// Adds a value, or appends text: `SET "position" = ("reminders"."position" + ?)`.
public func += <V: QueryRepresentable>(
  left: inout any QueryExpressible<V>, right: V.Unwrapped.QueryOutput
) where V.Unwrapped: Addable {
  assign(&left, V.Unwrapped.plus, QueryFragment(V.Unwrapped.bind(right)))
}
/// Adds an expression, or appends text: `SET "position" = ("reminders"."position" + …)`.
public func += <V: QueryRepresentable>(
  left: inout any QueryExpressible<V>, right: some QueryExpression<V>
) where V.Unwrapped: Addable { assign(&left, V.Unwrapped.plus, right.queryFragment) }
/// Subtracts a value: `SET "position" = ("reminders"."position" - ?)`.
public func -= <V: QueryRepresentable>(
  left: inout any QueryExpressible<V>, right: V.Unwrapped.QueryOutput
) where V.Unwrapped: SQLNumeric { assign(&left, "-", QueryFragment(V.Unwrapped.bind(right))) }
/// Subtracts an expression: `SET "position" = ("reminders"."position" - …)`.
public func -= <V: QueryRepresentable>(
  left: inout any QueryExpressible<V>, right: some QueryExpression<V>
) where V.Unwrapped: SQLNumeric { assign(&left, "-", right.queryFragment) }
/// Multiplies by a value: `SET "position" = ("reminders"."position" * ?)`.
public func *= <V: QueryRepresentable>(
  left: inout any QueryExpressible<V>, right: V.Unwrapped.QueryOutput
) where V.Unwrapped: SQLNumeric { assign(&left, "*", QueryFragment(V.Unwrapped.bind(right))) }
/// Multiplies by an expression: `SET "position" = ("reminders"."position" * …)`.
public func *= <V: QueryRepresentable>(
  left: inout any QueryExpressible<V>, right: some QueryExpression<V>
) where V.Unwrapped: SQLNumeric { assign(&left, "*", right.queryFragment) }
/// Divides by a value: `SET "position" = ("reminders"."position" / ?)`.
public func /= <V: QueryRepresentable>(
  left: inout any QueryExpressible<V>, right: V.Unwrapped.QueryOutput
) where V.Unwrapped: SQLNumeric { assign(&left, "/", QueryFragment(V.Unwrapped.bind(right))) }
/// Divides by an expression: `SET "position" = ("reminders"."position" / …)`.
public func /= <V: QueryRepresentable>(
  left: inout any QueryExpressible<V>, right: some QueryExpression<V>
) where V.Unwrapped: SQLNumeric { assign(&left, "/", right.queryFragment) }
/// Keeps only the bits that are also set in a value: `SET "flags" = ("items"."flags" & ?)`.
public func &= <V: QueryRepresentable>(
  left: inout any QueryExpressible<V>, right: V.Unwrapped.QueryOutput
) where V.Unwrapped: SQLNumeric & FixedWidthInteger {
  assign(&left, "&", QueryFragment(V.Unwrapped.bind(right)))
}
/// Keeps only the bits that are also set in an expression: `SET "flags" = ("items"."flags" & …)`.
public func &= <V: QueryRepresentable>(
  left: inout any QueryExpressible<V>, right: some QueryExpression<V>
) where V.Unwrapped: SQLNumeric & FixedWidthInteger { assign(&left, "&", right.queryFragment) }
/// Sets the bits of a value: `SET "flags" = ("items"."flags" | ?)`.
public func |= <V: QueryRepresentable>(
  left: inout any QueryExpressible<V>, right: V.Unwrapped.QueryOutput
) where V.Unwrapped: SQLNumeric & FixedWidthInteger {
  assign(&left, "|", QueryFragment(V.Unwrapped.bind(right)))
}
/// Sets the bits of an expression: `SET "flags" = ("items"."flags" | …)`.
public func |= <V: QueryRepresentable>(
  left: inout any QueryExpressible<V>, right: some QueryExpression<V>
) where V.Unwrapped: SQLNumeric & FixedWidthInteger { assign(&left, "|", right.queryFragment) }
/// Shifts the bits to the left by a value: `SET "flags" = ("items"."flags" << ?)`.
public func <<= <V: QueryRepresentable>(
  left: inout any QueryExpressible<V>, right: V.Unwrapped.QueryOutput
) where V.Unwrapped: SQLNumeric & FixedWidthInteger {
  assign(&left, "<<", QueryFragment(V.Unwrapped.bind(right)))
}
/// Shifts the bits to the left by an expression: `SET "flags" = ("items"."flags" << …)`.
public func <<= <V: QueryRepresentable>(
  left: inout any QueryExpressible<V>, right: some QueryExpression<V>
) where V.Unwrapped: SQLNumeric & FixedWidthInteger { assign(&left, "<<", right.queryFragment) }
/// Shifts the bits to the right by a value: `SET "flags" = ("items"."flags" >> ?)`.
public func >>= <V: QueryRepresentable>(
  left: inout any QueryExpressible<V>, right: V.Unwrapped.QueryOutput
) where V.Unwrapped: SQLNumeric & FixedWidthInteger {
  assign(&left, ">>", QueryFragment(V.Unwrapped.bind(right)))
}
/// Shifts the bits to the right by an expression: `SET "flags" = ("items"."flags" >> …)`.
public func >>= <V: QueryRepresentable>(
  left: inout any QueryExpressible<V>, right: some QueryExpression<V>
) where V.Unwrapped: SQLNumeric & FixedWidthInteger { assign(&left, ">>", right.queryFragment) }

private func assign<V: QueryRepresentable>(
  _ left: inout any QueryExpressible<V>, _ operation: String, _ right: QueryFragment
) {
  left = infix(left.queryFragment, operation, right) as SQLQueryExpression<V>
}

/// The new value of a column while the methods of an `update` closure change it.
public struct InPlace<QueryValue: QueryRepresentable>: Sendable {
  var fragment: QueryFragment
  init(_ fragment: QueryFragment) { self.fragment = fragment }
}

extension InPlace where QueryValue.Unwrapped == Bool {
  /// Negates a Boolean: `SET "isFlagged" = (NOT "reminders"."isFlagged")`.
  public mutating func toggle() { fragment = "(NOT \(fragment))" }
}

extension InPlace where QueryValue.Unwrapped: SQLNumeric {
  /// Changes the sign of a number: `SET "position" = (-"reminders"."position")`.
  public mutating func negate() { fragment = "(-\(fragment))" }
}

extension InPlace where QueryValue.Unwrapped == String {
  /// Appends text: `SET "title" = ("reminders"."title" || ?)`.
  public mutating func append(_ text: String) { fragment = "(\(fragment) || \(bind: text))" }
  /// Appends an expression: `SET "title" = ("reminders"."title" || …)`.
  public mutating func append(_ text: some QueryExpression<QueryValue>) {
    fragment = "(\(fragment) || \(text))"
  }
  /// Appends text. The same as `append(_:)`.
  public mutating func append(contentsOf text: String) { append(text) }
  /// Appends an expression. The same as `append(_:)`.
  public mutating func append(contentsOf text: some QueryExpression<QueryValue>) { append(text) }
}
