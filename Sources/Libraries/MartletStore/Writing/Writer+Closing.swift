import Dispatch
import MartletSQLite
import MartletTime
import Synchronization

// The end of a writer.

extension Writer {
  /// Stops all writing. The connection is leaked and not closed: closing would checkpoint the WAL,
  /// whose fsync can no longer be trusted, and delete it. Recovery at the next open decides what
  /// the file contains.
  func stop() {
    line.stop()
    if let connection = current?.connection { _ = Unmanaged.passRetained(connection) }
    current = nil
  }

  func refuseWaiting(_ error: WriteError = .stopped) {
    for entry in line.takeAll() { entry.write.answer(error) }
  }

  /// Runs the queued writes, refuses new ones, checkpoints the WAL, and closes the connection.
  /// Writes that do not finish within `timeout` are rolled back and fail with
  /// ``WriteError/stopped``.
  func close(within timeout: Duration? = nil) {
    line.stop()
    checks.stop()
    if let timeout { closing.begin(at: steadyNanoseconds() + timeout.wholeNanoseconds) }
    let finish: @Sendable () -> Void = {
      while !self.closing.isOver, !self.line.isEmpty { self.runGroup() }
      self.refuseWaiting()
      self.giveUpUndecided()
      self.timer.cancel()
      self.fileTimer.cancel()
      self.emptyLog()
      self.current?.connection.close()
      self.current = nil
    }
    // On the writer's own thread a group may be in progress that still needs the connection. This
    // happens when a commit handler releases the last reference to the database.
    if isCurrent { queue.async(execute: finish) } else { queue.sync(execute: finish) }
  }

  /// Checkpoints and truncates the WAL, so that the file alone is the database. Closing does this
  /// only for the last connection, and readers may still be open.
  private func emptyLog() {
    guard let connection = current?.connection else { return }
    connection.setBusyTimeout(.milliseconds(200))
    do throws(SQLiteError) {
      try connection.walCheckpoint(.truncate)
    } catch  where error.isBusy {
      // Another connection still reads from the WAL. The last connection to close, or the next to
      // open the file, checkpoints it.
    } catch  where error.isFull {
      // The WAL stays next to the file and has all frames.
      onEvent(.maintenanceFailed(error))
    } catch {
      stop()
      onEvent(.checkpointFailed(error))
    }
  }
}

/// The deadline after which a closing store abandons its writes.
final class ClosingTime: Sendable {
  private let time = Atomic<UInt64>(.max)

  var isOver: Bool {
    let time = time.load(ordering: .relaxed)
    return time != .max && steadyNanoseconds() >= time
  }

  func begin(at time: UInt64) { self.time.store(time, ordering: .relaxed) }
}
