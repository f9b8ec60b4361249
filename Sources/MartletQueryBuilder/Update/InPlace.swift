// What changes a column in an `update` closure: `$0.position += 1`, `$0.isFlagged.toggle()`. Each assigns:
// `SET "position" = ("reminders"."position" + 1)`.

public func += <V: QueryRepresentable>(
  left: inout any QueryExpressible<V>, right: V.Unwrapped.QueryOutput
) where V.Unwrapped: Addable {
  assign(&left, V.Unwrapped.plus, QueryFragment(V.Unwrapped.bind(right)))
}
public func += <V: QueryRepresentable>(
  left: inout any QueryExpressible<V>, right: some QueryExpression<V>
) where V.Unwrapped: Addable { assign(&left, V.Unwrapped.plus, right.queryFragment) }
public func -= <V: QueryRepresentable>(
  left: inout any QueryExpressible<V>, right: V.Unwrapped.QueryOutput
) where V.Unwrapped: SQLNumeric { assign(&left, "-", QueryFragment(V.Unwrapped.bind(right))) }
public func -= <V: QueryRepresentable>(
  left: inout any QueryExpressible<V>, right: some QueryExpression<V>
) where V.Unwrapped: SQLNumeric { assign(&left, "-", right.queryFragment) }
public func *= <V: QueryRepresentable>(
  left: inout any QueryExpressible<V>, right: V.Unwrapped.QueryOutput
) where V.Unwrapped: SQLNumeric { assign(&left, "*", QueryFragment(V.Unwrapped.bind(right))) }
public func *= <V: QueryRepresentable>(
  left: inout any QueryExpressible<V>, right: some QueryExpression<V>
) where V.Unwrapped: SQLNumeric { assign(&left, "*", right.queryFragment) }
public func /= <V: QueryRepresentable>(
  left: inout any QueryExpressible<V>, right: V.Unwrapped.QueryOutput
) where V.Unwrapped: SQLNumeric { assign(&left, "/", QueryFragment(V.Unwrapped.bind(right))) }
public func /= <V: QueryRepresentable>(
  left: inout any QueryExpressible<V>, right: some QueryExpression<V>
) where V.Unwrapped: SQLNumeric { assign(&left, "/", right.queryFragment) }
public func &= <V: QueryRepresentable>(
  left: inout any QueryExpressible<V>, right: V.Unwrapped.QueryOutput
) where V.Unwrapped: SQLNumeric & FixedWidthInteger {
  assign(&left, "&", QueryFragment(V.Unwrapped.bind(right)))
}
public func &= <V: QueryRepresentable>(
  left: inout any QueryExpressible<V>, right: some QueryExpression<V>
) where V.Unwrapped: SQLNumeric & FixedWidthInteger { assign(&left, "&", right.queryFragment) }
public func |= <V: QueryRepresentable>(
  left: inout any QueryExpressible<V>, right: V.Unwrapped.QueryOutput
) where V.Unwrapped: SQLNumeric & FixedWidthInteger {
  assign(&left, "|", QueryFragment(V.Unwrapped.bind(right)))
}
public func |= <V: QueryRepresentable>(
  left: inout any QueryExpressible<V>, right: some QueryExpression<V>
) where V.Unwrapped: SQLNumeric & FixedWidthInteger { assign(&left, "|", right.queryFragment) }
public func <<= <V: QueryRepresentable>(
  left: inout any QueryExpressible<V>, right: V.Unwrapped.QueryOutput
) where V.Unwrapped: SQLNumeric & FixedWidthInteger {
  assign(&left, "<<", QueryFragment(V.Unwrapped.bind(right)))
}
public func <<= <V: QueryRepresentable>(
  left: inout any QueryExpressible<V>, right: some QueryExpression<V>
) where V.Unwrapped: SQLNumeric & FixedWidthInteger { assign(&left, "<<", right.queryFragment) }
public func >>= <V: QueryRepresentable>(
  left: inout any QueryExpressible<V>, right: V.Unwrapped.QueryOutput
) where V.Unwrapped: SQLNumeric & FixedWidthInteger {
  assign(&left, ">>", QueryFragment(V.Unwrapped.bind(right)))
}
public func >>= <V: QueryRepresentable>(
  left: inout any QueryExpressible<V>, right: some QueryExpression<V>
) where V.Unwrapped: SQLNumeric & FixedWidthInteger { assign(&left, ">>", right.queryFragment) }

private func assign<V: QueryRepresentable>(
  _ left: inout any QueryExpressible<V>, _ operation: String, _ right: QueryFragment
) {
  left = infix(left.queryFragment, operation, right) as SQLQueryExpression<V>
}

/// A column's value on its way to its next one: what has mutating methods in an `update` closure.
public struct InPlace<QueryValue: QueryRepresentable>: Sendable {
  var fragment: QueryFragment
  init(_ fragment: QueryFragment) { self.fragment = fragment }
}

extension InPlace where QueryValue.Unwrapped == Bool {
  /// `SET "isFlagged" = (NOT "reminders"."isFlagged")`
  public mutating func toggle() { fragment = "(NOT \(fragment))" }
}

extension InPlace where QueryValue.Unwrapped: SQLNumeric {
  /// `SET "position" = (-"reminders"."position")`
  public mutating func negate() { fragment = "(-\(fragment))" }
}

extension InPlace where QueryValue.Unwrapped == String {
  /// `SET "title" = ("reminders"."title" || '!')`
  public mutating func append(_ text: String) { fragment = "(\(fragment) || \(bind: text))" }
  public mutating func append(_ text: some QueryExpression<QueryValue>) {
    fragment = "(\(fragment) || \(text))"
  }
  public mutating func append(contentsOf text: String) { append(text) }
  public mutating func append(contentsOf text: some QueryExpression<QueryValue>) { append(text) }
}
