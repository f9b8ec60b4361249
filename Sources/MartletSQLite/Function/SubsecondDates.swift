import CMartletSQLite

extension Connection {
  /// Makes `datetime('subsec')` and `time('subsec')` work where the library is older than 3.42, in
  /// which they give NULL (https://sqlite.org/lang_datefunc.html#modifiers). On a newer library this
  /// does nothing.
  ///
  /// ```sql
  /// SELECT datetime('subsec');            -- 2026-01-31 12:00:00.123
  /// SELECT datetime(dueDate, 'subsec');
  /// ```
  /// Both functions are replaced on this connection. Every other call is answered by SQLite's own
  /// function on a private connection in memory, so that results are the same and indexes, CHECKs and
  /// generated columns over them go on working. It costs that connection's memory, some microseconds a
  /// call, and two of SQLite's guarantees: `'now'` may differ by milliseconds between calls of one
  /// statement, and is no longer refused in an index or a CHECK. Hence only where a program asks
  /// for it; `strftime('%Y-%m-%d %H:%M:%f', 'now')` says the same on every version.
  public func addSubsecondDates() throws(SQLiteError) {
    guard Version.library < Version(3, 42) else { return }
    let own = try OwnDates()
    for name in ["datetime", "time"] {
      // Deterministic, as SQLite's own is to whoever puts it into an index.
      try addFunction(name, options: [.deterministic, .innocuous]) { arguments in
        try own.call(name, arguments.map(\.sqliteValue))
      }
    }
  }
}

/// SQLite's own date functions, where nobody has replaced them.
private final class OwnDates {
  private let connection: Connection

  init() throws(SQLiteError) { connection = try Connection(location: .inMemory) }

  func call(_ name: String, _ arguments: [Value]) throws(SQLiteError) -> Value {
    guard arguments.contains(where: isSubsecond) else {
      return try answer("\(name)(\(marks(arguments.count)))", arguments)
    }
    // As the first argument it means now.
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
