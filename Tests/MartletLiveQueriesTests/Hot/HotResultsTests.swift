import MartletJSON
import MartletSQLite
import MartletStore
import MartletTime
import TestSupport
import Testing

@testable import MartletLiveQueries

@Suite("Results that are kept, and commits that came while they were read")
struct HotResultsTests {
  private let folder: TemporaryFolder
  private let database: EmbeddedDatabase
  private let results: HotResults
  private let source = LiveSource(key: "all") { db, body in
    body.append(utf8: "\(try db.value("SELECT count(*) FROM t")?.integer ?? -1)")
    return true
  }

  init() throws {
    folder = try TemporaryFolder()
    database = try EmbeddedDatabase(
      path: folder.file("db"), prepare: { LiveQueries.prepare($0) })
    try database.write { try $0.execute("CREATE TABLE t(a); CREATE TABLE other(a)") }
    results = HotResults(database)
  }

  /// Reads, lets `body` commit what it wants, and tries to keep what was read before.
  private func keep(_ body: () throws -> Void) throws -> HotResult? {
    let moment = results.moment
    let buffer = ByteBuffer()
    let reading = try #require(
      try database.read { try results.read(source, $0, into: buffer) })
    try body()
    return results.keep(buffer.share(), reading, since: moment, now: .epoch)
  }

  @Test("What the clock changes holds from when it was read until right before then")
  func clock() throws {
    var source = source
    source.nextChange = { _ in Instant(seconds: 2_000) }
    let moment = results.moment
    let buffer = ByteBuffer()
    let reading = try #require(
      try database.read { try results.read(source, $0, into: buffer) })
    let now = Instant(seconds: 1_000)
    let kept = try #require(results.keep(buffer.share(), reading, since: moment, now: now))
    let time = TestClock(now)
    #expect(kept.holds(time.clock))
    time.now = Instant(milliseconds: 1_999_999)
    #expect(kept.holds(time.clock))
    time.now = Instant(seconds: 2_000)
    #expect(!kept.holds(time.clock))
    // A clock that was set back shows an earlier day.
    time.now = Instant(milliseconds: 999_999)
    #expect(!kept.holds(time.clock))
  }

  private func insert(_ table: String, _ count: Int = 1) throws {
    try database.write { db in
      for _ in 0..<count { try db.run("INSERT INTO \(table) VALUES (1)") }
    }
  }

  @Test("What was read before a commit that touches it is not kept, however large that is")
  func touched() throws {
    #expect(try keep {} != nil)
    for count in [1, 99, 100, 5_000] {
      #expect(try keep { try insert("t", count) } == nil, "\(count) rows")
    }
  }

  @Test("A few commits elsewhere do not matter; more than are remembered do")
  func others() throws {
    #expect(try keep { for _ in 0..<16 { try insert("other") } } != nil)
    #expect(try keep { for _ in 0..<17 { try insert("other") } } == nil)
    // One that touches it, behind more than are remembered.
    #expect(
      try keep {
        try insert("t")
        for _ in 0..<16 { try insert("other") }
      } == nil)
  }
}
