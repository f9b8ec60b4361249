import MartletTime
import TestSupport
import Testing

@testable import MartletCourier

@Suite struct RetryAfterTests {
  private static let now = Instant(milliseconds: 784_111_777_000)  // 1994-11-06T08:49:37Z

  @Test("Seconds, and the three formats of dates, at most a day")
  func values() {
    let cases: [(String, Duration?)] = [
      ("0", .zero), ("120", .seconds(120)), (" 7 ", .seconds(7)), ("86401", .seconds(86_400)),
      ("99999999999999999999999", .seconds(86_400)),
      ("Sun, 06 Nov 1994 08:50:37 GMT", .seconds(60)),
      ("Sunday, 06-Nov-94 08:50:37 GMT", .seconds(60)),
      ("Sun Nov  6 08:50:37 1994", .seconds(60)),
      ("Sun, 06 Nov 1994 08:49:60 GMT", .seconds(22)),
      ("Sat, 05 Nov 1994 08:49:37 GMT", .zero),
      ("Fri, 06 Nov 2026 08:49:37 GMT", .seconds(86_400)),
      ("", nil), ("-1", nil), ("+1", nil), ("1.5", nil), ("soon", nil), ("1 2", nil),
      ("Sun, 31 Feb 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 24:00:00 GMT", nil),
      ("Sun, 06 Nov 1994 08:49 GMT", nil), ("Sun, 06 Nov 1994 08:49:37 CET", nil),
      ("Sun, 06 Now 1994 08:49:37 GMT", nil), ("Sun, +6 Nov 1994 08:49:37 GMT", nil),
    ]
    for (text, wait) in cases {
      #expect(RetryAfter.parse(text, now: Self.now) == wait, "\(text)")
    }
  }

  @Test("Dates as this project writes them")
  func written() {
    for seconds: Int64 in [1, 59, 3600, 86_399] {
      let date = HTTPDate.string(Self.now.adding(milliseconds: seconds * 1000))
      #expect(RetryAfter.parse(date, now: Self.now) == .seconds(seconds), "\(date)")
    }
  }
}
