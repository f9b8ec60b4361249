import Dispatch
import Glibc
import MartletHTTP
import MartletJSON
import MartletStore
import Synchronization

/// A copy of a database as the content of a response. While the copy is being made and checked, it
/// sends a line feed each second, so that the other side knows that it goes on; a database begins
/// with another byte.
final class CopySource: BodySource {
  private static let queue = DispatchQueue(label: "cluster.copies", qos: .utility)

  private struct State {
    var file: FileSource?
    var hasFailed = false
    var isStopped = false
    var beats = 0
    var wake: (@Sendable () -> Void)?
  }

  private let database: String
  private let state = Mutex(State())

  init(of database: String) {
    self.database = database
  }

  func start(_ wake: @escaping @Sendable () -> Void) {
    state.withLock { $0.wake = wake }
    beat()
    Self.queue.async { [self] in
      let path = "\(database).copy-\(UInt64.random(in: 0 ... .max))"
      do {
        try DatabaseCopy.make(of: database, at: path) { [self] _ in
          if state.withLock({ $0.isStopped }) { throw CancellationError() }
        }
        let file = FileSource(path, isTemporary: true)
        change {
          $0.file = file
          $0.hasFailed = file == nil
        }
      } catch {
        change { $0.hasFailed = true }
      }
    }
  }

  /// Sends a line feed after a second, and so on.
  private func beat() {
    DispatchQueue.global().asyncAfter(deadline: .now() + 1) { [weak self] in
      guard let self, state.withLock({ $0.file == nil && !$0.hasFailed && !$0.isStopped }) else {
        return
      }
      change { $0.beats = 1 }
      beat()
    }
  }

  private func change(_ body: (inout State) -> Void) {
    let wake = state.withLock { state in
      body(&state)
      return state.wake
    }
    wake?()
  }

  func read(upTo most: Int, into buffer: ByteBuffer) -> BodyProgress {
    let (file, hasFailed, beats) = state.withLock { state in
      defer { state.beats = 0 }
      return (state.file, state.hasFailed, state.beats)
    }
    if let file { return file.read(upTo: most, into: buffer) }
    if hasFailed { return .failed }
    guard beats > 0 else { return .wait }
    buffer.append(UInt8(ascii: "\n"))
    return .more
  }

  func stop() {
    state.withLock {
      $0.isStopped = true
      $0.wake = nil
    }
  }
}
