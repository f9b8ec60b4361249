import MartletJSON
import TestSupport
import Testing

struct JSONNumberTests {
  @Test(
    arguments: [
      ("7.0", 7), ("70e-1", 7), ("7e0", 7), ("-0", 0), ("0e999999999999", 0), ("0.0", 0),
      ("1e18", 1_000_000_000_000_000_000), ("9.223372036854775807e18", .max),
      ("-9223372036854775808.00", .min), ("0.0000000001e10", 1), ("-12.50E+1", -125),
      ("100000000000000000000e-2", 1_000_000_000_000_000_000),
    ] as [(String, Int64)])
  func wholeNumbers(_ text: String, _ value: Int64) {
    #expect(JSONNumber(text)?.int64 == value)
  }

  @Test(arguments: [
    "7.5", "1e-1", "9223372036854775808", "-9223372036854775809", "1e19", "1e1000000000",
    "1e-1000000000", "123456789e99999999999999999999", "1e-99999999999999999999",
  ])
  func notWholeOrTooLarge(_ text: String) {
    #expect(JSONNumber(text) != nil)
    #expect(JSONNumber(text)?.int64 == nil)
  }

  @Test(.timeLimit(.minutes(10))) func hugeNumbersAreQuick() throws {
    #expect(JSONNumber("1e1000000000")?.double == .infinity)
    #expect(JSONNumber("-1e1000000000")?.double == -.infinity)
    #expect(JSONNumber("1e-1000000000")?.double == 0)
    #expect(JSONNumber("1e" + String(repeating: "9", count: 100_000))?.double == .infinity)
    let digits = String(repeating: "9", count: 1_000_000)
    let value = try JSONValue.parse(digits)
    #expect(value.double == .infinity)
    #expect(value.int64 == nil)
    #expect(value.description == digits)
    #expect(JSONNumber("0." + String(repeating: "0", count: 1_000_000) + "1e1000001")?.int64 == 1)
  }

  @Test(arguments: [
    "", "-", "+1", "01", "1.", ".1", "1e", "1e+", " 1", "1 ", "0x1", "NaN", "inf", "1_0", "--1",
    "1.2.3", "1e1e1", "١",
  ])
  func refuses(_ text: String) {
    #expect(JSONNumber(text) == nil)
  }

  @Test func doublesAreShortestAndFinite() {
    #expect(JSONNumber(0.1)?.text == "0.1")
    #expect(JSONNumber(Double.nan) == nil)
    #expect(JSONNumber(-Double.infinity) == nil)
    var random = SeededRandom()
    for _ in 0..<5000 {
      let value = Double(bitPattern: random.next())
      guard value.isFinite else { continue }
      #expect(JSONNumber(value)?.double == value, "seed \(random.seed)")
      #expect(JSONNumber(value).flatMap { JSONNumber($0.text) } != nil, "seed \(random.seed)")
    }
  }
}
