import Testing
import Time

@Suite("RFC 9110 section 5.6.7") struct HTTPDateTests {
  let now = Instant(milliseconds: 1_767_225_600_000)
  let example = Instant(seconds: 784_111_777)

  @Test func writes() {
    #expect(HTTPDate.string(example) == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(HTTPDate.string(.epoch) == "Thu, 01 Jan 1970 00:00:00 GMT")
    #expect(HTTPDate.string(Instant(milliseconds: .max)) == "Fri, 31 Dec 9999 23:59:59 GMT")
  }

  @Test func readsTheThreeForms() {
    #expect(HTTPDate.parse("Sun, 06 Nov 1994 08:49:37 GMT", now: now) == example)
    #expect(HTTPDate.parse("Sunday, 06-Nov-94 08:49:37 GMT", now: now) == example)
    #expect(HTTPDate.parse("Sun Nov  6 08:49:37 1994", now: now) == example)
    #expect(
      HTTPDate.parse("Wed Nov 16 08:49:37 1994", now: now) == example.adding(seconds: 864_000))
  }

  @Test func twoDigitYearsLieAtMostFiftyYearsAhead() {
    // 6 November 2076 is a Friday; 1977's was a Sunday.
    #expect(
      HTTPDate.parse("Friday, 06-Nov-76 00:00:00 GMT", now: now).map { CivilDate(utc: $0).year }
        == 2076)
    #expect(
      HTTPDate.parse("Sunday, 06-Nov-77 00:00:00 GMT", now: now).map { CivilDate(utc: $0).year }
        == 1977)
  }

  @Test(arguments: [
    "", "Sun, 06 Nov 1994 08:49:37", "Mon, 06 Nov 1994 08:49:37 GMT",
    "Sun, 6 Nov 1994 08:49:37 GMT", "sun, 06 Nov 1994 08:49:37 GMT",
    "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 UTC",
    "Sun, 06 Nov 1994 08:49:37 GMT ", "Sun, 06 Nov 1994 24:49:37 GMT",
    "Sun, 06 Nov 1994 08:49:60 GMT", "Sun, 31 Feb 1994 08:49:37 GMT", "0", "1994-11-06T08:49:37Z",
    "Sunday, 06 Nov 1994 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT", "Sun Nov 6 08:49:37 1994",
    "Sun, 06 Nov 1994  08:49:37 GMT", ", ", "Sun,",
  ])
  func refuses(_ text: String) {
    #expect(HTTPDate.parse(text, now: now) == nil)
  }

  @Test func writtenAndReadBack() {
    var random = SeededGenerator()
    for _ in 0..<2000 {
      let instant = Instant(seconds: .random(in: -62_167_219_200...253_402_300_799, using: &random))
      #expect(HTTPDate.parse(HTTPDate.string(instant), now: now) == instant, "seed \(random.seed)")
    }
  }
}
