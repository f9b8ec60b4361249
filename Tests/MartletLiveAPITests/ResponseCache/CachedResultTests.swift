import MartletJSON
import MartletLiveQueries
import MartletStore
import MartletTime
import TestSupport
import Testing

@testable import MartletLiveAPI

@Suite("A cached result and the clock") struct CachedResultTests {
  @Test("What the clock changes holds from when it was read until right before then")
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
    // A clock that was set back shows an earlier day.
    time.now = Instant(milliseconds: 999_999)
    #expect(!result.holds(time.clock))
  }
}
