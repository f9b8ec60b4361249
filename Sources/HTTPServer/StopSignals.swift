import Glibc

/// SIGTERM and SIGINT as calls: the first one, and every further one.
///
/// Blocked and waited for, not handled: one that comes before anybody listens stays pending and is
/// not lost, as it can be with a dispatch source that is not registered yet.
struct Signals {
  private let set: sigset_t

  /// To be made while the process has one thread: others inherit what is blocked.
  init() {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGTERM)
    sigaddset(&set, SIGINT)
    pthread_sigmask(SIG_BLOCK, &set, nil)
    self.set = set
  }

  /// Calls them, one after the other, as long as the process lives. To be called on the main thread
  /// in place of `dispatchMain()`, which has a thread of its own take every signal.
  func wait(first: () -> Void, further: () -> Void) -> Never {
    var set = set
    var number: Int32 = 0
    var isFirst = true
    while true {
      guard sigwait(&set, &number) == 0 else { continue }
      if isFirst { first() } else { further() }
      isFirst = false
    }
  }
}
