import Dispatch
import Glibc
import Store
import Synchronization
import TestSupport
import Testing

@testable import LiveQueries

@Suite("Expensive queries do not starve cheap ones", .timeLimit(.minutes(1)))
struct SlowQueriesTests {
  @Test("A cheap query is told of commits while an expensive one runs")
  func lanes() throws {
    let folder = try TemporaryFolder()
    let database = try EmbeddedDatabase(path: folder.file("db"))
    try database.write { try $0.execute("CREATE TABLE t(a); INSERT INTO t VALUES (0)") }
    let live = LiveQueries(database)
    let isHeld = DispatchSemaphore(value: 0)
    let letGo = DispatchSemaphore(value: 0)
    let runs = Atomic(0)
    let slow = LiveSource(key: "slow") { db, body in
      body.append(utf8: "\(try db.value("SELECT max(a) FROM t")?.integer ?? 0)")
      // The first run shows what it costs, the second one is held.
      if runs.add(1, ordering: .relaxed).newValue == 1 {
        usleep(80_000)
      } else if runs.load(ordering: .relaxed) == 2 {
        isHeld.signal()
        letGo.wait()
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
    letGo.signal()
    // What was committed while it ran has it run again.
    slowStates.wait(for: "20")
    withExtendedLifetime((first, second)) {}
  }

  /// The texts of a query's results.
  private final class States: Sendable {
    private let texts = Mutex<[String]>([])
    private let news = DispatchSemaphore(value: 0)

    var last: String? { texts.withLock { $0.last } }

    func add(_ state: LiveState) {
      guard case .result(let result) = state.outcome else { return }
      texts.withLock { $0.append(String(decoding: result.body.bytes, as: UTF8.self)) }
      news.signal()
    }

    func wait(for text: String) {
      while last != text { news.wait() }
    }
  }
}
