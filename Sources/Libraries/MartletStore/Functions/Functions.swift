import MartletQueryBuilder
import MartletSQLite

// Arguments are decoded like the columns of a row, with the same representations and errors. A
// custom type may read more values than it declares: past the last argument it reads NULL.
private let access = ColumnAccess(
  type: { value($0, $1).map(sqlite3_value_type) ?? SQLITE_NULL },
  int: { value($0, $1).map(sqlite3_value_int64) ?? 0 },
  double: { value($0, $1).map(sqlite3_value_double) ?? 0 },
  text: { value($0, $1).flatMap { sqlite3_value_text($0) } },
  blob: { value($0, $1).flatMap { sqlite3_value_blob($0) } },
  bytes: { value($0, $1).map(sqlite3_value_bytes) ?? 0 })

private func value(_ arguments: OpaquePointer?, _ index: Int32) -> OpaquePointer? {
  let arguments = UnsafePointer<Function.Arguments>(arguments!).pointee
  return Int(index) < arguments.count ? arguments.values?[Int(index)] : nil
}

extension Connection {
  /// Registers a Swift function with this connection, for use in statements and triggers. It
  /// replaces a function with the same name and number of arguments.
  ///
  /// ```swift
  /// db.add(function: $exclaim)
  /// ```
  ///
  /// Call it in the `prepare` closure of a database, because each connection needs its own
  /// registration. Registering a function while a statement of the connection runs, a name longer
  /// than 255 bytes, or more than 127 arguments is a programming error and stops the process.
  public func add(function: some ScalarDatabaseFunction) {
    register(function) { name, count, options throws(SQLiteError) in
      try addFunction(name, argumentCount: count, options: options) { arguments in
        try reading(arguments, of: name) { try Value(function.invoke(&$0)) }
      }
    }
  }

  /// Registers an aggregate function with this connection.
  public func add<F: AggregateDatabaseFunction>(function: F) {
    register(function) { name, count, options throws(SQLiteError) in
      try addAggregate(
        name, argumentCount: count, options: options, initial: function.makeState,
        step: { state, arguments in
          try reading(arguments, of: name) { try function.step(&state, &$0) }
        },
        finalize: { state in
          var state = state
          return try described { try Value(function.finalize(&state)) }
        })
    }
  }

  /// Registers a window function with this connection. It also works as an aggregate.
  public func add<F: WindowDatabaseFunction>(function: F) {
    register(function) { name, count, options throws(SQLiteError) in
      try addWindow(
        name, argumentCount: count, options: options, initial: function.makeState,
        step: { state, arguments in
          try reading(arguments, of: name) { try function.step(&state, &$0) }
        },
        inverse: { state, arguments in
          try reading(arguments, of: name) { try function.inverse(&state, &$0) }
        },
        value: { state in
          var state = state
          return try described { try Value(function.finalize(&state)) }
        })
    }
  }

  /// Removes a function. Preparing a statement that uses it then fails.
  public func remove(function: some DatabaseFunction) {
    register(function) { name, count, _ throws(SQLiteError) in
      try removeFunction(name, argumentCount: count)
    }
  }

  private func register(
    _ function: some DatabaseFunction,
    _ body: (String, Int32, Function.Options) throws(SQLiteError) -> Void
  ) {
    var options: Function.Options = []
    if function.isDeterministic { options.insert(.deterministic) }
    if function.isDirectOnly { options.insert(.directonly) }
    if function.isInnocuous { options.insert(.innocuous) }
    do throws(SQLiteError) {
      try body(function.name, function.argumentCount.map(Int32.init) ?? -1, options)
    } catch {
      preconditionFailure("the function \(function.name) cannot be registered: \(error)")
    }
  }
}

private func reading<Result>(
  _ arguments: Function.Arguments, of name: String, _ body: (inout RowReader) throws -> Result
) throws -> Result {
  do {
    return try withUnsafePointer(to: arguments) { arguments in
      var reader = RowReader(statement: OpaquePointer(arguments), access: access)
      return try described { try body(&reader) }
    }
  } catch let problem as DecodingProblem {
    throw ArgumentError(
      function: name, problem: problem,
      value: Int(problem.column) < arguments.count ? arguments[Int(problem.column)] : .null)
  }
}

/// Wraps an error so that SQL receives its message. The SQLite module cannot read the message of a
/// Foundation error.
private func described<Result>(_ body: () throws -> Result) throws -> Result {
  do {
    return try body()
  } catch let error where !(error is DecodingProblem || error is SQLiteError) {
    throw DescribedError(error, message: message(of: error))
  }
}

/// SQL called a Swift function with an argument that cannot be converted to the parameter's type.
public struct ArgumentError: Error, CustomStringConvertible, Sendable {
  /// The SQL name of the function.
  public let function: String
  /// The type that was expected, the storage class that was found, and the argument's position.
  public let problem: DecodingProblem
  /// The argument as SQLite passed it.
  public let value: Value

  public var description: String {
    """
    expected argument \(problem.column + 1) of \(function) to be \(problem.expected)\
    \(problem.reason.map { " (\($0))" } ?? ""), but it is \(value) (\(problem.found))
    """
  }
}
