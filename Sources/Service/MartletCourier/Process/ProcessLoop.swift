import CMartletSystem
import Dispatch
import Glibc
import Synchronization

/// Runs one child process on a thread of its own: starts it, writes lines to it, reads lines from
/// it, and waits for its end.
final class ProcessLoop: Sendable {
  /// The owner's side. All are called on the loop's thread.
  struct Events: Sendable {
    /// A line has arrived. If it returns false, the process is ended.
    var line: @Sendable ([UInt8]) -> Bool
    /// The milliseconds until the process counts as hung and is ended; -1 if it does not.
    var timeLeft: @Sendable () -> Int32
    /// The process has ended, or could not be started. It is the last event.
    var ended: @Sendable (_ reason: String) -> Void
  }

  private struct State {
    var unwritten: [UInt8] = []
    var isStopped = false
  }

  private let state = Mutex(State())
  /// A byte in it wakes the loop. It lives as long as this object.
  private let bell: (read: Int32, write: Int32)

  init() throws(SpawnedProcess.Failure) {
    bell = try SpawnedProcess.pipe()
    for end in [bell.read, bell.write] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
  }

  deinit { for end in [bell.read, bell.write] { close(end) } }

  /// Starts the process.
  func start(_ executable: String, _ arguments: [String], _ events: Events) {
    // A write to a process that has ended then fails with EPIPE instead of ending this one.
    signal(SIGPIPE, SIG_IGN)
    // The block holds its thread until the process has ended, because the process dies with it.
    DispatchQueue(label: "courier").async { [self] in
      do {
        let process = try SpawnedProcess(executable, arguments)
        run(process, events)
        let end = process.end()
        let isStopped = state.withLock { state in
          state.unwritten = []
          return state.isStopped
        }
        events.ended(isStopped ? "it was stopped" : end)
      } catch {
        events.ended("\(error)")
      }
    }
  }

  /// Sends bytes to the process. It never blocks.
  func write(_ bytes: [UInt8]) {
    state.withLock { $0.unwritten += bytes }
    ring()
  }

  /// Ends the process soon.
  func stop() {
    state.withLock { $0.isStopped = true }
    ring()
  }

  private func ring() {
    var byte: UInt8 = 0
    // If the pipe is full, the loop is about to wake up anyway.
    _ = Glibc.write(bell.write, &byte, 1)
  }

  private func run(_ process: SpawnedProcess, _ events: Events) {
    var reader = LineReader(limit: CourierLine.longestReport)
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      let (isStopped, hasOutput) = state.withLock { ($0.isStopped, !$0.unwritten.isEmpty) }
      let left = events.timeLeft()
      if isStopped || left == 0 { return }
      var entries = [
        pollfd(fd: process.output, events: Int16(POLLIN), revents: 0),
        pollfd(fd: bell.read, events: Int16(POLLIN), revents: 0),
        pollfd(fd: hasOutput ? process.input : -1, events: Int16(POLLOUT), revents: 0),
      ]
      poll(&entries, 3, left)
      if entries[1].revents != 0 { while read(bell.read, &buffer, buffer.count) > 0 {} }
      if entries[2].revents != 0 { writeMore(to: process.input) }
      if entries[0].revents != 0 {
        let count = read(process.output, &buffer, buffer.count)
        if count < 0, errno == EAGAIN || errno == EINTR { continue }
        guard count > 0, let lines = try? reader.lines(buffer[..<count]),
          lines.allSatisfy(events.line)
        else { return }
      }
    }
  }

  private func writeMore(to input: Int32) {
    state.withLock { state in
      let count = Glibc.write(input, state.unwritten, state.unwritten.count)
      if count > 0 { state.unwritten.removeFirst(count) }
      // The process has closed its input; it ends, which the loop learns from its output.
      if count < 0, errno == EPIPE { state.unwritten = [] }
    }
  }
}
