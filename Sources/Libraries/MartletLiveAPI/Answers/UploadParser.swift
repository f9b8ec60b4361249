import Dispatch
import MartletHTTP
import MartletStore

/// Parses uploads on a background thread, one at a time. The next one starts when the one before
/// has been written, so that at most one parsed file is in memory.
final class UploadParser: Sendable {
  /// The maximum number of waiting uploads. Each has its body in memory.
  private static let most = 8

  private let executor = BoundedExecutor(width: 1, waiting: most)

  /// Calls `body` with a slot. The next upload starts when the slot is released. Returns false if
  /// the queue is full.
  func run(
    _ responder: Responder, _ body: @escaping @Sendable (AnyObject & Sendable) -> Void
  ) -> Bool {
    executor.run {
      guard !responder.isCancelled else { return }
      let isDone = DispatchSemaphore(value: 0)
      body(Slot(isDone))
      isDone.wait()
    }
  }

  /// Signals when it is released: the upload was written or refused.
  private final class Slot: Sendable {
    private let isDone: DispatchSemaphore

    init(_ isDone: DispatchSemaphore) { self.isDone = isDone }
    deinit { isDone.signal() }
  }
}

extension Request {
  /// Whether the body is too large to be parsed on an event loop, which serves other clients too.
  var isLarge: Bool { body.bytes.count > 16 << 10 }
}

extension ServerDatabase {
  /// Parses a request with a large body on a worker, when it is its client's turn.
  func parse<Work: Sendable>(
    _ request: Request, _ parse: @escaping @Sendable () throws -> Work,
    completion: @escaping @Sendable (Result<Work, any Error>) -> Void
  ) {
    do throws(ReadError) {
      try onWorker(client: request.clientNumber, { _ in try parse() }, completion: completion)
    } catch {
      completion(.failure(error))
    }
  }
}
