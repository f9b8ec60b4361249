import Dispatch
import Glibc
import MartletStore
import Synchronization
import TestSupport
import Testing

@testable import MartletLiveQueries

@Suite("Slow queries do not delay quick ones", .timeLimit(.minutes(10)))
struct SlowQueriesTests {
  @Test("A quick query receives results while a slow one runs")
  func lanes() throws {
    let folder = try TemporaryFolder()
    let database = try EmbeddedDatabase(path: folder.file("db"))
    try database.write { try $0.execute("CREATE TABLE t(a); INSERT INTO t VALUES (0)") }
    let live = LiveQueries(database)
    let isHeld = DispatchSemaphore(value: 0)
    let releaseSnapshot = DispatchSemaphore(value: 0)
    let runs = Atomic(0)
    let slow = LiveSource(key: "slow") { db, body in
      body.append(utf8: "\(try db.value("SELECT max(a) FROM t")?.integer ?? 0)")
      // The first run determines the cost; the second one is blocked.
      if runs.add(1, ordering: .relaxed).newValue == 1 {
        usleep(80_000)
      } else if runs.load(ordering: .relaxed) == 2 {
        isHeld.signal()
        releaseSnapshot.wait()
      }
      return true
    }
    let quick = LiveSource(key: "quick") { db, body in
      body.append(utf8: "\(try db.value("SELECT max(a) FROM t")?.integer ?? 0)")
      return true
    }
    let slowStates = States()
    let quickStates = States()
    let first = live.subscribe(slow) { slowStates.add($0) }
    slowStates.wait(for: "0")
    let second = live.subscribe(quick) { quickStates.add($0) }
    quickStates.wait(for: "0")
    try database.write { try $0.run("INSERT INTO t VALUES (1)") }
    isHeld.wait()
    for number in 2...20 {
      try database.write { try $0.run("INSERT INTO t VALUES (?)", .integer(Int64(number))) }
      quickStates.wait(for: "\(number)")
    }
    #expect(slowStates.last == "0")
    releaseSnapshot.signal()
    // The commit during its run makes it run again.
    slowStates.wait(for: "20")
    withExtendedLifetime((first, second)) {}
  }

  /// A query that takes about 0.3 s in SQLite.
  private func expensive(_ number: Int, client: Int = 1, isSlow: Bool = false) -> LiveSource {
    var source = LiveSource(key: "expensive \(number)") { db, body in
      let count = try db.value(
        """
        WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 600000) \
        SELECT count(*) + (SELECT max(a) FROM t) FROM n
        """)
      body.append(utf8: "\(count?.integer ?? 0)")
      return true
    }
    source.client = client
    source.isSlow = isSlow
    return source
  }

  @Test(
    "New slow queries do not delay quick ones, whether marked as slow or not",
    arguments: [true, false])
  func newcomers(isSlow: Bool) throws {
    let folder = try TemporaryFolder()
    let database = try EmbeddedDatabase(path: folder.file("db"))
    try database.write { try $0.execute("CREATE TABLE t(a); INSERT INTO t VALUES (0)") }
    let live = LiveQueries(database)
    let quick = LiveSource(key: "quick") { db, body in
      body.append(utf8: "\(try db.value("SELECT max(a) FROM t")?.integer ?? 0)")
      return true
    }
    let quickStates = States()
    let done = Atomic(0)
    let first = live.subscribe(quick) { quickStates.add($0) }
    quickStates.wait(for: "0")
    var others: [Subscription] = []
    for number in 0..<30 {
      others.append(
        live.subscribe(expensive(number, isSlow: isSlow)) { _ in done.add(1, ordering: .relaxed) })
    }
    for number in 1...5 {
      try database.write { try $0.run("INSERT INTO t VALUES (?)", .integer(Int64(number))) }
      quickStates.wait(for: "\(number)")
    }
    // A new quick query of another client runs as well.
    var another = LiveSource(key: "another", write: quick.write)
    another.client = 2
    let anotherStates = States()
    let second = live.subscribe(another) { anotherStates.add($0) }
    anotherStates.wait(for: "5")
    #expect(done.load(ordering: .relaxed) < 25)
    withExtendedLifetime((first, second, others)) {}
  }

  @Test("A new query that turns out to be slow is interrupted and runs again in the slow lane")
  func interrupted() throws {
    let folder = try TemporaryFolder()
    let database = try EmbeddedDatabase(path: folder.file("db"))
    try database.write { try $0.execute("CREATE TABLE t(a); INSERT INTO t VALUES (0)") }
    let live = LiveQueries(database)
    let runs = Atomic(0)
    let work = expensive(0).write
    let source = LiveSource(key: "expensive") { db, body in
      runs.add(1, ordering: .relaxed)
      return try work(db, body)
    }
    let states = States()
    let subscription = live.subscribe(source) { states.add($0) }
    states.wait(for: "600000")
    #expect(runs.load(ordering: .relaxed) == 2)
    withExtendedLifetime(subscription) {}
  }

