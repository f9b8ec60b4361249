import Glibc

/// Waits for the signals that end a service: SIGTERM, SIGINT, and SIGHUP, which a terminal sends
/// when it is closed.
///
/// A signal that is ignored when the process starts stays ignored, as under `nohup` or behind `&`
/// in a script.
///
/// ```swift
/// let signals = StopSignals()  // Before anything that starts a thread.
/// let port = try server.start()
/// signals.wait(first: { server.drain { exit(0) } }, further: { exit(1) })
/// ```
///
/// The signals are blocked and waited for, not handled, so a signal that arrives before `wait`
/// stays pending. A dispatch source would lose a signal that arrives between disabling the default
/// action and the registration of the source, which happens some time after `activate()`.
public struct StopSignals {
  private let set: sigset_t

  /// Blocks the signals. Create it while the process has a single thread, because new threads
  /// inherit the blocked set.
  public init() {
    var set = sigset_t()
    sigemptyset(&set)
    for number in [SIGTERM, SIGINT, SIGHUP] {
      var action = sigaction()
      sigaction(number, nil, &action)
      if !Self.isIgnored(action) { sigaddset(&set, number) }
    }
    pthread_sigmask(SIG_BLOCK, &set, nil)
    self.set = set
  }

  /// Waits for signals forever. Calls `first` for the first signal and `further` for each one after
  /// it.
  ///
  /// Call it on the main thread instead of `dispatchMain()`, which starts a thread that receives
  /// every signal.
  public func wait(first: () -> Void, further: () -> Void) -> Never {
    var set = set
    var number: Int32 = 0
    var isFirst = true
    while true {
      guard sigwait(&set, &number) == 0 else { continue }
      if isFirst { first() } else { further() }
      isFirst = false
    }
  }

  /// Whether a signal has arrived that ``wait(first:further:)`` would take. For what takes long
  /// before that.
  package static var isPending: Bool {
    var pending = sigset_t()
    sigpending(&pending)
    return [SIGTERM, SIGINT, SIGHUP].contains { sigismember(&pending, $0) == 1 }
  }

  private static func isIgnored(_ action: sigaction) -> Bool {
    // SIG_IGN is a function pointer with the value 1, and Swift cannot compare function pointers.
    unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
