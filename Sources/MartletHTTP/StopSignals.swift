import Glibc

/// The signals that ask a service to end, as calls: SIGTERM, SIGINT, and SIGHUP, which a terminal sends when it is
/// closed. One that is ignored when the process starts stays ignored: `nohup`, or `&` in a script.
///
/// ```swift
/// let signals = StopSignals()  // Before anything that starts a thread.
/// let port = try server.start()
/// signals.wait(first: { server.drain { exit(0) } }, further: { exit(1) })
/// ```
///
/// The signals are blocked and waited for, not handled: one that comes before `wait` stays pending. With a dispatch
/// source it is lost when it comes after the default action was switched off and before the source is registered,
/// which happens some time after `activate()`.
public struct StopSignals {
  private let set: sigset_t

  /// Blocks the signals. To be made while the process has one thread: the others inherit what is blocked.
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

  /// Calls `first` for the first signal and `further` for every one after it, as long as the process lives.
  ///
  /// To be called on the main thread, in place of `dispatchMain()`, which starts a thread that takes every signal.
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

  private static func isIgnored(_ action: sigaction) -> Bool {
    // SIG_IGN is the function with the address 1, which Swift does not compare as a function.
    unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