  @Test("Slow queries run in turns of their clients")
  func turns() throws {
    let folder = try TemporaryFolder()
    let database = try EmbeddedDatabase(path: folder.file("db"))
    try database.write { try $0.execute("CREATE TABLE t(a); INSERT INTO t VALUES (0)") }
    let live = LiveQueries(database)
    let order = Mutex<[Int]>([])
    let news = DispatchSemaphore(value: 0)
    var subscriptions: [Subscription] = []
    for (number, client) in [1, 1, 1, 1, 1, 2].enumerated() {
      let source = expensive(number, client: client, isSlow: true)
      subscriptions.append(
        live.subscribe(source) { _ in
          order.withLock { $0.append(client) }
          news.signal()
        })
    }
    for _ in 0..<6 { news.wait() }
    #expect(order.withLock { $0.prefix(3).contains(2) })
    withExtendedLifetime(subscriptions) {}
  }

  @Test("Results have a memory limit per client and in total")
  func memory() throws {
    let folder = try TemporaryFolder()
    let database = try EmbeddedDatabase(path: folder.file("db"))
    try database.write { try $0.execute("CREATE TABLE t(a); INSERT INTO t VALUES (400)") }
    var limits = LiveLimits()
    limits.bytes = 2_500
    limits.bytesPerClient = 1_000
    let live = LiveQueries(database, limits: limits)
    func source(_ number: Int, _ client: Int) -> LiveSource {
      var source = LiveSource(key: "\(number)") { db, body in
        let size = try db.value("SELECT max(a) FROM t")?.integer ?? 0
        body.append(utf8: String(repeating: "x", count: Int(size)))
        return true
      }
      source.client = client
      return source
    }
    func follow(_ number: Int, _ client: Int) -> (Subscription, States) {
      let states = States()
      return (live.subscribe(source(number, client)) { states.add($0) }, states)
    }
    var held: [(Subscription, States)] = []
    var sizes: [Int] = []
    for (number, client) in [1, 1, 1, 2, 2, 3, 3].enumerated() {
      held.append(follow(number, client))
      sizes.append(held[number].1.next())
    }
    // The third result exceeds the limit of its client, the last one the total limit.
    #expect(sizes == [400, 400, -1, 400, 400, 400, 400])
    held.append(follow(7, 4))
    #expect(held[7].1.next() == -1)
    // A query that ends frees its memory; a refused one gets it after the next commit.
    held[0].0.cancel()
    held[7].0.cancel()
    try database.write { try $0.run("UPDATE t SET a = 401") }
    while held[2].1.next() != 401 {}
    withExtendedLifetime(held) {}
  }

  @Test("Charging a query to another client frees the memory of the first client")
  func charged() throws {
    let folder = try TemporaryFolder()
    let database = try EmbeddedDatabase(path: folder.file("db"))
    var limits = LiveLimits()
    limits.bytesPerClient = 1_000
    let live = LiveQueries(database, limits: limits)
    func follow(_ key: String, of client: Int) -> (subscription: Subscription, states: States) {
      var source = LiveSource(key: key) { _, body in
        body.append(utf8: String(repeating: "x", count: 600))
        return true
      }
      source.client = client
      let states = States()
      return (live.subscribe(source) { states.add($0) }, states)
    }
    func firstSize(_ key: String, of client: Int) -> Int {
      let (subscription, states) = follow(key, of: client)
      return withExtendedLifetime(subscription) { states.next() }
    }
    let shared = follow("shared", of: 1)
    #expect(shared.states.next() == 600)
    #expect(firstSize("refused", of: 1) == -1)
    shared.subscription.charge(to: 2)
    shared.subscription.charge(to: 2)
    let own = follow("own", of: 1)
    #expect(own.states.next() == 600)
    // The other client is charged now, until the query ends.
    #expect(firstSize("of the other", of: 2) == -1)
    shared.subscription.cancel()
    #expect(firstSize("of the other", of: 2) == 600)
    withExtendedLifetime((shared, own)) {}
  }

