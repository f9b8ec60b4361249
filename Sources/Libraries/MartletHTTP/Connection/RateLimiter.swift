import MartletJSON
import Synchronization

/// A rate limit: a token bucket for each client, which fills at a steady rate.
///
/// A bucket is one number, the time at which it is full again (the generic cell rate algorithm). A
/// full bucket need not be stored: when there are more than `sweepThreshold` buckets, the full ones
/// are removed.
package final class RateLimiter<Client: Hashable & Sendable>: Sendable {
  private struct State {
    /// The time at which each bucket is full, in microseconds of the monotonic clock.
    var fullAt: [Client: Int64] = [:]
    /// The number of buckets at which full ones are removed.
    var sweepThreshold = 1024
  }

  private let state = Mutex(State())
  /// The microseconds between two tokens.
  private let interval: Int64
  private let burst: Int
  /// The microseconds in which an empty bucket fills.
  private let capacity: Int64
  private let window: Int

  /// `nil` if there is no limit, that is, if `perMinute` is 0 or less.
  package init?(perMinute: Int, burst: Int) {
    guard perMinute > 0 else { return nil }
    interval = max(60_000_000 / Int64(perMinute), 1)
    self.burst = max(burst, 1)
    capacity = Int64(self.burst) * interval
    window = max(RateLimitStatus.seconds(capacity), 1)
  }

  /// Takes a token from the client's bucket unless the bucket is empty. `now` is in milliseconds.
  package func take(_ client: Client, at now: Int64) -> RateLimitStatus {
    let now = now * 1000
    let (isAllowed, missing) = state.withLock { state in
      let fullAt = max(state.fullAt[client] ?? now, now)
      guard fullAt + interval - now <= capacity else { return (false, fullAt - now) }
      state.fullAt[client] = fullAt + interval
      if state.fullAt.count > state.sweepThreshold {
        state.fullAt = state.fullAt.filter { $0.value > now }
        state.sweepThreshold = max(1024, 2 * state.fullAt.count)
      }
      return (true, fullAt + interval - now)
    }
    return RateLimitStatus(
      isAllowed: isAllowed, remaining: Int(max(capacity - missing, 0) / interval),
      fullIn: RateLimitStatus.seconds(missing),
      retryAfter: isAllowed ? 0 : max(RateLimitStatus.seconds(missing + interval - capacity), 1),
      burst: burst, window: window)
  }

  /// Returns a token to the client's bucket.
  package func giveBack(_ client: Client) {
    state.withLock { $0.fullAt[client]? -= interval }
  }

  /// The number of stored buckets.
  var count: Int { state.withLock { $0.fullAt.count } }
}

/// The state of a client's bucket after a request.
package struct RateLimitStatus: Equatable, Sendable {
  /// Whether the request got a token.
  package var isAllowed: Bool
  /// The number of tokens left.
  package var remaining: Int
  /// The seconds until the bucket is full.
  package var fullIn: Int
  /// The seconds until the next token. 0 if the request was allowed.
  package var retryAfter: Int
  /// The capacity of the bucket.
  package var burst: Int
  /// The seconds in which an empty bucket fills.
  package var window: Int

  /// Converts microseconds to seconds, rounded up.
  fileprivate static func seconds(_ microseconds: Int64) -> Int {
    Int((microseconds + 999_999) / 1_000_000)
  }

  /// Appends the `RateLimit` and `RateLimit-Policy` fields. `policy` names the limit.
  ///
  /// See https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/.
  package func write(_ policy: StaticString, to head: ByteBuffer) {
    head.append("RateLimit-Policy: \"")
    head.append(policy)
    head.append("\";q=")
    head.append(decimal: burst)
    head.append(";w=")
    head.append(decimal: window)
    head.append("\r\nRateLimit: \"")
    head.append(policy)
    head.append("\";r=")
    head.append(decimal: remaining)
    head.append(";t=")
    head.append(decimal: fullIn)
    head.append("\r\n")
  }

  /// The same lines as fields.
  package func fields(_ policy: StaticString) -> Fields {
    let lines = ByteBuffer(capacity: 128)
    write(policy, to: lines)
    return Fields(lines: Array(lines.bytes))
  }
}
