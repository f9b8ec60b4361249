import Synchronization

/// Remembers reads that exceeded their time budget on an event loop. For the next minute they run
/// on a worker from the start.
final class SlowReads: Sendable {
  private static let minute: Int64 = 60_000
  private static let most = 1024
  private let known = Mutex<[String: Int64]>([:])

  /// Whether a read exceeded its budget within the last minute. `now` is in milliseconds of the
  /// monotonic clock.
  func contains(_ key: String, at now: Int64) -> Bool {
    known.withLock { known in
      guard !known.isEmpty, let since = known[key] else { return false }
      if now - since < SlowReads.minute { return true }
      known[key] = nil
      return false
    }
  }

  func add(_ key: String, at now: Int64) {
    known.withLock { known in
      if known.count >= SlowReads.most {
        known = known.filter { now - $0.value < SlowReads.minute }
        if known.count >= SlowReads.most { known.removeAll() }
      }
      known[key] = now
    }
  }
}
