import CMartletSQLite

/// The base of SQL functions written in Swift: subclass ``Scalar``, ``Aggregate`` or ``Window``,
/// give the function its name and its number of arguments, and add the type to a connection.
open class Function {
  /// The name in SQL, without case.
  open class var name: String { fatalError("\(self) has to override the class property 'name'") }
  /// The number of arguments; -1 for any.
  open class var argc: Int32 { fatalError("\(self) has to override the class property 'argc'") }
  /// What SQLite may assume about the function.
  open class var options: Options { [] }

  public required init() {}

  /// What SQLite may assume about a function (https://sqlite.org/c3ref/c_deterministic.html).
  public struct Options: OptionSet, Sendable {
    public let rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Equal arguments give equal results: SQLite may call it once, and use it in an index.
    public static let deterministic = Options(rawValue: SQLITE_DETERMINISTIC)
    /// Not callable from triggers, views, CHECK constraints, indexes and generated columns.
    public static let directonly = Options(rawValue: SQLITE_DIRECTONLY)
    /// Without side effects and secrets: callable from SQL that is not trusted.
    public static let innocuous = Options(rawValue: SQLITE_INNOCUOUS)
  }

  /// What is handed to `sqlite3_create_function_v2`; each kind of function makes its own.
  class func registration(_ failures: FunctionFailures) -> FunctionRegistration {
    fatalError("\(self) has to inherit from Function.Scalar or Function.Aggregate")
  }
}

/// A function as SQLite takes it: C callbacks, and an object that they get.
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
  /// Makes a function available to the statements of this connection. A function of the same name
  /// and number of arguments is replaced.
  public func add(function: Function.Type) throws(SQLiteError) {
    try register(
      function.name, function.argc, function.options, function.registration(functionFailures))
  }

  /// Removes a function.
  public func remove(function: Function.Type) throws(SQLiteError) {
    try removeFunction(function.name, argumentCount: function.argc)
  }

  /// Removes the function of that name and number of arguments.
  public func removeFunction(_ name: String, argumentCount: Int32 = -1) throws(SQLiteError) {
    let code = sqlite3_create_function_v2(
      handle, name, argumentCount, SQLITE_UTF8, nil, nil, nil, nil, nil)
    guard code == SQLITE_OK else { throw SQLiteError(handle: handle, code: code) }
  }

  func register(
    _ name: String, _ argumentCount: Int32, _ options: Function.Options,
    _ registration: FunctionRegistration
  ) throws(SQLiteError) {
    // SQLite releases the context when the function is replaced, removed or its connection closed,
    // and also when this call fails.
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
