/// A Swift function that SQL can call: what `@DatabaseFunction` declares as `$name`.
///
/// A connection has to know it before a statement or a trigger names it: `db.add(function: $name)`.
public protocol DatabaseFunction: Sendable {
  /// The name in SQL, without case.
  var name: String { get }
  /// How many columns its arguments take; `nil` for any number.
  var argumentCount: Int? { get }
  /// Equal arguments give equal results: SQLite may call it once for many rows, and an index may hold
  /// its results (https://sqlite.org/deterministic.html).
  var isDeterministic: Bool { get }
  /// Not callable from triggers, views, CHECK constraints, indexes and generated columns.
  var isDirectOnly: Bool { get }
  /// Without side effects and secrets: callable from a schema that is not trusted.
  var isInnocuous: Bool { get }
}

extension DatabaseFunction {
  public var isDeterministic: Bool { false }
  public var isDirectOnly: Bool { false }
  public var isInnocuous: Bool { false }
}
