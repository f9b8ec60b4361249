import Dispatch
import Foundation
import MartletSQLite
import Synchronization
import TestSupport
import Testing

@testable import MartletStore

@Suite(.timeLimit(.minutes(10))) struct ReaderTests {
  static let endless =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

  let file: TemporaryFile

  init() throws {
    file = try TemporaryFile()
    try Connection(location: .file(file.path)).execute(
      "PRAGMA journal_mode = WAL; CREATE TABLE t(a); INSERT INTO t VALUES (1)")
  }

  private func database(
    keeping: Bool = false, _ change: (inout Configuration) -> Void = { _ in }
  ) throws -> EmbeddedDatabase {
    var settings = Configuration()
    settings.loopReaders = 2
    settings.loopsKeepSnapshots = keeping
    change(&settings)
    return try EmbeddedDatabase(path: file.path, configuration: settings)
  }

  @Test(arguments: [false, true]) func aReadSeesOneCommit(keeping: Bool) throws {
    let database = try database(keeping: keeping)
    database.onSnapshotRelease {}
    let bodies: [((Connection) throws -> [Value?]) throws -> [Value?]] = [
      { try database.withReader(loop: 0, $0) }, { try database.read($0) },
    ]
    for body in bodies {
      let counts = try body { connection in
        let first = try connection.value("SELECT count(*) FROM t")
        try database.write { try $0.run("INSERT INTO t VALUES (2)") }
        return [first, try connection.value("SELECT count(*) FROM t")]
      }
      #expect(counts[0] == counts[1])
      let after = try body { [try $0.value("SELECT count(*) FROM t")] }
      #expect(after != [counts[0]])
    }
  }

  @Test(arguments: [false, true]) func aReaderWritesNothing(keeping: Bool) throws {
    let database = try database(keeping: keeping)
    for sql in [
      "INSERT INTO t VALUES (2)", "CREATE TEMP TABLE x(a)", "PRAGMA query_only = OFF",
      "COMMIT", "ATTACH ':memory:' AS other",
    ] {
      #expect(throws: SQLiteError.self, "\(sql)") {
        try database.withReader(loop: 1) { try $0.execute(sql) }
      }
    }
    #expect(try database.withReader(loop: 1) { try $0.value("SELECT count(*) FROM t") } == 1)
  }

  @Test func aKeptSnapshotIsRenewedAfterAnUnfinishedStatement() throws {
    let database = try database(keeping: true)
    database.onSnapshotRelease {}
    for keeps in [true, false] {
      var kept: PreparedStatement?
      try database.withReader(loop: 0) { connection in
        kept = try connection.cached("SELECT a FROM t UNION ALL SELECT 0")
        #expect(try kept?.step() == true)
      }
      let before = try database.read { try $0.value("SELECT count(*) FROM t") }
      try database.write { try $0.run("INSERT INTO t VALUES (2)") }
      let after = try database.withReader(loop: 0) { try $0.value("SELECT count(*) FROM t") }
      #expect(before?.integer.map { $0 + 1 } == after?.integer)
      withExtendedLifetime(kept) {}
      if keeps { database.releaseSnapshot(loop: 0) }
    }
  }

  @Test func overItsBudgetAReadIsInterruptedAndTheNextOneRuns() throws {
    let database = try database(keeping: true)
    database.onSnapshotRelease {}
    for swallows in [false, true] {
      #expect(throws: ReadError.overBudget(limit: .milliseconds(2))) {
        try database.withReader(loop: 0, budget: .milliseconds(2)) { connection in
          if swallows {
            _ = try? connection.value(Self.endless)
          } else {
            _ = try connection.value(Self.endless)
          }
        }
      }
      let count = try database.withReader(loop: 0, budget: .seconds(2)) {
        try $0.value("SELECT count(*) FROM t")
      }
      #expect(count == 1)
    }
  }

  @Test("Waiting for the disk counts as a thread's work, waiting for the CPU does not")
  func heldUp() {
    let before = ThreadUse(nanoseconds: 5_000_000, waits: 3)
    func hasWorked(_ nanoseconds: UInt64, _ waits: Int) -> Bool {
      ThreadUse(nanoseconds: nanoseconds, waits: waits).hasWorked(1_500_000, since: before)
    }
    #expect(!hasWorked(5_000_000, 3) && !hasWorked(6_499_999, 3))
    #expect(hasWorked(6_500_000, 3) && hasWorked(9_000_000, 3))
    #expect(hasWorked(5_000_000, 4))
    // The figures of this thread increase with its work.
    let start = ThreadUse.now
    var sum = 0
    while ThreadUse.now.nanoseconds - start.nanoseconds < 1_500_000 { sum &+= 1 }
    #expect(ThreadUse.now.hasWorked(1_500_000, since: start))
  }

  @Test func anotherProgramsCommitReachesAKeptSnapshot() throws {
    let database = try database(keeping: true)
    database.onSnapshotRelease {}
    let notices = Collected<CommitNotification>()
    database.onCommit { notices.add($0) }
    // After the first write, the handler of `onSnapshotRelease` is installed.
    try database.write { _ in }
    #expect(notices.wait() != nil)
    #expect(try database.withReader(loop: 0) { try $0.value("SELECT count(*) FROM t") } == 1)
    try Connection(location: .file(file.path)).run("INSERT INTO t VALUES (2)")
    // `hasListeners` is false, but a kept snapshot is enough to make the store check for other
    // programs' commits.
    #expect(notices.wait()?.last?.everything == true)
    #expect(try database.withReader(loop: 0) { try $0.value("SELECT count(*) FROM t") } == 2)
  }

  @Test func aReadInsideAReadSeesTheSameAndDoesNotWaitForItself() throws {
    let database = try database { $0.sharedReaders = 1 }
    let counts = try database.read { outer in
      let first = try outer.value("SELECT count(*) FROM t")
      try database.write { try $0.run("INSERT INTO t VALUES (2)") }
      return [first, try database.read { try $0.value("SELECT count(*) FROM t") }]
    }
    #expect(counts == [1, 1])
  }

  @Test func theLineBeforeTheWorkersIsBounded() throws {
    let database = try database {
      $0.workerReaders = 1
      $0.workerQueueLimit = 2
    }
    let entered = DispatchSemaphore(value: 0)
    let leave = DispatchSemaphore(value: 0)
    let answers = Collected<Int>()
    try database.onWorker({ _ in
      entered.signal()
      leave.wait()
    }) { _ in answers.add(0) }
    entered.wait()
    for number in 1...2 {
      try database.onWorker({ try $0.value("SELECT count(*) FROM t") }) { result in
        answers.add((try? result.get()) == 1 ? number : -1)
      }
    }
    #expect(throws: ReadError.overloaded(waiting: 2)) {
      try database.onWorker({ _ in }) { _ in answers.add(-1) }
    }
    leave.signal()
    #expect(answers.wait(for: 3) == [0, 1, 2])
  }

  @Test func manyReadsWaitForTheirTurn() async throws {
    let database = try database { $0.sharedReaders = 2 }
    let seen = Collected<Value?>()
    DispatchQueue.concurrentPerform(iterations: 40) { _ in
      seen.add(try? database.read { try $0.value("SELECT a FROM t") })
    }
    #expect(seen.now == [Value?](repeating: 1, count: 40))
  }
}
