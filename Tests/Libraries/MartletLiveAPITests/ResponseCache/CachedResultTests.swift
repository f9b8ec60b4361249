import MartletJSON
import MartletLiveQueries
import MartletStore
import MartletTime
import TestSupport
import Testing

@testable import MartletLiveAPI

@Suite("Cached results and the clock") struct CachedResultTests {
  @Test("A result is valid from its read until the instant at which the clock changes it")
  func clock() throws {
    let folder = try TemporaryFolder()
    let database = try EmbeddedDatabase(path: folder.file("db"))
    let invalidation = database.invalidation
    let token = invalidation.register(Dependencies(), since: invalidation.commit)
    let now = Instant(seconds: 1_000)
    let result = CachedResult(SharedBytes([]), token, made: now, end: Instant(seconds: 2_000))
    let time = TestClock(now)
    #expect(result.holds(time.clock))
    time.now = Instant(milliseconds: 1_999_999)
    #expect(result.holds(time.clock))
    time.now = Instant(seconds: 2_000)
    #expect(!result.holds(time.clock))
    // A clock that was set back may show an earlier day.
    time.now = Instant(milliseconds: 999_999)
    #expect(!result.holds(time.clock))
  }
}
