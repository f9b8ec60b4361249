import CMartletSQLite

extension Function {
  /// A scalar function: one result per call. The type is never instantiated; SQLite calls the class
  /// method.
  open class Scalar: Function {
    /// The result of one call; `nil` is NULL. An error makes the statement fail with the error's
    /// message.
    open class func invoke(args: any ArgumentsProtocol) throws -> SQLiteRepresentable? {
      fatalError("\(self) has to override the class method 'invoke(args:)'")
    }

    /// Makes the closure that is called on one connection. A function that caches something between
    /// calls captures it there.
    class func body() -> (Arguments) throws -> SQLiteRepresentable? {
      { try self.invoke(args: $0) }
    }

    override class func registration(_ failures: FunctionFailures) -> FunctionRegistration {
      FunctionRegistration(context: ScalarCall(body: body(), failures: failures), call: callScalar)
    }
  }
}

/// The context of a registered scalar function.
private final class ScalarCall {
  let body: (Function.Arguments) throws -> SQLiteRepresentable?
  let failures: FunctionFailures

  init(
    body: @escaping (Function.Arguments) throws -> SQLiteRepresentable?, failures: FunctionFailures
  ) {
    self.body = body
    self.failures = failures
  }
}

private func callScalar(
  handle: OpaquePointer?, count: Int32, values: FunctionRegistration.Values?
) {
  let context = FunctionContext(handle: handle!)
  let call = Unmanaged<ScalarCall>.fromOpaque(sqlite3_user_data(handle)!).takeUnretainedValue()
  do {
    let result = try call.body(Function.Arguments(count: count, values: values))
    context.answer(result?.sqliteValue ?? .null)
  } catch {
    context.fail(call.failures.note(error))
  }
}

extension Connection {
  /// Adds a scalar function made of a closure, which runs on the thread of the statement.
  ///
  /// `argumentCount` -1 accepts any number of arguments. A result of `nil` is NULL; an error makes
  /// the statement fail.
  public func addFunction(
    _ name: String, argumentCount: Int32 = -1, options: Function.Options = [],
    _ body: @escaping (Function.Arguments) throws -> SQLiteRepresentable?
  ) throws(SQLiteError) {
    try register(
      name, argumentCount, options,
      FunctionRegistration(
        context: ScalarCall(body: body, failures: functionFailures), call: callScalar))
  }
}
