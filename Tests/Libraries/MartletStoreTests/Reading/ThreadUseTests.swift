import Testing

@testable import MartletStore

@Suite struct ThreadUseTests {
  @Test("The time that other processes took is no cost, but waiting for the disk is")
  func cost() {
    let start = ThreadUse(nanoseconds: 1_000, waits: 7)
    // It ran for 50 of 900 nanoseconds, and was ready to run in the rest.
    #expect(ThreadUse(nanoseconds: 1_050, waits: 7).cost(since: start, of: 900) == 50)
    #expect(ThreadUse(nanoseconds: 1_050, waits: 8).cost(since: start, of: 900) == 900)
    // The two clocks are not read at one moment.
    #expect(ThreadUse(nanoseconds: 2_000, waits: 7).cost(since: start, of: 900) == 900)
  }
}
