import Testing

@testable import MartletLiveAPI

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
