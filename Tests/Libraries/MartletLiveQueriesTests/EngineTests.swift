import Dispatch
import MartletSQLite
import MartletStore
import Synchronization
import TestSupport
import Testing

@testable import MartletLiveQueries

@Suite("Live queries on a database that delays and fails", .timeLimit(.minutes(10)))
struct LiveEngineTests {
  /// Collects the states of a query, and waits for one of them.
  private final class States: Sendable {
    let texts = Mutex<[String]>([])
    let changed = DispatchSemaphore(value: 0)

    func add(_ state: LiveState) {
      let text =
        switch state.outcome {
        case .result(let result): String(decoding: result.body.bytes, as: UTF8.self)
        case .absent: "absent"
        case .failed: "failed"
        }
      texts.withLock { $0.append(text) }
      changed.signal()
    }

    func wait(for text: String) {
      while texts.withLock(\.last) != text { changed.wait() }
    }
  }

  @Test("States are delivered in order, and a refused read is tried again after the next commit")
  func followed() throws {
    let folder = try TemporaryFolder()
    let database = DelayingDatabase(
      try EmbeddedDatabase(path: folder.file("db"), prepare: { LiveQueries.prepare($0) }))
    try database.write { try $0.execute("CREATE TABLE t(a)") }
    let live = LiveQueries(database)
    let states = States()
    let source = LiveSource(key: "count") { db, body in
      body.append(decimal: Int(try db.value("SELECT count(*) FROM t")?.integer ?? -1))
      return true
    }
    let subscription = live.subscribe(source) { states.add($0) }
    states.wait(for: "0")
    for count in 1...20 {
      try database.write { try $0.run("INSERT INTO t VALUES (1)") }
      if count % 5 == 0 { states.wait(for: "\(count)") }
    }
    let counts = states.texts.withLock { $0.compactMap(Int.init) }
    #expect(counts == counts.sorted())
    database.fail { $0.reads = [.overloaded(waiting: 1)] }
    try database.write { try $0.run("INSERT INTO t VALUES (1)") }
    states.wait(for: "failed")
    try database.write { try $0.run("INSERT INTO t VALUES (1)") }
    states.wait(for: "22")
    subscription.cancel()
  }

  @Test("A read from before a commit is stale when the commit is answered")
  func invalidated() throws {
    let folder = try TemporaryFolder()
    let database = DelayingDatabase(try EmbeddedDatabase(path: folder.file("db")))
    try database.write { try $0.execute("CREATE TABLE t(a)") }
    let invalidation = database.invalidation
    for _ in 0..<20 {
      let commit = invalidation.commit
      let dependencies = try database.read { db in
        try invalidation.read(db) { _ = try db.value("SELECT count(*) FROM t") }.dependencies
      }
      let token = invalidation.register(dependencies, since: commit)
      #expect(!token.isStale)
      try database.write { try $0.run("INSERT INTO t VALUES (1)") }
      #expect(token.isStale)
    }
  }
}
