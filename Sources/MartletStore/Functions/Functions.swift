import MartletQueryBuilder
import MartletSQLite

// Arguments are read as a row's columns are: the same representations, the same problems.
// A type that reads itself may read more than it said: behind the last argument there is NULL.
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
  /// Makes a Swift function known to this connection's statements and triggers. One with the same name
  /// and number of arguments is replaced.
  ///
  /// ```swift
  /// db.add(function: $exclaim)
  /// ```
  /// It belongs into the `prepare` of a database: each of its connections needs the function. While a
  /// statement of the connection runs, none can be added; that, a name of more than 255 bytes and more
  /// than 127 arguments are mistakes in the program, and end it.
  public func add(function: some ScalarDatabaseFunction) {
    register(function) { name, count, options throws(SQLiteError) in
      try addFunction(name, argumentCount: count, options: options) { arguments in
        try reading(arguments, of: name) { try Value(function.invoke(&$0)) }
      }
    }
  }

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

  /// A window function is an aggregate as well.
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

  /// Removes a function: statements that name it do not prepare any more.
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

/// What is thrown arrives in SQL with its message, which SQLite's module does not know of Foundation's errors.
private func described<Result>(_ body: () throws -> Result) throws -> Result {
  do {
    return try body()
  } catch let error where !(error is DecodingProblem || error is SQLiteError) {
    throw DescribedError(error, message: message(of: error))
  }
}

extension Value {
  fileprivate init(_ binding: QueryBinding) throws {
    switch binding.plain {
    case .null: self = .null
    case .int(let value): self = .integer(value)
    case .double(let value): self = .real(value)
    case .text(let text): self = .text(text)
    case .blob(let bytes): self = .blob(bytes)
    case .invalid(let reason): throw SQLiteError(code: SQLITE_MISMATCH, message: reason)
    }
  }
}
