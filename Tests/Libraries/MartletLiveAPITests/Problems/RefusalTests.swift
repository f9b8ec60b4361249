import Dispatch
import MartletHTTP
import MartletStore
import TestSupport
import Testing

@testable import MartletLiveAPI

@Suite("Reaching a limit is not a fault") struct RefusalTests {
  @Test("Problems caused by limits are refusals, and faults are not")
  func types() {
    let faults = ProblemType.ofAPI.filter { !$0.isRefusal }
    #expect(
      Set(faults) == [.internalError, .outcomeUnknown, .notImplemented, .httpVersion, .storageFull])
    #expect(APIProblem.isRefusal(ReadError.overloaded(waiting: 1)))
    #expect(APIProblem.isRefusal(WriteError.expired(after: .milliseconds(1))))
    #expect(!APIProblem.isRefusal(WriteError.nested) && !APIProblem.isRefusal(NotesService.Boom()))
  }

  @Test("Refusals are reported at most once a second, with their number")
  func count() {
    var refusals = RefusalCount()
    let second: UInt64 = 1_000_000_000
    let told = [5, 6, 7, 5 + second, 6 + second, 5 + 3 * second].map { refusals.add(at: $0) }
    #expect(told == [1, nil, nil, 3, nil, 2])
  }

  @Test("A 503 of a full queue is a refusal, and a failing route is a fault")
  func told() throws {
    let service = try NotesService(routes: [
      .plain(.get, "/full") { request, _, context in
        .respond(context.answer(APIProblem(.overloaded, "Full."), to: request))
      },
      .read("/broken") { _, _ in throw NotesService.Boom() },
      .plain(.get, "/slow") { request, _, context in
        .respond(context.answer(ReadError.overBudget(limit: .nanoseconds(1)), to: request))
      },
    ])
    let client = try service.client()
    for _ in 0..<20 { #expect(try client.get("/full").status == 503) }
    #expect(try client.get("/slow").status == 503)
    #expect(service.failures.list.isEmpty)
    let refusals = service.refusals.list
    #expect(refusals.count { $0.type == .overloaded } == 20)
    // Each type is counted separately. How many seconds this took does not matter.
    #expect(refusals.first?.told == 1 && refusals.last?.type == .queryTimeout)
    #expect(refusals.last?.told == 1)
    #expect(refusals.dropFirst().dropLast().count { $0.told == nil } > 0)
    #expect(try client.get("/broken").status == 500)
    #expect(service.failures.list.count == 1)
  }
}

@Suite("Request IDs")
struct RequestIDsTests {
  @Test("An ID is a counter in base 36 after a prefix for the process")
  func counts() {
    let ids = RequestIDs(start: 1_763_800_000_000)
    let start = String(1_763_800_000_000, radix: 36)
    for number in 1...50_000 {
      let id = ids.next()
      guard id != "\(start)-\(String(number, radix: 36))" else { continue }
      Issue.record("\(number) became \(id)")
      return
    }
  }
}
