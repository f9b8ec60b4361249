import Dispatch
import MartletTime

/// Sends requests to other servers through a child process, so that the process with the data never
/// speaks with strangers.
///
///     let courier = Courier(CourierSettings(rules: rules, userAgent: "martlet/1.0"))
///     courier.send(CourierRequest("https://example.com/hook", body: body)) { result in … }
///
/// The process is started at the first request, at most ``CourierLane/concurrency`` requests of
/// each lane are in it at once, and it is started again after it has ended unexpectedly. The
/// requests that were in it then have failed, although they may have arrived. It ends when this
/// object is released.
public final class Courier: Sendable {
  /// The most requests of a lane that wait for one of them to end. Further ones fail.
  public static let waitingLimit = 64

  private let work: CourierWork

  /// Makes a courier. Its process is not started yet.
  ///
  /// - Parameters:
  ///   - settings: What the process needs to know.
  ///   - executable: The program; by default the running one, also if its file was replaced.
  ///   - arguments: The arguments with which the program calls ``CourierProgram/run()``.
  ///   - clock: Its monotonic time decides when the process may be started again, and when it
  ///     counts as hung.
  public init(
    _ settings: CourierSettings, executable: String = "/proc/self/exe",
    arguments: [String] = ["courier"], clock: Clock = .system
  ) {
    work = CourierWork(settings, executable, arguments, clock)
  }

  deinit { work.stop() }

  /// Sends a request. Never blocks.
  ///
  /// - Parameter completion: Called exactly once, on a serial queue, never inside this call. It
  ///   must not block.
  public func send(
    _ request: CourierRequest, completion: @escaping @Sendable (CourierResult) -> Void
  ) {
    work.send(request, completion)
  }

  /// Makes a key pair for push services. Never blocks.
  ///
  /// - Parameter completion: Called exactly once, on a serial queue, never inside this call. It
  ///   must not block.
  public func makeKey(
    completion: @escaping @Sendable (Result<VAPIDKey, CourierResult.Failure>) -> Void
  ) {
    work.makeKey(completion)
  }

  /// Starts the process unless it runs, and checks that it can work. Never blocks.
  ///
  /// - Parameter completion: Called exactly once, on a serial queue, never inside this call.
  ///   Without libcurl the failure says which package to install.
  public func check(completion: @escaping @Sendable (CourierResult.Failure?) -> Void) {
    work.check(completion)
  }

  /// Ends the process. All requests that have no result yet fail, and all later ones.
  public func stop() { work.stop() }
}