  @Test("A result that outgrows the limit frees the memory that it used")
  func outgrown() throws {
    let folder = try TemporaryFolder()
    let database = try EmbeddedDatabase(path: folder.file("db"))
    try database.write { try $0.execute("CREATE TABLE t(a); INSERT INTO t VALUES (400)") }
    var limits = LiveLimits()
    limits.bytes = 1_000
    let live = LiveQueries(database, limits: limits)
    let growing = LiveSource(key: "growing") { db, body in
      let size = try db.value("SELECT a FROM t")?.integer ?? 0
      body.append(utf8: String(repeating: "x", count: Int(size)))
      return true
    }
    let states = States()
    let first = live.subscribe(growing) { states.add($0) }
    #expect(states.next() == 400)
    try database.write { try $0.run("UPDATE t SET a = 1001") }
    #expect(states.next() == -1)
    let large = LiveSource(key: "large") { _, body in
      body.append(utf8: String(repeating: "x", count: 1_000))
      return true
    }
    let others = States()
    let second = live.subscribe(large) { others.add($0) }
    #expect(others.next() == 1_000)
    withExtendedLifetime((first, second)) {}
  }

  @Test("A batch of many queries ends at its time limit and delivers the finished results")
  func turnsEnd() throws {
    let folder = try TemporaryFolder()
    let database = try EmbeddedDatabase(path: folder.file("db"))
    try database.write { try $0.execute("CREATE TABLE t(a); INSERT INTO t VALUES (0)") }
    let turns = Mutex<[Int]>([])
    let live = LiveQueries(database) { event in
      if case .refreshed(let count, _, _) = event { turns.withLock { $0.append(count) } }
    }
    let takesTime = Atomic(false)
    var held: [(Subscription, States)] = []
    for number in 0..<12 {
      let source = LiveSource(key: "\(number)") { db, body in
        body.append(utf8: "\(try db.value("SELECT max(a) FROM t")?.integer ?? 0)")
        if takesTime.load(ordering: .relaxed) { usleep(20_000) }
        return true
      }
      let states = States()
      held.append((live.subscribe(source) { states.add($0) }, states))
    }
    for (_, states) in held { states.wait(for: "0") }
    takesTime.store(true, ordering: .relaxed)
    turns.withLock { $0 = [] }
    try database.write { try $0.run("INSERT INTO t VALUES (1)") }
    for (_, states) in held { states.wait(for: "1") }
    // Their higher cost was not known, so they began as one batch.
    #expect(turns.withLock { $0.count > 1 && $0.allSatisfy { $0 < 12 } })
    withExtendedLifetime(held) {}
  }

  @Test("A commit during the first run of a query is delivered")
  func commitDuringFirstRun() throws {
    let folder = try TemporaryFolder()
    let database = try EmbeddedDatabase(path: folder.file("db"))
    try database.write { try $0.execute("CREATE TABLE t(a); INSERT INTO t VALUES (0)") }
    let live = LiveQueries(database)
    let runs = Atomic(0)
    let source = LiveSource(key: "first") { db, body in
      body.append(utf8: "\(try db.value("SELECT max(a) FROM t")?.integer ?? 0)")
      if runs.add(1, ordering: .relaxed).newValue == 1 {
        try database.write { try $0.run("INSERT INTO t VALUES (1)") }
      }
      return true
    }
    let states = States()
    let subscription = live.subscribe(source) { states.add($0) }
    states.wait(for: "1")
    withExtendedLifetime(subscription) {}
  }

  /// Collects the results of a query as text.
  private final class States: Sendable {
    private let texts = Mutex<[String]>([])
    private let news = DispatchSemaphore(value: 0)

    var last: String? { texts.withLock { $0.last } }

    private let sizes = Mutex<[Int]>([])
    private let counted = DispatchSemaphore(value: 0)

    /// The size of the next state's result; -1 if it exceeded a memory limit.
    func next() -> Int {
      counted.wait()
      return sizes.withLock { $0.removeFirst() }
    }

    func add(_ state: LiveState) {
      let size =
        switch state.outcome {
        case .result(let result): result.body.count
        case .failed(LiveQueryError.tooLargeTogether): -1
        default: -2
        }
      sizes.withLock { $0.append(size) }
      counted.signal()
      guard case .result(let result) = state.outcome else { return }
      texts.withLock { $0.append(String(decoding: result.body.bytes, as: UTF8.self)) }
      news.signal()
    }

    func wait(for text: String) {
      while last != text { news.wait() }
    }
  }
}

@Suite("Commits of other programs refresh everything at most four times a second")
struct ThrottleTests {
  @Test("The first call runs at once, and later calls together once", .timeLimit(.minutes(10)))
  func pace() async {
    let pace = Throttle(milliseconds: 50)
    let calls = Atomic(0)
    #expect(pace.begin { calls.add(1, ordering: .relaxed) })
    let clock = ContinuousClock()
    let start = clock.now
    await withCheckedContinuation { done in
      #expect(!pace.begin { done.resume() })
      for _ in 0..<100 { #expect(!pace.begin { calls.add(1, ordering: .relaxed) }) }
    }
    #expect(clock.now - start > .milliseconds(20))
    #expect(calls.load(ordering: .relaxed) == 0)
  }
}
