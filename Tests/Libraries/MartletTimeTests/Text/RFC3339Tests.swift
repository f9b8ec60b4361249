import MartletTime
import TestSupport
import Testing

@Suite("RFC 3339") struct RFC3339Tests {
  @Test(arguments: [
    ("1985-04-12T23:20:50.52Z", "1985-04-12T23:20:50.520Z"),
    ("1996-12-19T16:39:57-08:00", "1996-12-20T00:39:57.000Z"),
    ("1937-01-01T12:00:27.87+00:20", "1937-01-01T11:40:27.870Z"),
    ("2026-11-20t15:36:00.123z", "2026-11-20T15:36:00.123Z"),
    ("2026-11-20T15:36:00-00:00", "2026-11-20T15:36:00.000Z"),
    ("2026-11-20T15:36:00+23:59", "2026-11-19T15:37:00.000Z"),
    ("2024-02-29T00:00:00+14:00", "2024-02-28T10:00:00.000Z"),
    ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"),
    ("0001-01-01T00:00:00-01:00", "0001-01-01T01:00:00.000Z"),
    ("9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59.999Z"),
    ("1970-01-01T00:00:00.1Z", "1970-01-01T00:00:00.100Z"),
    ("1970-01-01T00:00:00.0009Z", "1970-01-01T00:00:00.000Z"),
    ("1969-12-31T23:59:59.9999Z", "1969-12-31T23:59:59.999Z"),
  ])
  func reads(_ text: String, _ written: String) throws {
    #expect(RFC3339.string(try RFC3339.parse(text)) == written)
  }

  @Test(
    arguments: [
      ("", "a year from 0001 to 9999", 0),
      ("2026", "'-' after the year", 4),
      ("2026-11-20", "'T' between date and time", 10),
      ("2026-11-20 15:36:00Z", "'T' between date and time", 10),
      ("2026-11-20T15:36:00", "'Z' or an offset such as +01:00", 19),
      ("2026-11-20T15:36Z", "':' after the minute", 16),
      ("2026-11-20T15:36:00.Z", "a digit after the point", 20),
      ("2026-11-20T15:36:00,5Z", "'Z' or an offset such as +01:00", 19),
      ("2026-11-20T15:36:00.1234567890Z", "at most nine digits of a second", 29),
      ("2026-02-30T00:00:00Z", "a day that exists in the month", 8),
      ("2025-02-29T00:00:00Z", "a day that exists in the month", 8),
      ("2026-13-01T00:00:00Z", "a month from 01 to 12", 5),
      ("2026-00-01T00:00:00Z", "a month from 01 to 12", 5),
      ("2026-11-00T00:00:00Z", "a day from 01 to 31", 8),
      ("2026-11-20T24:00:00Z", "an hour from 00 to 23", 11),
      ("2026-11-20T23:60:00Z", "a minute from 00 to 59", 14),
      ("2016-12-31T23:59:60Z", "a second from 00 to 59 (leap seconds have no instant)", 17),
      ("2016-12-31T23:59:61Z", "a second from 00 to 59", 17),
      ("2026-11-20T15:36:00+0100", "':' between offset hours and minutes", 22),
      ("2026-11-20T15:36:00+01", "':' between offset hours and minutes", 22),
      ("2026-11-20T15:36:00+24:00", "offset hours from 00 to 23", 20),
      ("2026-11-20T15:36:00+01:60", "offset minutes from 00 to 59", 23),
      ("2026-11-20T15:36:00Z ", "nothing after the offset", 20),
      ("2026-11-20T15:36:00ZZ", "nothing after the offset", 20),
      (" 2026-11-20T15:36:00Z", "a year from 0001 to 9999", 0),
      ("+2026-11-20T15:36:00Z", "a year from 0001 to 9999", 0),
      ("20261120T153600Z", "'-' after the year", 4),
      ("2026-324T00:00:00Z", "a month from 01 to 12", 5),
      ("2026-11-20T15:36:00\u{2212}01:00", "'Z' or an offset such as +01:00", 19),
      ("2026-1１-20T15:36:00Z", "a month from 01 to 12", 6),
      ("0000-12-31T23:59:59Z", "a year from 0001 to 9999", 0),
      ("0001-01-01T00:00:00+00:01", "an instant in the years 0001 to 9999 UTC", 0),
      ("9999-12-31T23:59:00-00:01", "an instant in the years 0001 to 9999 UTC", 0),
    ] as [(String, String, Int)])
  func refuses(_ text: String, _ expected: String, _ offset: Int) {
    #expect(throws: RFC3339.Problem(expected: expected, offset: offset)) {
      try RFC3339.parse(text)
    }
  }

  @Test func everyByteMatters() throws {
    let text = Array("2026-11-20T15:36:00.123+01:30".utf8)
    #expect(throws: Never.self) { try text.withUnsafeBufferPointer { try RFC3339.parse($0) } }
    for place in text.indices {
      for byte in [UInt8(0), 0x20, UInt8(ascii: "/"), UInt8(ascii: ";"), 0xFF] {
        var broken = text
        broken[place] = byte
        #expect(throws: RFC3339.Problem.self) {
          try broken.withUnsafeBufferPointer { try RFC3339.parse($0) }
        }
      }
      #expect(throws: RFC3339.Problem.self) {
        try text[..<place].withUnsafeBufferPointer { try RFC3339.parse($0) }
      }
    }
  }

  @Test func writtenAndReadBack() throws {
    var random = SeededRandom()
    for _ in 0..<5000 {
      let instant = Instant(
        milliseconds: .random(
          in: Instant.earliest.milliseconds...Instant.latest.milliseconds, using: &random))
      #expect(try RFC3339.parse(RFC3339.string(instant)) == instant, "seed \(random.seed)")
      #expect(SQLiteTime.parse(SQLiteTime.string(instant)) == instant, "seed \(random.seed)")
    }
  }

  @Test func fullDate() throws {
    #expect(try RFC3339.date("2026-11-20").description == "2026-11-20")
    #expect(throws: RFC3339.Problem(expected: "nothing after the date", offset: 10)) {
      try RFC3339.date("2026-11-20T")
    }
    #expect("\(RFC3339.Problem(expected: "a day", offset: 3))" == "expected a day at byte 3")
  }
}

@Suite("RFC 9110 section 5.6.7") struct HTTPDateTests {
  let example = Instant(seconds: 784_111_777)

  @Test func writes() {
    #expect(HTTPDate.string(example) == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(HTTPDate.string(.epoch) == "Thu, 01 Jan 1970 00:00:00 GMT")
    #expect(HTTPDate.string(Instant(milliseconds: .max)) == "Fri, 31 Dec 9999 23:59:59 GMT")
  }
}
