import Synchronization

/// Logs what fails and is tried again all the time: each reason once a minute.
final class FailureReport: Sendable {
  private struct Last {
    var text = ""
    var time = ContinuousClock.now
  }

  private let log: Log
  private let last = Mutex(Last())

  init(_ log: Log) { self.log = log }

  func callAsFunction(_ what: String, _ reason: String) {
    let isNew = last.withLock { last in
      let now = ContinuousClock.now
      guard last.text != reason || now - last.time > .seconds(60) else { return false }
      last = Last(text: reason, time: now)
      return true
    }
    if isNew { log(.warning, what, ["error": .text(reason)]) }
  }
}
