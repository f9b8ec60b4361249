import MartletSQLite

/// Keeps the write-ahead log short: copies it into the database when it is long, and meanwhile asks
/// readers not to keep snapshots, because the log starts anew only when nobody reads from it.
///
/// Used on the writer's queue alone.
final class WALCheckpointer {
  /// Wakes the loops that keep a snapshot.
  var wake: @Sendable () -> Void = {}
  private let connection: Connection
  private let clock: CommitClock
  private let limit: Int
  /// Frames in the log, after the last commit.
  private var frames = 0
  /// The length of the log at which the next attempt is worth its fsyncs.
  private var nextAttempt: Int

  init(_ connection: Connection, limit: Int, clock: CommitClock) throws(SQLiteError) {
    self.connection = connection
    self.limit = max(limit, 1)
    self.clock = clock
    nextAttempt = self.limit
    connection.onWALGrowth { [weak self] in self?.frames = $0 }
    // What one large transaction makes of the file is given back when the log starts anew
    // (https://sqlite.org/pragma.html#pragma_journal_size_limit).
    let page = try connection.value("PRAGMA page_size")?.integer ?? 4096
    try connection.pragma(
      "journal_size_limit", set: "\(max(Int64(self.limit) &* 4 &* page, 16 << 20))")
  }

  /// To be called between two transactions.
  /// - Returns: how far the log was copied, when that was tried.
  func keep() throws(SQLiteError) -> (frames: Int, checkpointed: Int)? {
    if frames < limit {
      // The log has started anew.
      nextAttempt = limit
      if clock.mustReleaseSnapshots { clock.mustReleaseSnapshots = false }
      return nil
    }
    if !clock.mustReleaseSnapshots {
      clock.mustReleaseSnapshots = true
      wake()
    }
    // Who still keeps a snapshot is about to let go; who reads for long is not waited for.
    guard frames >= nextAttempt, clock.snapshotCount == 0 || frames >= 2 * limit else { return nil }
    do throws(SQLiteError) {
      let result = try connection.walCheckpoint(.passive)
      // Also when everything was copied: a read that was under way can keep the next write from
      // starting the log anew.
      nextAttempt = frames + max(limit / 4, 1)
      return result
    } catch {
      nextAttempt = frames + max(limit / 4, 1)
      throw error
    }
  }
}
