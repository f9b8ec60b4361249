import Dispatch
import Glibc
import MartletJSON
import Synchronization

/// The queue of log lines for standard error.
///
/// Lines are collected and written on another thread, so that logging never blocks. If the reader
/// of standard error is too slow, lines are dropped and their number is logged.
final class LogSink: Sendable {
  private struct State {
    let lines = ByteBuffer(capacity: 4096)
    /// Whether a write is scheduled.
    var isScheduled = false
    var leftOut = 0
  }

  /// The maximum size of the queue in bytes.
  private static let most = 1 << 20
  /// How long lines are collected before they are written.
  private static let pause = DispatchTimeInterval.milliseconds(50)

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "log", qos: .utility)
  private let descriptor: Int32
  /// Appends the line that reports the number of dropped lines.
  private let note: @Sendable (Int, ByteBuffer) -> Void

  init(_ descriptor: Int32 = STDERR_FILENO, note: @escaping @Sendable (Int, ByteBuffer) -> Void) {
    self.descriptor = descriptor
    self.note = note
  }

  /// Enqueues the lines that `body` appends.
  ///
  /// - Parameter atOnce: Whether to write without waiting for more lines.
  func add(atOnce: Bool, _ body: (ByteBuffer) -> Void) {
    let schedules = state.withLock { state in
      guard state.lines.count < LogSink.most else {
        state.leftOut += 1
        return false
      }
      body(state.lines)
      if atOnce { return true }
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    guard schedules else { return }
    if atOnce {
      queue.async { self.write() }
    } else {
      queue.asyncAfter(deadline: .now() + LogSink.pause) { self.write() }
    }
  }

  /// Returns when all lines are written, or after a second if they cannot be written.
  func finish() {
    let done = DispatchSemaphore(value: 0)
    queue.async {
      self.write()
      done.signal()
    }
    _ = done.wait(timeout: .now() + 1)
  }

  private func write() {
    let (lines, leftOut) = state.withLock { state in
      let lines = Array(state.lines.bytes)
      state.lines.removeAll(keepingCapacityUpTo: 1 << 16)
      state.isScheduled = false
      defer { state.leftOut = 0 }
      return (lines, state.leftOut)
    }
    var lost = write(lines)
    if leftOut > 0 {
      let line = ByteBuffer(capacity: 256)
      note(leftOut, line)
      if write(Array(line.bytes)) > 0 { lost += leftOut }
    }
    // Reported when lines can be written again.
    if lost > 0 { state.withLock { $0.leftOut += lost } }
  }

  /// Writes the bytes and returns the number of lines that could not be written.
  private func write(_ bytes: [UInt8]) -> Int {
    let done = bytes.withUnsafeBytes { Output.write($0, to: descriptor) }
    return bytes[done...].count { $0 == 0x0A }
  }
}
