import JSON
import Synchronization

/// How many requests each client address may make: a bucket of tokens that fills at a steady rate.
///
/// A bucket is one number, the time at which it is full again (the generic cell rate algorithm); one that
/// is full needs none. So there are never more than the requests of the time in which a bucket fills.
final class RateLimiter: Sendable {
  /// Where a client stands after a request.
  struct Standing: Equatable {
    var isAllowed: Bool
    /// Requests that may come at once now.
    var remaining: Int
    /// Seconds until the bucket is full.
    var fullIn: Int
    /// Seconds until the next request is allowed.
    var retryAfter: Int
    /// What a full bucket holds, and the seconds in which it fills.
    var burst: Int
    var window: Int
  }

  private struct State {
    /// In microseconds of the monotonic clock.
    var fullAt: [Peer: Int64] = [:]
    /// From this size on, full buckets are looked for.
    var crowd = 1024
  }

  private let state = Mutex(State())
  /// Microseconds for each request.
  private let interval: Int64
  private let burst: Int
  /// Microseconds in which a bucket fills.
  private let capacity: Int64
  private let window: Int

  /// `nil` where there is no limit.
  init?(perMinute: Int, burst: Int) {
    guard perMinute > 0 else { return nil }
    interval = max(60_000_000 / Int64(perMinute), 1)
    self.burst = max(burst, 1)
    capacity = Int64(self.burst) * interval
    window = max(RateLimiter.seconds(capacity), 1)
  }

  /// Takes a token for a request of `peer`, if there is one. `now` is in milliseconds.
  func take(_ peer: Peer, at now: Int64) -> Standing {
    let now = now * 1000
    let (isAllowed, missing) = state.withLock { state in
      let client = peer.client
      let fullAt = max(state.fullAt[client] ?? now, now)
      guard fullAt + interval - now <= capacity else { return (false, fullAt - now) }
      state.fullAt[client] = fullAt + interval
      if state.fullAt.count > state.crowd {
        state.fullAt = state.fullAt.filter { $0.value > now }
        state.crowd = max(1024, 2 * state.fullAt.count)
      }
      return (true, fullAt + interval - now)
    }
    return Standing(
      isAllowed: isAllowed, remaining: Int(max(capacity - missing, 0) / interval),
      fullIn: RateLimiter.seconds(missing),
      retryAfter: isAllowed ? 0 : max(RateLimiter.seconds(missing + interval - capacity), 1),
      burst: burst, window: window)
  }

  /// How many clients are remembered.
  var count: Int { state.withLock { $0.fullAt.count } }

  /// Of microseconds, rounded up.
  private static func seconds(_ microseconds: Int64) -> Int {
    Int((microseconds + 999_999) / 1_000_000)
  }
}

extension RateLimiter.Standing {
  /// The lines that tell a client of it
  /// (https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/).
  func write(to head: ByteBuffer) {
    head.append("RateLimit-Policy: \"address\";q=")
    head.append(decimal: burst)
    head.append(";w=")
    head.append(decimal: window)
    head.append("\r\nRateLimit: \"address\";r=")
    head.append(decimal: remaining)
    head.append(";t=")
    head.append(decimal: fullIn)
    head.append("\r\n")
  }
}
