import CMartletSQLite

/// Asked by SQLite while a statement is prepared, about each thing it is going to do
/// (https://sqlite.org/c3ref/set_authorizer.html).
///
/// One per connection, installed before the first statement and never replaced, because replacing
/// makes SQLite prepare every statement again: what changes is ``decide`` and ``collects``.
public final class Authorizer {
  /// What the answer to a request is.
  public enum Decision: Sendable {
    case allow
    /// Preparing fails with `SQLITE_AUTH` and this message.
    case deny(String)
    /// A column reads as NULL; other actions are left out.
    case ignore
  }

  /// One thing that a statement is going to do.
  public struct Request {
    /// SQLite's action code, for example `SQLITE_INSERT`
    /// (https://sqlite.org/c3ref/c_alter_table.html).
    public let action: Int32
    /// The two arguments that go with the action, for example table and column.
    public let first: String?
    public let second: String?
    /// `main`, `temp` or an attached database's name.
    public let database: String?
    /// The innermost trigger or view that asks.
    public let origin: String?
  }

  /// Decides about every statement prepared from now on; nil allows all. SQLite also asks again
  /// when a schema change makes it prepare a cached statement anew.
  public var decide: ((Request) -> Decision)?

  /// Whether statements learn what they read and write: ``PreparedStatement/accesses``.
  public var collects = false

  /// What the statement that is being prepared accesses.
  private var preparing: StatementAccesses?
  /// The statement that takes its first step: where the schema has changed, SQLite prepares it anew
  /// then and asks again.
  private var starting: Prepared?
  private var reason: String?

  init() {}

  func install(on handle: OpaquePointer) {
    // Unretained: the connection owns this object and uninstalls it first.
    sqlite3_set_authorizer(handle, authorize, Unmanaged.passUnretained(self).toOpaque())
  }

  func uninstall(from handle: OpaquePointer) { sqlite3_set_authorizer(handle, nil, nil) }

  /// Runs `body`, which prepares a statement, and gives what that accesses; nil when nobody collects.
  func collecting<T>(_ body: () -> T) -> (T, StatementAccesses?) {
    // Saved, because a function of a statement may run others.
    let outer = preparing
    preparing = collects ? StatementAccesses() : nil
    defer { preparing = outer }
    let value = body()
    return (value, preparing)
  }

  /// Runs `body`, which takes the statement's first step, and adds to what it accesses.
  func collecting<T>(in prepared: Prepared, _ body: () -> T) -> T {
    let outer = starting
    starting = prepared
    defer { starting = outer }
    return body()
  }

  /// Why the last statement was denied, once.
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
