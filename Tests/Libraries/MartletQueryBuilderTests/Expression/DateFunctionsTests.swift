import Foundation
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

private let s = Sample.columns
private let text = "strftime('%Y-%m-%d %H:%M:%f', "

@Suite struct DateFunctionsTests {
  /// 2026-02-28 00:00:00
  private let lastOfFebruary = Date(timeIntervalSince1970: 1_772_236_800)

  @Test func modifiersOfText() throws {
    try expect(
      s.made(.startOfMonth.months(1).days(-1)), text + #""made", 'start of month', ?, ?)"#,
      [.text("+1 months"), .text("-1 days")], gives: Array(repeating: lastOfFebruary, count: 3))
    try expect(
      s.due(.startOfDay), text + #""due", 'start of day')"#, gives: [lastOfFebruary, nil, nil])
    try expect(
      s.made(.hours(-13).minutes(-45).seconds(-30.25)), text + #""made", ?, ?, ?)"#,
      [.text("-13 hours"), .text("-45 minutes"), .text("-30.25 seconds")],
      gives: Array(repeating: lastOfFebruary, count: 3))
    // The first Sunday on or after January 1, with the second that was added.
    try expect(
      s.made(.startOfYear.years(1).seconds(1).weekday(0)),
      text + #""made", 'start of year', ?, ?, ?)"#,
      [.text("+1 years"), .text("+1 seconds"), .text("weekday 0")],
      gives: Array(repeating: Date(timeIntervalSince1970: 1_798_934_401), count: 3))
    // Milliseconds are kept.
    try expect(s.made(), text + #""made")"#, gives: Array(repeating: sampleDate, count: 3))
  }

  @Test func modifiersOfOtherRepresentations() throws {
    try expect(
      s.unix(.startOfDay), #"unixepoch("unix", 'unixepoch', 'start of day')"#,
      gives: Array(repeating: lastOfFebruary, count: 3))
    try expect(
      s.julian(.startOfDay.days(2)), #"julianday("julian", 'start of day', ?)"#,
      [.text("+2 days")],
      gives: Array(repeating: lastOfFebruary + 2 * 86_400, count: 3))
  }

  @Test func now() throws {
    expectSQL(
      s.made < .now(.days(-7)), #"("samples"."made" < strftime('%Y-%m-%d %H:%M:%f', 'now', ?))"#,
      [.text("-7 days")])
    expectSQL(
      s.unix > Date.UnixTimeRepresentation.now(), #"("samples"."unix" > unixepoch('now'))"#)
    let db = try sampleDatabase()
    let (a, b) = (Date(), try #require(try Values(Date.now()).fetchOne(db)))
    #expect(abs(b.timeIntervalSince(a)) < 60)
    let unix = try #require(try Values(Date.UnixTimeRepresentation.now(.days(1))).fetchOne(db))
    #expect(abs(unix.timeIntervalSince(a) - 86_400) < 60)
    let julian = try #require(try Values(Date.JulianDayRepresentation.now()).fetchOne(db))
    #expect(abs(julian.timeIntervalSince(a)) < 60)
    #expect(try Sample.where { $0.made < .now() || $0.unix < .now }.count.fetchOne(db) == 3)
    try Sample.all.update { $0.unix = .now() }.execute(db)
    #expect(try abs(#require(try Sample.select(\.unix).fetchOne(db)).timeIntervalSince(a)) < 60)
  }

  @Test func components() throws {
    func int(_ format: String, _ column: String = #""made""#) -> String {
      "CAST(strftime('\(format)', \(column)) AS INTEGER)"
    }
    try expect(s.made.year, int("%Y"), gives: [2026, 2026, 2026])
    try expect(s.due.month, int("%m", #""due""#), gives: [2, nil, nil])
    try expect(s.unix.day, int("%d", #""unix", 'unixepoch'"#), gives: [28, 28, 28])
    try expect(s.julian.hour, int("%H", #""julian""#), gives: [13, 13, 13])
    try expect(s.made.minute, int("%M"), gives: [45, 45, 45])
    try expect(s.made.second, int("%S"), gives: [30, 30, 30])
    try expect(
      s.made.fractionalSecond, #"CAST(strftime('%f', "made") AS REAL)"#,
      gives: [30.25, 30.25, 30.25])
    try expect(s.made.weekday, int("%w"), gives: [6, 6, 6])
    try expect(s.made.dayOfYear, int("%j"), gives: [59, 59, 59])
    try expect(
      s.due.strftime("%d.%m.%Y", .days(1)), #"strftime(?, "due", ?)"#,
      [.text("%d.%m.%Y"), .text("+1 days")], gives: ["01.03.2026", nil, nil])
  }

  @Test func overflow() throws {
    try expectNeeds("the date modifier 'floor'", Version(3, 46), s.made(.months(1, .floor)))
    expectSQL(
      s.made(.months(1, .floor).days(1)),
      #"strftime('%Y-%m-%d %H:%M:%f', "samples"."made", ?, 'floor', ?)"#,
      [.text("+1 months"), .text("+1 days")])
    // `.ceiling` is SQLite's default and prints no modifier.
    try expect(
      s.made(.days(3).months(-1, .ceiling)), text + #""made", ?, ?)"#,
      [.text("+3 days"), .text("-1 months")],
      gives: Array(repeating: sampleDate - 25 * 86_400, count: 3))
  }
}

extension DateModifier {
  fileprivate static let endOfMonth = Self.startOfMonth.months(1).days(-1)
}

@Suite struct DateModifierTests {
  /// A custom modifier follows any other one. Milliseconds print as a fraction of a second.
  @Test func ownAndSmall() throws {
    let s = Sample.columns
    try expect(
      s.made(.months(1).endOfMonth),
      "strftime('%Y-%m-%d %H:%M:%f', \"made\", ?, 'start of month', ?, ?)",
      [.text("+1 months"), .text("+1 months"), .text("-1 days")],
      gives: Array(repeating: Date(timeIntervalSince1970: 1_774_915_200), count: 3))
    try expect(
      s.made(.milliseconds(-1_250)), "strftime('%Y-%m-%d %H:%M:%f', \"made\", ?)",
      [.text("-1.250 seconds")], gives: Array(repeating: sampleDate - 1.25, count: 3))
    try expect(
      s.unix < .now(.days(-1)), "(\"unix\" < unixepoch('now', ?))", [.text("-1 days")],
      gives: Array(repeating: sampleDate < Date().addingTimeInterval(-86_400), count: 3))
  }
}
