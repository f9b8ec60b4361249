import CMartletSQLite

extension Connection {
  /// Adds `datetime('subsec')` and `time('subsec')` to SQLite before 3.42, where they return NULL
  /// (https://sqlite.org/lang_datefunc.html#modifiers).
  ///
  /// ```sql
  /// SELECT datetime('subsec');            -- 2026-01-31 12:00:00.123
  /// SELECT datetime(dueDate, 'subsec');
  /// ```
  /// On a newer library this does nothing. On an older one it replaces both functions on this
  /// connection. Calls without the modifier go to SQLite's own functions on a private in-memory
  /// connection, so their results do not change and existing indexes, CHECK constraints and
  /// generated columns keep working.
  ///
  /// It costs the memory of that connection and a few microseconds per call. It also loses two of
  /// SQLite's guarantees: `'now'` can differ by milliseconds between calls in one statement, and is
  /// no longer rejected in an index or a CHECK. `strftime('%Y-%m-%d %H:%M:%f', 'now')` gives the
  /// same value on every version without these costs.
  public func addSubsecondDates() throws(SQLiteError) {
    guard Version.library < Version(3, 42) else { return }
    let own = try OwnDates()
    for name in ["datetime", "time"] {
      // Declared deterministic, like SQLite's own functions, so that indexes can use them.
      try addFunction(name, options: [.deterministic, .innocuous]) { arguments in
        try own.call(name, arguments.map(\.sqliteValue))
      }
    }
  }
}

/// SQLite's own date functions, on a connection that does not replace them.
private final class OwnDates {
  private let connection: Connection

  init() throws(SQLiteError) { connection = try Connection(location: .inMemory) }

  func call(_ name: String, _ arguments: [Value]) throws(SQLiteError) -> Value {
    guard arguments.contains(where: isSubsecond) else {
      return try answer("\(name)(\(marks(arguments.count)))", arguments)
    }
    // As the first argument, the modifier implies the current time.
    let first: [Value] = isSubsecond(arguments[0]) ? ["now"] : []
    let rest = first + arguments.filter { !isSubsecond($0) }
    let format = name == "time" ? "%H:%M:%f" : "%Y-%m-%d %H:%M:%f"
    return try answer("strftime('\(format)', \(marks(rest.count)))", rest)
  }

  private func marks(_ count: Int) -> String {
    Array(repeating: "?", count: count).joined(separator: ", ")
  }

  private func answer(_ call: String, _ arguments: [Value]) throws(SQLiteError) -> Value {
    let statement = try connection.cached("SELECT \(call)")
    defer { statement.reset() }
    for (index, argument) in arguments.enumerated() {
      try statement.bind(argument, at: index + 1)
    }
    return try statement.step() ? statement.value(at: 0) : .null
  }

  private func isSubsecond(_ value: Value) -> Bool {
    guard let word = value.text?.lowercased() else { return false }
    return word == "subsec" || word == "subsecond"
  }
}
