import Testing

@testable import MartletLiveAPI

@Suite("Received values in messages") struct ShownTests {
  @Test("A message shows at most 60 code points of a value")
  func bound() {
    #expect(shown("") == "\"\"")
    let sixty = String(repeating: "ä", count: 60)
    #expect(shown(sixty) == "\"\(sixty)\"")
    #expect(shown(sixty + "b") == "\"\(String(repeating: "ä", count: 57))…\"")
    // A single character that is a megabyte long.
    let long = "e" + String(repeating: "\u{301}", count: 500_000)
    #expect(shown(long).unicodeScalars.count == 60)
  }
}
