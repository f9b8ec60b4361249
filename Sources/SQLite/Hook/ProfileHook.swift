import CSQLite

/// Owns the closure that SQLite calls.
final class ProfileHook {
  let threshold: UInt64
  let body: (String, UInt64) -> Void

  init(from threshold: UInt64, _ body: @escaping (String, UInt64) -> Void) {
    self.threshold = threshold
    self.body = body
  }
}

extension Connection {
  /// Calls `body` when a statement has ended that took `threshold` nanoseconds or longer, with its SQL as it was written and the nanoseconds it took, the time
  /// between two steps included (https://sqlite.org/c3ref/c_trace.html). Nil removes it.
  ///
  /// The body must not use the connection.
  public func onProfile(from threshold: UInt64 = 0, _ body: ((String, UInt64) -> Void)?) {
    guard let body else {
      sqlite3_trace_v2(handle, 0, nil, nil)
      hooks.profile = nil
      return
    }
    let hook = ProfileHook(from: threshold, body)
    sqlite3_trace_v2(
      handle, UInt32(SQLITE_TRACE_PROFILE),
      { _, context, statement, nanoseconds in
        guard let context, let statement, let nanoseconds else { return 0 }
        let hook = Unmanaged<ProfileHook>.fromOpaque(context).takeUnretainedValue()
        let taken = UInt64(clamping: nanoseconds.assumingMemoryBound(to: Int64.self).pointee)
        guard taken >= hook.threshold else { return 0 }
        let sql = sqlite3_sql(OpaquePointer(statement)).map { String(cString: $0) } ?? ""
        hook.body(sql, taken)
        return 0
      },
      Unmanaged.passUnretained(hook).toOpaque())
    hooks.profile = hook
  }
}
