import Dispatch
import MartletSQLite
import Synchronization

/// The state of the digest of a node's content that an entry of the log has asked for.
public enum ContentCheck: Sendable {
  /// It is being made.
  case running
  /// It is complete.
  case finished(ContentDigest)
  /// It could not be made.
  case failed(String)
}

/// Makes digests of a node's content, one at a time, beside the writes.
final class ContentChecks: Sendable {
  /// How long a digest may take. Its snapshot keeps the WAL from being restarted.
  private static let limit: Duration = .seconds(600)

  private let path: String
  private let prepare: @Sendable (Connection) throws -> Void
  private let queue = DispatchQueue(label: "store.checks", qos: .utility)
  private let last = Mutex<(seq: Int64, check: ContentCheck)?>(nil)
  private let isStopped = Atomic(false)

  /// - Parameter prepare: Prepares the connection that reads.
  init(_ path: String, prepare: @escaping @Sendable (Connection) throws -> Void) {
    self.path = path
    self.prepare = prepare
  }

  /// Whether a digest is being made.
  var isRunning: Bool {
    last.withLock { last in
      if case .running? = last?.check { true } else { false }
    }
  }

  /// The state of the digest at an entry; `nil` if none was begun, or another one since.
  subscript(seq: Int64) -> ContentCheck? {
    last.withLock { $0?.seq == seq ? $0?.check : nil }
  }

  /// Begins the digest of what the file contains now, which is what it is after an entry. Returns
  /// when the snapshot is taken. While another one is being made, it does nothing.
  func begin(at seq: Int64) {
    guard !isRunning else { return }
    last.withLock { $0 = (seq, .running) }
    let isOpen = DispatchSemaphore(value: 0)
    queue.async { [self] in
      let check = check(at: seq) { isOpen.signal() }
      last.withLock { $0 = (seq, check) }
      isOpen.signal()
    }
    isOpen.wait()
  }

  /// Ends the digest that is being made.
  func stop() { isStopped.store(true, ordering: .releasing) }

  private func check(at seq: Int64, opened: () -> Void) -> ContentCheck {
    do {
      let connection = try Connection(location: .file(path), options: [.readOnly, .noMutex])
      defer { connection.close() }
      try prepare(connection)
      try connection.execute("BEGIN")
      let found = try NodePosition(connection)?.seq
      opened()
      guard found == seq else { return .failed("another program has written to the file") }
      let end = ContinuousClock.now + Self.limit
      connection.onProgress(every: 10_000) { [self] in
        !isStopped.load(ordering: .acquiring) && ContinuousClock.now < end
      }
      defer { connection.onProgress(nil) }
      return .finished(try ContentDigest(connection))
    } catch {
      return .failed("\(error)")
    }
  }
}
