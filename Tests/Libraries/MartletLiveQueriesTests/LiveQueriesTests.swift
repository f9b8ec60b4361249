import Dispatch
import MartletJSON
import MartletSQLite
import MartletStore
import Synchronization
import TestSupport
import Testing

@testable import MartletLiveQueries

/// Collects the states of a subscriber.
private final class Inbox: Sendable {
  private let states = Mutex<[LiveState]>([])
  private let arrived = DispatchSemaphore(value: 0)

  func put(_ state: LiveState) {
    states.withLock { $0.append(state) }
    arrived.signal()
  }

  /// The next state. Fails the test if none arrives in time.
  func next() throws -> LiveState {
    try #require(arrived.wait(timeout: .now() + Deadline.hang) == .success, "no state came")
    return states.withLock { $0.removeFirst() }
  }

  func text() throws -> String {
    switch try next().outcome {
    case .result(let result): result.body.string
    case .absent: "absent"
    case .failed(let error): "failed: \(error)"
    }
  }

  var isEmpty: Bool { states.withLock { $0.isEmpty } }
}

@Suite("Live queries on a real database")
struct LiveQueriesTests {
  private let folder: TemporaryFolder
  private let database: EmbeddedDatabase
  private let live: LiveQueries
  private let runs = RunCounter()

  private final class RunCounter: Sendable {
    private let count = Atomic<Int>(0)
    func add() { count.add(1, ordering: .relaxed) }
    var value: Int { count.load(ordering: .relaxed) }
  }

  init() throws {
    folder = try TemporaryFolder()
    database = try EmbeddedDatabase(
      path: folder.file("test.db"), prepare: { LiveQueries.prepare($0) })
    try database.write { db in
      try db.execute(
        """
        CREATE TABLE numbers (id INTEGER PRIMARY KEY, value INTEGER NOT NULL) STRICT;
        CREATE TABLE others (id INTEGER PRIMARY KEY) STRICT;
        CREATE VIRTUAL TABLE texts USING fts5 (body);
        """)
    }
    live = LiveQueries(database)
  }

  private func sum(_ key: String = "sum") -> LiveSource {
    LiveSource(key: key) { [runs] db, body in
      runs.add()
      let sum = try db.value("SELECT coalesce(sum(value), 0) FROM numbers")?.integer ?? 0
      body.append(decimal: Int(sum))
      return true
    }
  }
  private func add(_ value: Int) throws {
    try database.write {
      try $0.run("INSERT INTO numbers (value) VALUES (?)", .integer(Int64(value)))
    }
  }
  /// Returns when the refresher has handled every commit so far.
  private func settle() throws {
    let inbox = Inbox()
    let subscription = live.subscribe(
      LiveSource(key: "settle") { _, body in
        body.append("0")
        return true
      }, inbox.put)
    _ = try inbox.next()
    subscription.cancel()
  }

  @Test("A subscriber receives the current result, and a new one after each commit that changes it")
  func follows() throws {
    let inbox = Inbox()
    let subscription = live.subscribe(sum(), inbox.put)
    #expect(try inbox.text() == "0")
    try add(5)
    #expect(try inbox.text() == "5")
    try add(2)
    #expect(try inbox.text() == "7")
    subscription.cancel()
    #expect(live.count == 0)
  }

  @Test("A commit to another table does not run the query; an unchanged result is not delivered")
  func precise() throws {
    let inbox = Inbox()
    let subscription = live.subscribe(sum(), inbox.put)
    _ = try inbox.next()
    let before = runs.value
    try database.write { try $0.run("INSERT INTO others DEFAULT VALUES") }
    try settle()
    #expect(runs.value == before)
    try add(0)
    try settle()
    #expect(runs.value == before + 1)
    #expect(inbox.isEmpty)
    withExtendedLifetime(subscription) {}
  }

