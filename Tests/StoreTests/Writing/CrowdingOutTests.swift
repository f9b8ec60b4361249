import SQLite
import Testing

@testable import Store

@Suite("For whom a long write is undone") struct CrowdingOutTests {
  struct Case: Sendable {
    let name: String
    /// The client of the write that waits, and since when it does.
    let client: Int
    let since: UInt64
    /// How long the write may have others wait, in nanoseconds.
    let others: UInt64
    let isDone: Bool
  }

  /// The long write is one of client 1.
  static let cases = [
    Case(name: "it has had another wait", client: 2, since: 1, others: 0, isDone: false),
    Case(name: "it has only begun", client: 2, since: 1, others: 60_000_000_000, isDone: true),
    Case(name: "what waits is its own", client: 1, since: 1, others: 0, isDone: true),
    Case(name: "the other came just now", client: 2, since: .max, others: 0, isDone: true),
  ]

  @Test(
    "A long write is undone for those whom it has had wait, but for its own client",
    arguments: cases)
  func undone(_ given: Case) throws {
    let connection = try Connection(location: .inMemory)
    let budget = WriteBudget.install(
      on: connection, ChangeRecorder.install(on: connection, Watch()),
      .init(time: .max, rows: .max / 2, shared: .max, others: given.others, result: .max),
      .init(
        isOver: { false }, oldestWrite: { $0 == given.client ? nil : given.since }))
    budget.begin(isAlone: true, of: 1)
    let result = Result {
      try connection.value(
        """
        WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 9999) \
        SELECT count(*) FROM n
        """)
    }
    #expect((try? result.get()) == (given.isDone ? .integer(9999) : nil), "\(given.name)")
    if case .refused(.crowdedOut)? = budget.excess {
      #expect(!given.isDone)
    } else {
      #expect(given.isDone)
    }
    budget.end()
  }

  @Test("Which write has waited longest, but for those of a client")
  func longest() throws {
    let line = WaitingWrites(limits: .init(waiting: 9, group: 9, patience: 100))
    for (client, time) in [(1, 10), (2, 20), (1, 5), (0, 30)] as [(Int, UInt64)] {
      _ = try line.admit(PendingWrite({ _ in }, completion: { _ in }), of: client, at: time)
    }
    #expect(line.oldest(except: 1) == 20 && line.oldest(except: 2) == 10)
    // Those that are not told apart wait for each other.
    #expect(line.oldest(except: 0) == 10)
  }
}
