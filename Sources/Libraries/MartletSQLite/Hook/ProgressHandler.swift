import CMartletSQLite

/// Owns the closure that SQLite calls.
final class ProgressHandler {
  let body: () -> Bool
  init(_ body: @escaping () -> Bool) { self.body = body }
}

extension Connection {
  /// Calls `body` about every `instructions` virtual machine instructions while statements run or
  /// are prepared (https://sqlite.org/c3ref/progress_handler.html).
  ///
  /// If `body` returns `false`, the statement fails with `SQLITE_INTERRUPT`. The body must not use
  /// the connection. One FTS5 step or one `count(*)` can take tens of milliseconds between two
  /// calls. `nil` removes the handler.
  public func onProgress(every instructions: Int = 1_000, _ body: (() -> Bool)?) {
    guard let body else {
      sqlite3_progress_handler(handle, 0, nil, nil)
      hooks.progress = nil
      return
    }
    let handler = ProgressHandler(body)
    sqlite3_progress_handler(
      handle, Int32(instructions),
      { Unmanaged<ProgressHandler>.fromOpaque($0!).takeUnretainedValue().body() ? 0 : 1 },
      Unmanaged.passUnretained(handler).toOpaque())
    hooks.progress = handler
  }
}