  @Test("A rollback runs no query (item 78)")
  func rollback() throws {
    struct Failure: Error {}
    let inbox = Inbox()
    let subscription = live.subscribe(sum(), inbox.put)
    _ = try inbox.next()
    let before = runs.value
    #expect(throws: Failure.self) {
      try database.write { db in
        try db.run("INSERT INTO numbers (value) VALUES (1)")
        throw Failure()
      }
    }
    try settle()
    #expect(runs.value == before)
    withExtendedLifetime(subscription) {}
  }

  @Test("Changes of a full-text table are detected through its shadow tables")
  func fullText() throws {
    let inbox = Inbox()
    let subscription = live.subscribe(
      LiveSource(key: "match") { db, body in
        let count = try db.value("SELECT count(*) FROM texts WHERE texts MATCH 'swift'")
        body.append(decimal: Int(count?.integer ?? 0))
        return true
      }, inbox.put)
    #expect(try inbox.text() == "0")
    try database.write { try $0.run("INSERT INTO texts (body) VALUES ('a swift')") }
    #expect(try inbox.text() == "1")
    withExtendedLifetime(subscription) {}
  }

  @Test("Equal queries run once for any number of subscribers")
  func shared() throws {
    let inboxes = (0..<50).map { _ in Inbox() }
    let subscriptions = inboxes.map { live.subscribe(sum(), $0.put) }
    for inbox in inboxes { _ = try inbox.next() }
    try settle()
    // A subscription during a run has made it run again, for all subscribers.
    for inbox in inboxes { while !inbox.isEmpty { _ = try inbox.next() } }
    let before = runs.value
    try add(9)
    for inbox in inboxes { #expect(try inbox.text() == "9") }
    #expect(runs.value == before + 1)
    #expect(live.count == 1)
    withExtendedLifetime(subscriptions) {}
  }

  @Test("A commit by another program is detected")
  func foreign() throws {
    let inbox = Inbox()
    let subscription = live.subscribe(sum(), inbox.put)
    _ = try inbox.next()
    let other = try Connection(location: .file(folder.file("test.db")))
    try other.execute("INSERT INTO numbers (value) VALUES (4)")
    var text = try inbox.text()
    while text != "4" { text = try inbox.text() }
    withExtendedLifetime(subscription) {}
  }

  @Test("With counters, a commit by another program runs only the queries that it may have changed")
  func followed() throws {
    try database.write { try SchemaPart.counters(of: ["numbers", "others"]).install(in: $0) }
    let inbox = Inbox()
    let subscription = live.subscribe(sum(), inbox.put)
    _ = try inbox.next()
    let before = runs.value
    let other = try Connection(location: .file(folder.file("test.db")))
    func commit(_ sql: String) throws {
      try other.execute(sql)
      try database.write { _ in }
      try settle()
    }
    try commit("INSERT INTO others DEFAULT VALUES")
    try commit("BEGIN; INSERT INTO numbers (value) VALUES (4); ROLLBACK")
    #expect(runs.value == before && inbox.isEmpty)
    // The second one is not delayed, as one that may have changed everything would be.
    try commit("INSERT INTO numbers (value) VALUES (4)")
    #expect(try inbox.text() == "4")
    try commit("INSERT INTO numbers (value) VALUES (5)")
    #expect(try inbox.text() == "9")
    #expect(runs.value == before + 2)
    withExtendedLifetime(subscription) {}
  }

  @Test("A failing query delivers its error and recovers with the next commit")
  func failure() throws {
    struct Failure: Error {}
    let inbox = Inbox()
    let subscription = live.subscribe(
      LiveSource(key: "fails on 13") { db, body in
        let sum = try db.value("SELECT coalesce(sum(value), 0) FROM numbers")?.integer ?? 0
        if sum == 13 { throw Failure() }
        body.append(decimal: Int(sum))
        return true
      }, inbox.put)
    #expect(try inbox.text() == "0")
    try add(13)
    #expect(try inbox.text().hasPrefix("failed"))
    try add(1)
    #expect(try inbox.text() == "14")
    withExtendedLifetime(subscription) {}
  }

  @Test("A subscription made after a write was answered sees the write")
  func readsOwnWrites() throws {
    for number in 1...50 {
      try add(1)
      let inbox = Inbox()
      let subscription = live.subscribe(sum("same"), inbox.put)
      let fresh = subscription.firstFreshRun
      var state = try inbox.next()
      while state.run < fresh { state = try inbox.next() }
      guard case .result(let result) = state.outcome else {
        Issue.record("no result")
        return
      }
      #expect(result.body.string == "\(number)")
    }
  }

  @Test("Under concurrent commits, every subscriber ends with the last state and none goes back")
  func lastStateArrives() throws {
    let inbox = Inbox()
    let subscription = live.subscribe(sum(), inbox.put)
    DispatchQueue.concurrentPerform(iterations: 200) { _ in try? add(1) }
    var last = -1
    while last < 200 {
      let value = try #require(Int(try inbox.text()))
      // A subscriber that joined during a run may receive the same state twice.
      #expect(value >= last)
      last = value
    }
    #expect(last == 200)
    withExtendedLifetime(subscription) {}
  }
}
