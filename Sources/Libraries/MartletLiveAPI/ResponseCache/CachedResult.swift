import MartletJSON
import MartletLiveQueries
import MartletTime

/// A result that is valid until a commit or the clock changes it.
final class CachedResult {
  let body: SharedBytes
  private let token: InvalidationToken
  private let made: Instant
  /// When the clock changes the result.
  private let end: Instant?

  init(_ body: SharedBytes, _ token: InvalidationToken, made: Instant, end: Instant?) {
    self.body = body
    self.token = token
    self.made = made
    self.end = end
  }

  /// Whether a read would return the same result now. Reads `clock` only if the result depends on
  /// the time.
  func holds(_ clock: Clock) -> Bool {
    guard !token.isStale else { return false }
    guard let end else { return true }
    let now = clock.now()
    // A clock that was set back may show an earlier day.
    return made <= now && now < end
  }
}
