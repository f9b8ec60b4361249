import Dispatch
import MartletHTTP

/// Where uploads are understood: one at a time, on a thread apart. The next one begins when the one before it is
/// written, so that what was made of a file is in memory once.
final class UploadParser: Sendable {
  /// How many uploads may wait; each has its body in memory.
  private static let most = 8

  private let executor = BoundedExecutor(width: 1, waiting: most)

  /// Calls `body` with a slot, which it holds as long as it needs the lane. False where too many wait.
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

  /// Signals when nothing holds it any more: the upload was written or refused.
  private final class Slot: Sendable {
    private let isDone: DispatchSemaphore

    init(_ isDone: DispatchSemaphore) { self.isDone = isDone }
    deinit { isDone.signal() }
  }
}
