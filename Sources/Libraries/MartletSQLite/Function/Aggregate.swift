import CMartletSQLite

extension Function {
  /// An aggregate function: one result for many rows.
  ///
  /// SQLite creates an instance for each use and group, on the thread that runs the statement.
  open class Aggregate: Function {
    /// Adds one row.
    open func step(args: any ArgumentsProtocol) throws {
      fatalError("\(type(of: self)) has to override 'step(args:)'")
    }

    /// The result for all rows; `nil` is NULL. Without rows it is called on a new instance.
    open func finalize() throws -> SQLiteRepresentable? {
      fatalError("\(type(of: self)) has to override 'finalize()'")
    }

    override class func registration(_ failures: FunctionFailures) -> FunctionRegistration {
      aggregateRegistration(
        { self.init() }, failures, step: { try ($0 as! Aggregate).step(args: $1) },
        finalize: { try ($0 as! Aggregate).finalize() })
    }
  }

  /// An aggregate that can also remove rows and so works as a window function
  /// (https://sqlite.org/windowfunctions.html#udfwinfunc).
  open class Window: Aggregate {
    /// Removes the oldest row that was added.
    open func inverse(args: any ArgumentsProtocol) throws {
      fatalError("\(type(of: self)) has to override 'inverse(args:)'")
    }

    /// The result for the rows now in the window. It can be called any number of times.
    open func value() throws -> SQLiteRepresentable? {
      fatalError("\(type(of: self)) has to override 'value()'")
    }

    /// The result of ``value()``.
    open override func finalize() throws -> SQLiteRepresentable? { try value() }

    override class func registration(_ failures: FunctionFailures) -> FunctionRegistration {
      var registration = super.registration(failures)
      let call = registration.context as! AggregateCall
      call.inverse = { try ($0 as! Window).inverse(args: $1) }
      call.value = { try ($0 as! Window).value() }
      registration.value = valueOfAggregate
      registration.inverse = inverseAggregate
      return registration
    }
  }
}

/// The context of a registered aggregate. The state of one use is an ``AggregateState``.
private final class AggregateCall {
  let make: () -> Any
  let step: (inout Any, Function.Arguments) throws -> Void
  let finalize: (inout Any) throws -> SQLiteRepresentable?
  var inverse: (inout Any, Function.Arguments) throws -> Void = { _, _ in }
  var value: (inout Any) throws -> SQLiteRepresentable? = { _ in nil }
  let failures: FunctionFailures

  init(
    make: @escaping () -> Any, step: @escaping (inout Any, Function.Arguments) throws -> Void,
    finalize: @escaping (inout Any) throws -> SQLiteRepresentable?, failures: FunctionFailures
  ) {
    self.make = make
    self.step = step
    self.finalize = finalize
    self.failures = failures
  }
}

/// The state of one use of an aggregate in a running statement.
private final class AggregateState {
  var value: Any
  /// SQLite also finalizes an aggregate that failed, to release it.
  var hasFailed = false
  init(_ value: Any) { self.value = value }
}

private func aggregateRegistration(
  _ make: @escaping () -> Any, _ failures: FunctionFailures,
  step: @escaping (inout Any, Function.Arguments) throws -> Void,
  finalize: @escaping (inout Any) throws -> SQLiteRepresentable?
) -> FunctionRegistration {
  FunctionRegistration(
    context: AggregateCall(make: make, step: step, finalize: finalize, failures: failures),
    step: stepAggregate, final: finalizeAggregate)
}

extension Connection {
  /// Adds an aggregate function made of closures over a state of any type.
  ///
  /// All closures run on the thread of the statement. A closure that throws makes the statement
  /// fail.
  /// - Parameters:
  ///   - name: The function's name in SQL.
  ///   - argumentCount: The number of arguments, or -1 for any number.
  ///   - options: What SQLite may assume about the function.
  ///   - initial: Makes the state of one use or group.
  ///   - step: Adds one row to the state.
  ///   - finalize: Returns the result; `nil` is NULL.
  public func addAggregate<State>(
    _ name: String, argumentCount: Int32 = -1, options: Function.Options = [],
    initial: @escaping () -> State,
    step: @escaping (inout State, Function.Arguments) throws -> Void,
    finalize: @escaping (State) throws -> SQLiteRepresentable?
  ) throws(SQLiteError) {
    try register(
      name, argumentCount, options,
      aggregateRegistration(
        initial, functionFailures,
        step: { try withTyped(&$0, $1, step) }, finalize: { try finalize($0 as! State) }))
  }

