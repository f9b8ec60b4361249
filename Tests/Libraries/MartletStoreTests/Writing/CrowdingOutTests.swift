import MartletSQLite
import Testing

@testable import MartletStore

@Suite("When a long write is rolled back for others") struct CrowdingOutTests {
  struct Case: Sendable {
    let name: String
    /// The time since which another write has been waiting.
    let since: UInt64
    /// How long the write may delay others, in nanoseconds.
    let others: UInt64
    /// How long it may delay other clients, in nanoseconds.
    var allowance = UInt64.max
    let isDone: Bool
  }

  static let cases = [
    Case(name: "it has delayed another write", since: 1, others: 0, isDone: false),
    Case(name: "it has just started", since: 1, others: 60_000_000_000, isDone: true),
    Case(name: "the other write has just arrived", since: .max, others: 0, isDone: true),
    Case(
      name: "its client has made others wait before", since: 1, others: 60_000_000_000,
      allowance: 0, isDone: false),
  ]

  @Test(
    "A long write is rolled back only for writes that it has delayed",
    arguments: cases)
  func undone(_ given: Case) throws {
    let connection = try Connection(location: .inMemory)
    let budget = WriteBudget.install(
      on: connection, ChangeRecorder.install(on: connection, Watch()),
      .init(time: .max, rows: .max / 2, shared: .max, others: given.others, result: .max),
      .init(
        isOver: { false }, oldestWrite: { _ in given.since },
        allowance: { _, _ in given.allowance }))
    budget.begin(isAlone: true, client: 1)
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
}
