import CMartletSQLite

/// The authorizer callback: SQLite calls it for each action while it prepares a statement
/// (https://sqlite.org/c3ref/set_authorizer.html).
///
/// A connection has one. It is installed before the first statement and never replaced, because
/// SQLite prepares every statement again when the callback changes. Change ``decide`` and
/// ``collects`` instead.
public final class Authorizer {
  /// The response to a request.
  public enum Decision: Sendable {
    /// The action is allowed.
    case allow
    /// Preparing the statement fails with `SQLITE_AUTH` and this message.
    case deny(String)
    /// A column reads as NULL; another action is skipped.
    case ignore
  }

  /// One action that a statement is going to take.
  public struct Request {
    /// SQLite's action code, for example `SQLITE_INSERT`
    /// (https://sqlite.org/c3ref/c_alter_table.html).
    public let action: Int32
    /// The first argument of the action, for example the table's name.
    public let first: String?
    /// The second argument of the action, for example the column's name.
    public let second: String?
    /// The name of the database: `main`, `temp` or that of an attached database.
    public let database: String?
    /// The innermost trigger or view that causes the access, or `nil` at the top level.
    public let origin: String?
  }

  /// Decides about every action of statements prepared from now on; `nil` allows all. SQLite asks
  /// again when a schema change makes it prepare a cached statement again.
  public var decide: ((Request) -> Decision)?

  /// Whether prepared statements record what they read and write in ``PreparedStatement/accesses``.
  public var collects = false

  /// The accesses of the statement being prepared.
  private var preparing: StatementAccesses?
  /// The statement taking its first step. After a schema change SQLite prepares it again there and
  /// calls the authorizer again.
  private var starting: Prepared?
  private var reason: String?

  init() {}

  func install(on handle: OpaquePointer) {
    // Unretained: the connection owns this object and uninstalls it first.
    sqlite3_set_authorizer(handle, authorize, Unmanaged.passUnretained(self).toOpaque())
  }

  func uninstall(from handle: OpaquePointer) { sqlite3_set_authorizer(handle, nil, nil) }

  /// Runs `body`, which prepares a statement, and returns its accesses, or `nil` unless
  /// ``collects`` is set.
  func collecting<T>(_ body: () -> T) -> (T, StatementAccesses?) {
    // Saved, because a function called by a statement can prepare others.
    let outer = preparing
    preparing = collects ? StatementAccesses() : nil
    defer { preparing = outer }
    let value = body()
    return (value, preparing)
  }

  /// Runs `body`, which takes the statement's first step, and records its accesses in the
  /// statement.
  func collecting<T>(in prepared: Prepared, _ body: () -> T) -> T {
    let outer = starting
    starting = prepared
    defer { starting = outer }
    return body()
  }

  /// Removes and returns the reason of the last denial.
  func takeReason() -> String? {
    defer { reason = nil }
    return reason
  }

  fileprivate var isIdle: Bool { decide == nil && preparing == nil && starting == nil }

  fileprivate func answer(_ request: Request) -> Int32 {
    if preparing != nil { preparing?.add(request) } else { starting?.accesses?.add(request) }
    switch decide?(request) ?? .allow {
    case .allow: return SQLITE_OK
    case .ignore: return SQLITE_IGNORE
    case .deny(let reason):
      self.reason = reason
      return SQLITE_DENY
    }
  }
}

private func authorize(
  context: UnsafeMutableRawPointer?, action: Int32, first: UnsafePointer<CChar>?,
  second: UnsafePointer<CChar>?, database: UnsafePointer<CChar>?, origin: UnsafePointer<CChar>?
) -> Int32 {
  let authorizer = Unmanaged<Authorizer>.fromOpaque(context!).takeUnretainedValue()
  if authorizer.isIdle { return SQLITE_OK }
  return authorizer.answer(
    Authorizer.Request(
      action: action, first: first.map { String(cString: $0) },
      second: second.map { String(cString: $0) }, database: database.map { String(cString: $0) },
      origin: origin.map { String(cString: $0) }))
}
