import CMartletSQLite

/// The base class of SQL functions written in Swift.
///
/// Subclass ``Scalar``, ``Aggregate`` or ``Window``, override ``name`` and ``argc``, and register
/// the type with ``Connection/add(function:)``.
open class Function {
  /// The function's name in SQL, case-insensitive.
  open class var name: String { fatalError("\(self) has to override the class property 'name'") }
  /// The number of arguments, or -1 for any number.
  open class var argc: Int32 { fatalError("\(self) has to override the class property 'argc'") }
  /// The properties of the function that SQLite may rely on.
  open class var options: Options { [] }

  /// Makes an instance, which holds the state of one use of an aggregate.
  public required init() {}

  /// The properties of a function that SQLite may rely on
  /// (https://sqlite.org/c3ref/c_deterministic.html).
  public struct Options: OptionSet, Sendable {
    /// The `SQLITE_…` flags.
    public let rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Equal arguments give equal results, so SQLite may call it once per statement and use it in
    /// an index.
    public static let deterministic = Options(rawValue: SQLITE_DETERMINISTIC)
    /// Not callable from triggers, views, CHECK constraints, indexes or generated columns.
    public static let directonly = Options(rawValue: SQLITE_DIRECTONLY)
    /// Has no side effects and reveals nothing, so untrusted SQL may call it.
    public static let innocuous = Options(rawValue: SQLITE_INNOCUOUS)
  }

  /// The arguments for `sqlite3_create_function_v2`, made by each kind of function.
  class func registration(_ failures: FunctionFailures) -> FunctionRegistration {
    fatalError("\(self) has to inherit from Function.Scalar or Function.Aggregate")
  }
}

/// The C callbacks of a function, and the context object passed to them.
struct FunctionRegistration {
  var context: AnyObject
  var call: (@convention(c) (OpaquePointer?, Int32, Values?) -> Void)?
  var step: (@convention(c) (OpaquePointer?, Int32, Values?) -> Void)?
  var final: (@convention(c) (OpaquePointer?) -> Void)?
  var value: (@convention(c) (OpaquePointer?) -> Void)?
  var inverse: (@convention(c) (OpaquePointer?, Int32, Values?) -> Void)?

  typealias Values = UnsafeMutablePointer<OpaquePointer?>
}

extension Connection {
  /// Registers a function on this connection. It replaces a function with the same name and number
  /// of arguments.
  public func add(function: Function.Type) throws(SQLiteError) {
    try register(
      function.name, function.argc, function.options, function.registration(functionFailures))
  }

  /// Removes a function from this connection.
  public func remove(function: Function.Type) throws(SQLiteError) {
    try removeFunction(function.name, argumentCount: function.argc)
  }

  /// Removes the function with that name and number of arguments.
  public func removeFunction(_ name: String, argumentCount: Int32 = -1) throws(SQLiteError) {
    let code = sqlite3_create_function_v2(
      handle, name, argumentCount, SQLITE_UTF8, nil, nil, nil, nil, nil)
    guard code == SQLITE_OK else { throw SQLiteError(handle: handle, code: code) }
  }

  func register(
    _ name: String, _ argumentCount: Int32, _ options: Function.Options,
    _ registration: FunctionRegistration
  ) throws(SQLiteError) {
    // SQLite releases the context when the function is replaced or removed, when the connection
    // closes, and also when this call fails.
    let context = Unmanaged.passRetained(registration.context).toOpaque()
    let release: @convention(c) (UnsafeMutableRawPointer?) -> Void = {
      Unmanaged<AnyObject>.fromOpaque($0!).release()
    }
    let flags = SQLITE_UTF8 | options.rawValue
    let code =
      if registration.inverse == nil {
        sqlite3_create_function_v2(
          handle, name, argumentCount, flags, context, registration.call, registration.step,
          registration.final, release)
      } else {
        sqlite3_create_window_function(
          handle, name, argumentCount, flags, context, registration.step, registration.final,
          registration.value, registration.inverse, release)
      }
    guard code == SQLITE_OK else { throw SQLiteError(handle: handle, code: code) }
  }
}
