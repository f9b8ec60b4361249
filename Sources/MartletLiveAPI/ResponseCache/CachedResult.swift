import MartletJSON
import MartletLiveQueries
import MartletTime

/// A result that holds until a commit or the clock changes it.
final class CachedResult {
  let body: SharedBytes
  private let token: InvalidationToken
  private let made: Instant
  /// The clock changes it then.
  private let end: Instant?

  init(_ body: SharedBytes, _ token: InvalidationToken, made: Instant, end: Instant?) {
    self.body = body
    self.token = token
    self.made = made
    self.end = end
  }

  /// Whether it is what a read would give now. `clock` is asked where that matters.
  func holds(_ clock: Clock) -> Bool {
    guard !token.isStale else { return false }
    guard let end else { return true }
    let now = clock.now()
    // A clock that was set back shows an earlier day.
    return made <= now && now < end
  }
}
