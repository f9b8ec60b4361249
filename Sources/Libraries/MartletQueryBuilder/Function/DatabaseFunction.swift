/// A Swift function that SQL can call. `@DatabaseFunction` declares it as `$name`.
///
/// Add it to a connection before a statement or a trigger uses it: `db.add(function: $name)`.
public protocol DatabaseFunction: Sendable {
  /// The function's name in SQL, where case does not matter.
  var name: String { get }
  /// The number of columns that the arguments take up; `nil` for any number.
  var argumentCount: Int? { get }
  /// Whether equal arguments always give equal results.
  ///
  /// SQLite may then call the function once for many rows, and an index may store its results
  /// (https://sqlite.org/deterministic.html). The default is `false`.
  var isDeterministic: Bool { get }
  /// Whether triggers, views, CHECK constraints, indexes and generated columns may not call the
  /// function (`SQLITE_DIRECTONLY`).
  ///
  /// The default is `false`.
  var isDirectOnly: Bool { get }
  /// Whether the function has no side effects and reveals nothing, so that an untrusted schema may
  /// call it (`SQLITE_INNOCUOUS`).
  ///
  /// The default is `false`.
  var isInnocuous: Bool { get }
}

extension DatabaseFunction {
  /// `false`: SQLite calls the function for every row.
  public var isDeterministic: Bool { false }
  /// `false`: triggers and views may call the function.
  public var isDirectOnly: Bool { false }
  /// `false`: an untrusted schema may not call the function.
  public var isInnocuous: Bool { false }
}
