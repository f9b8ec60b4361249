import Dispatch
import Glibc
import MartletJSON
import Synchronization

/// Lines on their way to standard error. They are gathered and written on another thread, so that nobody waits for
/// whoever reads them; where that one is too slow, lines are left out, and how many is said.
final class LogSink: Sendable {
  private struct State {
    let lines = ByteBuffer(capacity: 4096)
    /// Whether a write is on its way.
    var isScheduled = false
    var leftOut = 0
  }

  private static let most = 1 << 20
  private static let pause = DispatchTimeInterval.milliseconds(50)

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "log", qos: .utility)
  private let descriptor: Int32
  /// The line that tells how many were left out.
  private let note: @Sendable (Int, ByteBuffer) -> Void

  init(_ descriptor: Int32 = STDERR_FILENO, note: @escaping @Sendable (Int, ByteBuffer) -> Void) {
    self.descriptor = descriptor
    self.note = note
  }

  /// Adds what `body` appends, which is lines; `atOnce`: it does not wait for more.
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

  /// Returns when everything is written, or nobody reads it.
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
    // Told when somebody takes lines again.
    if lost > 0 { state.withLock { $0.leftOut += lost } }
  }

  /// How many lines were not taken.
  private func write(_ bytes: [UInt8]) -> Int {
    let done = bytes.withUnsafeBytes { Output.write($0, to: descriptor) }
    return bytes[done...].count { $0 == 0x0A }
  }
}
