import Dispatch

/// A point in time after which a test stops waiting.
public struct Deadline: Sendable {
  /// The longest time in seconds that a test waits for what has to come, unless it says otherwise.
  /// Only a hang reaches it, also on a machine that is busy with other work.
  public static let hang: Double = 120

  private let instant: ContinuousClock.Instant

  /// A deadline so many seconds from now.
  public init(_ seconds: Double) { instant = .now + .seconds(seconds) }

  /// Whether the deadline has passed.
  public var isOver: Bool { instant <= .now }

  /// The milliseconds that are left, rounded up: 0 when the deadline has passed.
  public var milliseconds: Int32 {
    let left = ContinuousClock.Instant.now.duration(to: instant)
    guard left > .zero else { return 0 }
    return Int32(clamping: Int64((left / .milliseconds(1)).rounded(.up)))
  }
}

/// Why a test client gave up.
public struct TestFailure: Error, CustomStringConvertible {
  /// The reason, with the bytes that had arrived.
  public let description: String

  /// A failure with this text.
  public init(_ description: String) { self.description = description }
}

/// Runs the tasks of a service's routes and schedules outside Swift's pool of threads.
///
/// The pool has a thread for each core. Tests that wait for a response can block all of them, and
/// then a task of the pool that has to answer would never run.
final class TestThreads: TaskExecutor {
  static let shared = TestThreads()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // As in `Blocking`, a serial queue gets a thread even if all threads of the pool are blocked.
    DispatchQueue(label: "service task").async { [self] in
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
