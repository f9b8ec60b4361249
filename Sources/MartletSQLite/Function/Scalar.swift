import CMartletSQLite

extension Function {
  /// One result for one call. Never instantiated: SQLite calls the type.
  open class Scalar: Function {
    /// The result; nil gives NULL. What is thrown fails the statement with its message.
    open class func invoke(args: any ArgumentsProtocol) throws -> SQLiteRepresentable? {
      fatalError("\(self) has to override the class method 'invoke(args:)'")
    }

    /// What is called on one connection; a function that remembers something between calls makes a
    /// closure that holds it.
    class func body() -> (Arguments) throws -> SQLiteRepresentable? {
      { try self.invoke(args: $0) }
    }

    override class func registration(_ failures: FunctionFailures) -> FunctionRegistration {
      FunctionRegistration(context: ScalarCall(body: body(), failures: failures), call: callScalar)
    }
  }
}

/// What SQLite keeps for a scalar function.
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
  /// Adds a function from a closure. It runs on the thread of the statement that calls it.
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
