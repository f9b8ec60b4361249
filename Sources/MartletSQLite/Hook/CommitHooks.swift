import CMartletSQLite

/// Own the closures that SQLite calls.
final class CommitHook {
  let body: () -> Bool
  init(_ body: @escaping () -> Bool) { self.body = body }
}

final class RollbackHook {
  let body: () -> Void
  init(_ body: @escaping () -> Void) { self.body = body }
}

final class WALHook {
  let body: (Int) -> Void
  init(_ body: @escaping (Int) -> Void) { self.body = body }
}

/// The closures that SQLite holds by address, kept alive until they are removed.
struct InstalledHooks {
  var preupdate: PreupdateHook?
  var progress: ProgressHandler?
  var profile: ProfileHook?
  var commit: CommitHook?
  var rollback: RollbackHook?
  var log: WALHook?
}

extension Connection {
  /// Calls `body` when a transaction is about to commit, before it is durable; when it answers
  /// false, the transaction is rolled back instead and the statement fails with `SQLITE_CONSTRAINT`
  /// (https://sqlite.org/c3ref/commit_hook.html). Nil removes it.
  ///
  /// The body must not use the connection.
  public func onCommit(_ body: (() -> Bool)?) {
    guard let body else {
      sqlite3_commit_hook(handle, nil, nil)
      hooks.commit = nil
      return
    }
    let hook = CommitHook(body)
    sqlite3_commit_hook(
      handle,
      { Unmanaged<CommitHook>.fromOpaque($0!).takeUnretainedValue().body() ? 0 : 1 },
      Unmanaged.passUnretained(hook).toOpaque())
    hooks.commit = hook
  }

  /// What ``onCommit(_:)`` was given, for whoever replaces it for a while.
  package var commitHook: (() -> Bool)? { hooks.commit?.body }

  /// Calls `body` when a whole transaction is rolled back, not for `ROLLBACK TO`. Nil removes it.
  public func onRollback(_ body: (() -> Void)?) {
    guard let body else {
      sqlite3_rollback_hook(handle, nil, nil)
      hooks.rollback = nil
      return
    }
    let hook = RollbackHook(body)
    sqlite3_rollback_hook(
      handle, { Unmanaged<RollbackHook>.fromOpaque($0!).takeUnretainedValue().body() },
      Unmanaged.passUnretained(hook).toOpaque())
    hooks.rollback = hook
  }

  /// Calls `body` after each commit with the number of frames in the write-ahead log. SQLite then
  /// no longer checkpoints by itself: whoever hears of the frames does
  /// (https://sqlite.org/c3ref/wal_hook.html). Nil removes it.
  public func onWALGrowth(_ body: ((Int) -> Void)?) {
    guard let body else {
      sqlite3_wal_hook(handle, nil, nil)
      hooks.log = nil
      return
    }
    let hook = WALHook(body)
    sqlite3_wal_hook(
      handle,
      { context, _, _, frames in
        Unmanaged<WALHook>.fromOpaque(context!).takeUnretainedValue().body(Int(frames))
        return SQLITE_OK
      }, Unmanaged.passUnretained(hook).toOpaque())
    hooks.log = hook
  }

  func removeHooks() {
    // Also on a handle that someone else keeps: the closures end with this object.
    if hooks.preupdate != nil { onPreupdate(nil) }
    if hooks.progress != nil { onProgress(nil) }
    onProfile(nil)
    if hooks.commit != nil { onCommit(nil) }
    if hooks.rollback != nil { onRollback(nil) }
    if hooks.log != nil { onWALGrowth(nil) }
  }
}
