import Dispatch
import Glibc
import JSON
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

  init(_ descriptor: Int32 = STDERR_FILENO) { self.descriptor = descriptor }

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
    write(lines)
    if leftOut > 0 { write(Array("martlet: \(leftOut) lines of the log were left out\n".utf8)) }
  }

  private func write(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
        let count = Glibc.write(descriptor, start, rest.count)
        if count < 0, errno == EINTR { continue }
        // Nobody reads it any more.
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }
  }
}
