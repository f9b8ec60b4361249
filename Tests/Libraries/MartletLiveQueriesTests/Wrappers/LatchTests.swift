import Testing

@testable import MartletLiveQueries

@Suite("A one-shot event", .timeLimit(.minutes(10)))
struct LatchTests {
  private struct Failure: Error {}

  @Test("Tasks that wait before and after opening get the first outcome")
  func outcome() async throws {
    let latch = Latch()
    let before = Task { try await latch.wait() }
    latch.open()
    latch.open(.failure(Failure()))
    try await before.value
    try await latch.wait()

    let failed = Latch()
    failed.open(.failure(Failure()))
    await #expect(throws: Failure.self) { try await failed.wait() }
  }

  @Test("A canceled task stops waiting, and other tasks continue to wait")
  func cancellation() async throws {
    let latch = Latch()
    let cancelled = (0..<100).map { _ in Task { try await latch.wait() } }
    let other = Task { try await latch.wait() }
    for task in cancelled { task.cancel() }
    for task in cancelled {
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    latch.open()
    try await other.value
  }
}
