import MartletQuickAdd
import MartletTime
import Testing

/// Spans and the other parts of a result that the lines of `Cases` do not show.
struct ReaderTests {
  private let reader = QuickAddReader(
    now: Instant(seconds: 1_795_600_800), zone: .utc, lists: [QuickAddList(id: 9, title: "Home")])

  private func spans(_ text: String) -> [String] {
    reader.read(text).spans.map { "\($0.start)-\($0.end) \($0.kind.rawValue) \($0.text)" }
  }

  @Test func spansOfEachKind() {
    #expect(
      spans("Call mum tomorrow 9am, every week #home @phone !high * remind at 8am // note") == [
        "9-22 due tomorrow 9am,", "23-33 recurrence every week", "34-39 list #home",
        "40-46 tag @phone", "47-52 priority !high", "53-54 flag *", "55-68 alarm remind at 8am",
        "69-76 notes // note",
      ])
  }

  @Test func theEndOfARecurrenceIsASpanOfItsOwn() {
    #expect(
      spans("Run daily @x until 2027-06-01") == [
        "4-9 recurrence daily", "10-12 tag @x", "13-29 recurrence until 2027-06-01",
      ])
  }

  @Test func aDayAndATimeApartAreTwoSpans() {
    #expect(
      spans("Lunch at 12:30 with Sara on Friday") == [
        "6-14 due at 12:30", "25-34 due on Friday",
      ])
    #expect(spans("Today run. At 11") == ["0-5 due Today", "11-16 due At 11"])
  }

  @Test func theWordBehindAnAlarmBelongsToItsSpan() {
    #expect(
      spans("Remind me in 20 minutes to check the oven") == [
        "0-26 alarm Remind me in 20 minutes to"
      ])
  }

  @Test func offsetsAreUTF16() {
    #expect(spans("👍🏽 today") == ["5-10 due today"])
    #expect(spans("e\u{301} today e\u{301}") == ["3-8 due today"])
  }

  @Test func droppedAlarmsHaveNoSpan() {
    let result = reader.read("Run remind 10 minutes before * now")
    #expect(result.title == "Run remind 10 minutes before now")
    #expect(result.alarms == nil)
    #expect(result.spans.map(\.kind) == [.flag])
  }

  @Test func notesKeepTheirBlanks() {
    let result = reader.read("Milk //  two\n\n litres \0")
    #expect(result.notes == "two\n\n litres")
    #expect(reader.read("Milk // a\0b").notes == "a b")
  }

  @Test func mostAlarms() {
    let phrases = (1...21).map { "remind \($0) minutes before" }.joined(separator: " ")
    let result = reader.read("Run tomorrow \(phrases)")
    #expect(result.alarms?.count == 20)
    #expect(result.title == "Run remind 21 minutes before")
  }

  @Test func longTagsAreText() {
    let longest = String(repeating: "ü", count: 100)
    #expect(reader.read("@\(longest) a").tags == [longest])
    #expect(reader.read("@\(longest)x a").title == "@\(longest)x a")
    #expect(reader.read("@\"a\tb\" a").title == "@\"a b\" a")
  }

  @Test func listsAreFoundWithoutCase() {
    let reader = QuickAddReader(
      now: .epoch, zone: .utc,
      lists: [
        QuickAddList(id: 1, title: "ÄRZTE"), QuickAddList(id: 2, title: "a"),
        QuickAddList(id: 3, title: "a."), QuickAddList(id: 4, title: ""),
      ])
    #expect(reader.read("#a\u{308}rzte").listID == 1)
    #expect(reader.read("#ÄR").listID == 1)
    #expect(reader.read("#A").listID == 2)
    #expect(reader.read("#a.").listID == 3)
    #expect(reader.read("#a,").listID == 2)
    #expect(reader.read("#\"\"").listID == nil)
  }

  @Test func languages() {
    #expect(QuickAddLanguage.all.map(\.code) == ["en", "de", "fr"])
    #expect(QuickAddLanguage.named("DE") == .german)
    #expect(QuickAddLanguage.named("it") == nil)
  }

  @Test func aTimeOutsideOfTheCalendarIsClamped() {
    for now in [Int64.min, .max] {
      let reader = QuickAddReader(now: Instant(milliseconds: now), zone: .utc)
      #expect(reader.read("Run today").due != nil)
    }
  }
}