  /// Adds a window function, an aggregate that can also remove its oldest row.
  ///
  /// `inverse` removes a row; `value` returns the result for the rows now in the window and can be
  /// called any number of times. The other parameters are those of
  /// ``addAggregate(_:argumentCount:options:initial:step:finalize:)``.
  public func addWindow<State>(
    _ name: String, argumentCount: Int32 = -1, options: Function.Options = [],
    initial: @escaping () -> State,
    step: @escaping (inout State, Function.Arguments) throws -> Void,
    inverse: @escaping (inout State, Function.Arguments) throws -> Void,
    value: @escaping (State) throws -> SQLiteRepresentable?
  ) throws(SQLiteError) {
    var registration = aggregateRegistration(
      initial, functionFailures, step: { try withTyped(&$0, $1, step) },
      finalize: { try value($0 as! State) })
    let call = registration.context as! AggregateCall
    call.inverse = { try withTyped(&$0, $1, inverse) }
    call.value = { try value($0 as! State) }
    registration.value = valueOfAggregate
    registration.inverse = inverseAggregate
    try register(name, argumentCount, options, registration)
  }
}

private func withTyped<State>(
  _ state: inout Any, _ arguments: Function.Arguments,
  _ body: (inout State, Function.Arguments) throws -> Void
) throws {
  var typed = state as! State
  // Clears `state` so that the storage of `typed` is uniquely referenced and grows in place.
  state = ()
  defer { state = typed }
  try body(&typed, arguments)
}

// MARK: What SQLite calls

private func call(of handle: OpaquePointer?) -> AggregateCall {
  Unmanaged<AggregateCall>.fromOpaque(sqlite3_user_data(handle)!).takeUnretainedValue()
}

private func withState(
  _ handle: OpaquePointer?, _ call: AggregateCall, _ body: (AggregateState) throws -> Void
) {
  let context = FunctionContext(handle: handle!)
  guard let place = context.instance(create: true) else {
    return sqlite3_result_error_nomem(handle)
  }
  let state: AggregateState
  if let known = place.pointee {
    state = Unmanaged<AggregateState>.fromOpaque(known).takeUnretainedValue()
  } else {
    state = AggregateState(call.make())
    place.pointee = Unmanaged.passRetained(state).toOpaque()
  }
  do { try body(state) } catch {
    state.hasFailed = true
    context.fail(call.failures.note(error))
  }
}

private func stepAggregate(
  handle: OpaquePointer?, count: Int32, values: FunctionRegistration.Values?
) {
  let call = call(of: handle)
  withState(handle, call) {
    try call.step(&$0.value, Function.Arguments(count: count, values: values))
  }
}

private func inverseAggregate(
  handle: OpaquePointer?, count: Int32, values: FunctionRegistration.Values?
) {
  let call = call(of: handle)
  withState(handle, call) {
    try call.inverse(&$0.value, Function.Arguments(count: count, values: values))
  }
}

private func valueOfAggregate(handle: OpaquePointer?) {
  let call = call(of: handle)
  withState(handle, call) {
    FunctionContext(handle: handle!).answer(try call.value(&$0.value)?.sqliteValue ?? .null)
  }
}

private func finalizeAggregate(handle: OpaquePointer?) {
  let context = FunctionContext(handle: handle!)
  let call = call(of: handle)
  let state: AggregateState
  if let known = context.instance(create: false)?.pointee {
    state = Unmanaged<AggregateState>.fromOpaque(known).takeRetainedValue()
  } else {
    state = AggregateState(call.make())
  }
  guard !state.hasFailed else { return }
  do {
    context.answer(try call.finalize(&state.value)?.sqliteValue ?? .null)
  } catch {
    context.fail(call.failures.note(error))
  }
}
