import Dispatch
import MartletSQLite
import MartletStore
import MartletTime
import Synchronization
import TestSupport
import Testing

@testable import MartletReminders

@Suite("A repeated check", .timeLimit(.minutes(10))) struct RepeatedCheckTests {
  @Test("A write that fails while a check runs is followed by another check", arguments: 1...20)
  func failureBeside(_: Int) async throws {
    let file = try RemindersFile()
    let database = try EmbeddedDatabase(path: file.path)
    defer { database.close() }
    let time = TestClock(try RFC3339.parse("2026-11-26T12:00:00Z"))
    let failure = DispatchSemaphore(value: 0)
    let (runs, ran) = AsyncStream.makeStream(of: Void.self)
    let check = RepeatedCheck(of: database, on: nil, agenda: Agenda(time.clock)) { _ in
      failure.signal()
    }
    let isFirst = Atomic(true)
    check.start { [weak check] in
      if isFirst.exchange(false, ordering: .relaxed) {
        check?.submit { try $0.execute("no statement") }
        failure.wait()
      }
      check?.plan(at: nil)
      ran.yield()
    }
    check.schedule()
    var iterator = runs.makeAsyncIterator()
    await iterator.next()
    time.advance(milliseconds: 1_000)
    await iterator.next()
  }
}
