import MartletJSON
import Synchronization

/// How much each client may do: a bucket of tokens for each, which fills at a steady rate.
///
/// A bucket is one number, the time at which it is full again (the generic cell rate algorithm); one that
/// is full needs none. So there are never more than the requests of the time in which a bucket fills.
package final class RateLimiter<Client: Hashable & Sendable>: Sendable {
  private struct State {
    /// In microseconds of the monotonic clock.
    var fullAt: [Client: Int64] = [:]
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
  package init?(perMinute: Int, burst: Int) {
    guard perMinute > 0 else { return nil }
    interval = max(60_000_000 / Int64(perMinute), 1)
    self.burst = max(burst, 1)
    capacity = Int64(self.burst) * interval
    window = max(RateStanding.seconds(capacity), 1)
  }

  /// Takes a token of `client`, if there is one. `now` is in milliseconds.
  package func take(_ client: Client, at now: Int64) -> RateStanding {
    let now = now * 1000
    let (isAllowed, missing) = state.withLock { state in
      let fullAt = max(state.fullAt[client] ?? now, now)
      guard fullAt + interval - now <= capacity else { return (false, fullAt - now) }
      state.fullAt[client] = fullAt + interval
      if state.fullAt.count > state.crowd {
        state.fullAt = state.fullAt.filter { $0.value > now }
        state.crowd = max(1024, 2 * state.fullAt.count)
      }
      return (true, fullAt + interval - now)
    }
    return RateStanding(
      isAllowed: isAllowed, remaining: Int(max(capacity - missing, 0) / interval),
      fullIn: RateStanding.seconds(missing),
      retryAfter: isAllowed ? 0 : max(RateStanding.seconds(missing + interval - capacity), 1),
      burst: burst, window: window)
  }

  /// Gives back a token that was taken.
  package func giveBack(_ client: Client) {
    state.withLock { $0.fullAt[client]? -= interval }
  }

  /// How many clients are remembered.
  var count: Int { state.withLock { $0.fullAt.count } }
}

/// Where a client stands after it took a token.
package struct RateStanding: Equatable, Sendable {
  package var isAllowed: Bool
  /// Tokens that are left.
  package var remaining: Int
  /// Seconds until the bucket is full.
  package var fullIn: Int
  /// Seconds until there is the next one.
  package var retryAfter: Int
  /// What a full bucket holds, and the seconds in which it fills.
  package var burst: Int
  package var window: Int

  /// Of microseconds, rounded up.
  fileprivate static func seconds(_ microseconds: Int64) -> Int {
    Int((microseconds + 999_999) / 1_000_000)
  }

  /// The lines that tell a client of it
  /// (https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/). `policy` names the limit.
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

  /// The same as fields.
  package func fields(_ policy: StaticString) -> Fields {
    let lines = ByteBuffer(capacity: 128)
    write(policy, to: lines)
    return Fields(lines: Array(lines.bytes))
  }
}
