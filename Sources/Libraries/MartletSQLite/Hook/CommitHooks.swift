import CMartletSQLite

/// The owners of the closures that SQLite calls.
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

/// The hooks that SQLite holds by address, retained until they are removed.
struct InstalledHooks {
  var preupdate: PreupdateHook?
  var progress: ProgressHandler?
  var profile: ProfileHook?
  var commit: CommitHook?
  var rollback: RollbackHook?
  var log: WALHook?
}

extension Connection {
  /// Sets the commit hook, called when a transaction is about to commit and is not yet durable
  /// (https://sqlite.org/c3ref/commit_hook.html).
  ///
  /// If `body` returns `false`, the transaction is rolled back and the statement fails with
  /// `SQLITE_CONSTRAINT`. The body must not use the connection. `nil` removes the hook.
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

  /// The closure of ``onCommit(_:)``, for code that replaces it temporarily.
  package var commitHook: (() -> Bool)? { hooks.commit?.body }

  /// Sets the hook called when a whole transaction is rolled back, but not for `ROLLBACK TO`. `nil`
  /// removes it.
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

  /// Sets the hook called after each commit, with the number of frames in the WAL
  /// (https://sqlite.org/c3ref/wal_hook.html).
  ///
  /// It disables SQLite's automatic checkpoints, so `body` has to arrange for checkpoints. `nil`
  /// removes the hook.
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
    // On a handle that is not owned, the closures must end with this object too.
    if hooks.preupdate != nil { onPreupdate(nil) }
    if hooks.progress != nil { onProgress(nil) }
    onProfile(nil)
    if hooks.commit != nil { onCommit(nil) }
    if hooks.rollback != nil { onRollback(nil) }
    if hooks.log != nil { onWALGrowth(nil) }
  }
}

/// Limits a result, called after each row that is written as JSON.
///
/// It complements the progress handler: writing one row can take longer than many virtual machine
/// instructions, and a single row can be larger than all others.
package protocol RowGuard: AnyObject {
  /// Throws if the result must end here. `bytes` is its size so far.
  func row(bytes: Int) throws
}
