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
  /// How often in a row a checkpoint of a long WAL was incomplete, since the WAL has restarted.
  private var incomplete = 0
  private let pageSize: Int

  init(_ connection: Connection, limit: Int, clock: CommitClock) throws(SQLiteError) {
    self.connection = connection
    self.limit = max(limit, 1)
    self.clock = clock
    nextAttempt = self.limit
    pageSize = Int(try connection.value("PRAGMA page_size")?.integer ?? 4096)
    connection.onWALGrowth { [weak self] in self?.frames = $0 }
    // After a large transaction, the WAL file is truncated to this size when the WAL restarts
    // (https://sqlite.org/pragma.html#pragma_journal_size_limit).
    try connection.pragma(
      "journal_size_limit", set: "\(max(self.limit &* 4 &* pageSize, 16 << 20))")
  }

  /// The result of a checkpoint.
  struct Checkpoint {
    /// The length of the WAL.
    let frames: Int
    /// The number of frames that were copied.
    let checkpointed: Int
    /// The size of the WAL in bytes, if a read has kept it from restarting for long. Given once
    /// until it restarts.
    let pinned: Int?
  }

  /// The WAL length, as a multiple of the limit, from which on an incomplete checkpoint is worth a
  /// warning. The reads of this process have ended long before.
  private static let long = 16

  /// Runs a checkpoint if one is due. Call it between two transactions.
  /// - Returns: What it has done; `nil` if no checkpoint was tried.
  func keep() throws(SQLiteError) -> Checkpoint? {
    if frames < limit {
      // The WAL has restarted.
      nextAttempt = limit
      incomplete = 0
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
      return Checkpoint(
        frames: result.frames, checkpointed: result.checkpointed, pinned: pinned(result))
    } catch {
      nextAttempt = frames + max(limit / 4, 1)
      throw error
    }
  }

  /// Two checkpoints in a row: the first one may have met a read that has just begun, after one
  /// large transaction.
  private func pinned(_ result: (frames: Int, checkpointed: Int)) -> Int? {
    guard result.checkpointed < result.frames, result.frames >= WALCheckpointer.long * limit else {
      return nil
    }
    incomplete += 1
    return incomplete == 2 ? result.frames * pageSize : nil
  }
}
