import Testing

@testable import MartletTime

struct ZoneRuleTests {
  private func offset(_ rule: ZoneRule, _ text: String) throws -> Int {
    rule.offset(at: try RFC3339.parse(text).seconds)
  }

  @Test func quotedNamesAndFractionsOfAnHour() throws {
    #expect(ZoneRule("<+03>-3".utf8)?.standard == 10_800)
    #expect(ZoneRule("<-0930>9:30".utf8)?.standard == -34_200)
    #expect(ZoneRule("LMT-0:44:30".utf8)?.standard == 2670)
    #expect(ZoneRule("EST+5".utf8)?.standard == -18_000)
  }

  @Test func julianDaysDoNotCountTheLeapDay() throws {
    let rule = try #require(ZoneRule("AAA0BBB,J60/0,J305/0".utf8))
    for year in ["2023", "2024"] {
      #expect(try offset(rule, "\(year)-02-28T23:59:59Z") == 0)
      #expect(try offset(rule, "\(year)-03-01T00:00:00Z") == 3600)
      #expect(try offset(rule, "\(year)-10-31T22:59:59Z") == 3600)
      #expect(try offset(rule, "\(year)-10-31T23:00:00Z") == 0)
    }
  }

  @Test func zeroBasedDaysCountTheLeapDay() throws {
    let rule = try #require(ZoneRule("AAA0BBB,59/0,304/0".utf8))
    #expect(try offset(rule, "2023-02-28T23:59:59Z") == 0)
    #expect(try offset(rule, "2023-03-01T00:00:00Z") == 3600)
    #expect(try offset(rule, "2024-02-29T00:00:00Z") == 3600)
    // Day 304 is 1 November, and in a leap year 31 October.
    #expect(try offset(rule, "2023-10-31T22:59:59Z") == 3600)
    #expect(try offset(rule, "2023-10-31T23:00:00Z") == 0)
    #expect(try offset(rule, "2024-10-30T22:59:59Z") == 3600)
    #expect(try offset(rule, "2024-10-30T23:00:00Z") == 0)
  }

  @Test func lastWeekdayOfTheMonth() throws {
    let rule = try #require(ZoneRule("CET-1CEST,M3.5.0,M10.5.0/3".utf8))
    #expect(try offset(rule, "2100-03-28T00:59:59Z") == 3600)
    #expect(try offset(rule, "2100-03-28T01:00:00Z") == 7200)
    #expect(try offset(rule, "2100-10-31T00:59:59Z") == 7200)
    #expect(try offset(rule, "2100-10-31T01:00:00Z") == 3600)
  }

  @Test func southernSummersSpanNewYear() throws {
    let rule = try #require(ZoneRule("AEST-10AEDT,M10.1.0,M4.1.0/3".utf8))
    #expect(try offset(rule, "2050-01-01T00:00:00Z") == 39_600)
    #expect(try offset(rule, "2050-07-01T00:00:00Z") == 36_000)
    #expect(try offset(rule, "2050-12-31T23:59:59Z") == 39_600)
  }

  @Test func daylightTimeAllYear() throws {
    // The example of permanent daylight saving time in RFC 8536 section 3.3.1.
    let rule = try #require(ZoneRule("EST5EDT,0/0,J365/25".utf8))
    for text in [
      "2030-01-01T04:59:59Z", "2030-01-01T05:00:00Z", "2030-07-01T00:00:00Z",
      "2030-12-31T23:59:59Z", "2032-12-31T12:00:00Z", "2033-01-01T05:00:00Z",
    ] {
      #expect(try offset(rule, text) == -14_400, "\(text)")
    }
  }

  @Test func negativeAndLongHours() throws {
    let nuuk = try #require(ZoneRule("<-02>2<-01>,M3.5.0/-1,M10.5.0/0".utf8))
    #expect(try offset(nuuk, "2030-03-31T00:59:59Z") == -7200)
    #expect(try offset(nuuk, "2030-03-31T01:00:00Z") == -3600)
    let long = try #require(ZoneRule("AAA0BBB,M12.5.0/167,M6.1.0".utf8))
    // The last Sunday of December 2028 is the 31st; 167 hours later it is the next year.
    #expect(try offset(long, "2029-01-06T22:59:59Z") == 0)
    #expect(try offset(long, "2029-01-06T23:00:00Z") == 3600)
  }

  @Test func daylightTimeBehindStandardTime() throws {
    let rule = try #require(ZoneRule("IST-1GMT0,M10.5.0,M3.5.0/1".utf8))
    #expect(try offset(rule, "2050-07-01T00:00:00Z") == 3600)
    #expect(try offset(rule, "2050-01-01T00:00:00Z") == 0)
  }

  @Test(arguments: [
    "", "C", "CE-1", "CET", "CET-", "CET-168", "CET-1:60", "<+03-3", "<>-3", "<+3>-3", "CET-1CEST",
    "CET-1CEST,M3.5.0", "CET-1CEST,M3.5.0,", "CET-1CEST,M3.5.0,M10.5.0x",
    "CET-1CEST,M13.5.0,M1.1.0",
    "CET-1CEST,M3.0.0,M1.1.0", "CET-1CEST,M3.6.0,M1.1.0", "CET-1CEST,M3.5.7,M1.1.0",
    "CET-1CEST,J0,J1", "CET-1CEST,J366,J1", "CET-1CEST,366,1", "CET-1CEST,M3.5.0/168,M1.1.0",
    "CET-1,M3.5.0,M10.5.0", "CET-1CEST,M3.5,M10.5.0", "CET--1", "CET-99999999999999999999",
  ])
  func refuses(_ text: String) {
    #expect(ZoneRule(text.utf8) == nil)
  }
}
