import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime
import TestSupport
import Testing

@testable import MartletReminders

@Suite struct SearchTextTests {
  struct Case: Sendable, CustomStringConvertible {
    let text: String
    var words: [String] = []
    var phrases: [String] = []
    var tags: [String] = []
    var distance: Int?

    var description: String { text }
  }

  @Test(arguments: [
    Case(text: ""),
    Case(text: " \t\n\u{A0}\u{3000}"),
    Case(text: "milk", words: ["milk"]),
    Case(text: "  take   an\tapple ", words: ["take", "an", "apple"]),
    Case(text: "\"take apple\"", phrases: ["take apple"]),
    Case(text: "milk \"take apple\" honey", words: ["milk", "honey"], phrases: ["take apple"]),
    Case(text: "\"a\"\"b\"", phrases: ["a", "b"]),
    Case(text: "\"\u{200D}a b\"\u{301} c", words: ["\u{301}", "c"], phrases: ["\u{200D}a b"]),
    Case(text: "tag:car", tags: ["car"]),
    Case(text: "TAG:Car milk", words: ["milk"], tags: ["Car"]),
    Case(text: "tag:\"two words\" x", words: ["x"], tags: ["two words"]),
    Case(text: "tag:a tag:b", tags: ["a", "b"]),
    Case(text: "near:10 take apple", words: ["take", "apple"], distance: 10),
    Case(text: "take near:0 apple", words: ["take", "apple"], distance: 0),
    Case(text: "near:3 near:4 a b", words: ["a", "b"], distance: 4),
    // Without a special meaning, these are ordinary words.
    Case(text: "tag:", words: ["tag:"]),
    Case(text: "tag: car", words: ["tag:", "car"]),
    Case(text: "near:", words: ["near:"]),
    Case(text: "near:ten", words: ["near:ten"]),
    Case(text: "near:-1", words: ["near:-1"]),
    Case(text: "near:99999999999999999999", words: ["near:99999999999999999999"]),
    Case(text: "\"open", words: ["\"open"]),
    Case(text: "\"\"", words: ["\"\""]),
    Case(text: "say\"hi\"", words: ["say\"hi\""]),
    Case(text: "tag:\"open", tags: ["\"open"]),
    Case(text: "a OR b AND NOT c*", words: ["a", "OR", "b", "AND", "NOT", "c*"]),
    Case(text: "title:x ^y (z) {a b}", words: ["title:x", "^y", "(z)", "{a", "b}"]),
    Case(text: "stage:x", words: ["stage:x"]),
  ])
  func whatIsTyped(_ test: Case) {
    let text = SearchText(test.text)
    #expect(text.source == test.text)
    #expect(text.words == test.words)
    #expect(text.phrases == test.phrases)
    #expect(text.tags == test.tags)
    #expect(text.distance == test.distance)
  }

  @Test(arguments: [
    ("milk", #""milk"*"#), ("milk ", #""milk""#), ("a b", #""a" "b"*"#),
    ("a \"b c\"", #""a" "b c""#), ("\"b c\" a", #""a"* "b c""#),
    ("near:5 a b", #"NEAR("a" "b", 5)"#), ("near:5 a", #""a"*"#),
    ("a tag:car", #""a" {"tags"} : "car""#), ("tag:🚗 a", #""a"*"#), ("say\"hi", #""say""hi"*"#),
    ("会議", "\"\u{1F}会\u{1F}議\u{1F}\""), ("x会y", "\"x\u{1F}会\u{1F}y\"*"),
    ("a groß", #""groß"* "a" OR "gross"* "a" OR "grosß"* "a""#),
    ("ss ß a ", #"("ss" "a" OR "ß" "a") AND ("ß" OR "ss")"#),
    ("near:5 ss a", #"NEAR("ss" "a", 5) OR NEAR("ß" "a", 5)"#),
  ])
  func whatIsLookedFor(_ text: String, _ pattern: String) {
    #expect(SearchText(text).pattern?.rawValue == pattern)
  }

  @Test(arguments: ["", " ", "\n", "tag:🚗"])
  func nothingToLookFor(_ text: String) {
    #expect(SearchText(text).pattern == nil)
  }

  /// No text that can be typed is a syntax error in FTS5.
  @Test func everyTextIsSafe() throws {
    var random = SeededRandom()
    let db = try RemindersFile().connect(as: .service)
    try db.execute("INSERT INTO reminders (remindersListID, title) VALUES (1, 'take an apple')")
    let pieces = [
      "\"", "'", "AND", "OR", "NOT", "NEAR", "NEAR(", "^", "*", "(", ")", "{", "}", ":", "-", "+",
      ",", ".", "\\", ";", "--", "/*", "🚗", "👩‍👩‍👧", "\0", "\u{1}", "\u{1B}", "\u{7F}", "\u{FEFF}",
      "\u{FFFF}", "\u{202E}", "e\u{301}", "ß", "名前", "tag:", "near:", "near:3", "tag:\"", "title:",
      "take", "apple", " ", " ", " ", "\t", "\r\n", "9", "0x", "?", "%", "$1",
    ]
    for round in 0..<1_500 {
      let count = round % 100 == 0 ? 800 : Int.random(in: 0...9, using: &random)
      let text = SearchText((0..<count).map { _ in random.pick(pieces) }.joined())
      let comment: Comment = "\(text.source.debugDescription), seed \(random.seed)"
      var markers = SearchRepository.Markers()
      markers.before = "["
      let queries = [
        SearchRepository.search(text, markers: markers, limit: 3), SearchRepository.total(text),
      ]
      #expect(throws: Never.self, comment) {
        for query in queries.compactMap({ $0 }) { _ = try db.statement(for: query).rows() }
        var filter = ReminderFilter()
        filter.text = text
        _ = try ReadPage(
          ReminderRepository.page(filter, sort: ReminderSort(), PageRequest(), now: .epoch), in: db)
      }
    }
  }

  /// A repeated word is searched for once, and excess words are ignored, so no text makes a search
  /// slow.
  @Test(.timeLimit(.minutes(10)))
  func longTextsAreReadOnce() {
    #expect(SearchText(String(repeating: "milk ", count: 80_000)).words == ["milk"])
    let many = SearchText((0..<80_000).map { "w\($0) tag:t\($0)" }.joined(separator: " "))
    #expect(many.words.count + many.tags.count == SearchText.mostTerms)
    #expect(!SearchText((0..<40).map { "w\($0)" }.joined(separator: " ")).lastIsPrefix)
    #expect(
      SearchText(String(repeating: "\"", count: 30_001)).words == [
        "\"" + String(repeating: "\"", count: 30_000)
      ])
  }
}
