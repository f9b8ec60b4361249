import Dispatch
import MartletHTTP

/// Where uploads are understood: one at a time, on a thread apart. The next one begins when the one before it is
/// written, so that what was made of a file is in memory once.
final class UploadLane: Sendable {
  /// How many uploads may wait; each has its body in memory.
  private static let most = 8

  private let executor = Verifier(width: 1, waiting: most)

  static func take(_ request: Request, _ route: WriteRoute, _ api: API, _ responder: Responder) {
    let isTaken = api.uploads.executor.run {
      guard !responder.isCancelled else { return }
      let isDone = DispatchSemaphore(value: 0)
      route.upload(request, api, responder, Slot(isDone))
      isDone.wait()
    }
    guard !isTaken else { return }
    responder.respond(
      api.answer(
        APIProblem(.overloaded, "Other uploads are waiting. Nothing was done.", retryAfter: 5),
        to: request))
  }

  /// Signals when nothing holds it any more: the upload was written or refused.
  private final class Slot: Sendable {
    private let isDone: DispatchSemaphore

    init(_ isDone: DispatchSemaphore) { self.isDone = isDone }
    deinit { isDone.signal() }
  }
}
