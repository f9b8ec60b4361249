import MartletSQLite

/// Keeps the WAL short by checkpointing it when it exceeds a limit. Until it restarts, readers must
/// not keep snapshots, because the WAL can only restart when nothing reads from it.
///
/// Used on the writer's queue only.
final class WALCheckpointer {
  /// Wakes the loops that keep a snapshot.
  var wake: @Sendable () -> Void = {}
  private let connection: Connection
  private let clock: CommitClock
  private let limit: Int
  /// The number of frames in the WAL after the last commit.
  private var frames = 0
  /// The WAL length at which the next checkpoint is worth its fsyncs.
  private var nextAttempt: Int

  init(_ connection: Connection, limit: Int, clock: CommitClock) throws(SQLiteError) {
    self.connection = connection
    self.limit = max(limit, 1)
    self.clock = clock
    nextAttempt = self.limit
    connection.onWALGrowth { [weak self] in self?.frames = $0 }
    // After a large transaction, the WAL file is truncated to this size when the WAL restarts
    // (https://sqlite.org/pragma.html#pragma_journal_size_limit).
    let page = try connection.value("PRAGMA page_size")?.integer ?? 4096
    try connection.pragma(
      "journal_size_limit", set: "\(max(Int64(self.limit) &* 4 &* page, 16 << 20))")
  }

  /// Runs a checkpoint if one is due. Call it between two transactions.
  /// - Returns: the length of the WAL and the number of frames copied; `nil` if no checkpoint was
  ///   tried.
  func keep() throws(SQLiteError) -> (frames: Int, checkpointed: Int)? {
    if frames < limit {
      // The WAL has restarted.
      nextAttempt = limit
      if clock.mustReleaseSnapshots { clock.mustReleaseSnapshots = false }
      return nil
    }
    if !clock.mustReleaseSnapshots {
      clock.mustReleaseSnapshots = true
      wake()
    }
    // Loops that keep a snapshot will release it soon, so the checkpoint waits for them. Past twice
    // the limit it no longer waits.
    guard frames >= nextAttempt, clock.snapshotCount == 0 || frames >= 2 * limit else { return nil }
    do throws(SQLiteError) {
      let result = try connection.walCheckpoint(.passive)
      // Even a complete checkpoint may have to be repeated: a read in progress can prevent the next
      // write from restarting the WAL.
      nextAttempt = frames + max(limit / 4, 1)
      return result
    } catch {
      nextAttempt = frames + max(limit / 4, 1)
      throw error
    }
  }
}
