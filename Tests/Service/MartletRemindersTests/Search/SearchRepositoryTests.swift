import MartletJSON
import MartletSQLite
import MartletStore
import MartletTime
import TestSupport
import Testing

@testable import MartletReminders

@Suite struct SearchRepositoryTests {
  let db: Connection
  let file: RemindersFile

  init() throws {
    file = try RemindersFile()
    db = try file.connect(as: .service)
  }

  @discardableResult
  private func add(_ title: String, _ notes: String = "", tags: [String] = []) throws -> Int {
    var changes = ReminderRepository.Values()
    changes.listID = 1
    changes.title = title
    changes.notes = notes
    changes.tags = tags
    return try ReminderRepository.create(changes, in: db)
  }

  private func search(
    _ text: String, markers: SearchRepository.Markers = SearchRepository.Markers(),
    limit: Int = 50
  ) throws -> [JSONObject] {
    try db.search(text, markers: markers, limit: limit)
  }

  private func ids(_ text: String) throws -> [Int] {
    try search(text).compactMap { $0["id"]?.int64.map(Int.init) }
  }

  @Test func wordsPhrasesTagsAndDistances() throws {
    try add("Take an apple", "to the doctor")
    try add("Apple juice", "take two")
    try add("Pear", tags: ["apple", "car pool"])
    try add("Application form", tags: ["car"])
    #expect(try Set(ids("apple")) == [1, 2, 3])
    #expect(try Set(ids("appl")) == [1, 2, 3, 4], "the last word as a prefix")
    #expect(try ids("appl ") == [])
    #expect(try Set(ids("take apple")) == [1, 2], "in any order, in any column")
    #expect(try ids("ta apple") == [], "only the last one is a prefix")
    #expect(try ids("\"an apple\"") == [1])
    #expect(try ids("\"apple an\"") == [])
    #expect(try ids("tag:apple") == [3])
    #expect(try ids("tag:CAR") == [4], "the whole tag, in any case")
    #expect(try ids("tag:\"car pool\"") == [3])
    #expect(try ids("application tag:car") == [4])
    #expect(try ids("pear tag:car") == [])
    #expect(try ids("tag:apple tag:\"car pool\"") == [3])
    #expect(try ids("near:1 take apple") == [1])
    #expect(try ids("near:0 take apple") == [])
  }

  @Test func wordsOfPunctuationAreLeftOut() throws {
    try add("Take an apple", tags: ["🚗", "car"])
    for text in ["apple !!!", "!!! apple", "- apple", "apple \"?\"", "🚗 take", "apple tag:🚗"] {
      #expect(try ids(text) == [1], "\(text)")
    }
    #expect(try ids("!!!") == [])
    #expect(try ids("tag:🚗") == [1], "no token, and yet a tag")
    #expect(try ids("tag:🚲") == [])
    #expect(try ids("apple tag:🚲") == [])
  }

  @Test func titlesWeighMoreThanNotes() throws {
    try add("Shopping", "milk")
    try add("Milk", "and then some more words of no interest")
    try add("Milk", "and then some more words of no interest")
    #expect(try ids("milk") == [2, 3, 1], "ties by id")
    #expect(try search("milk", limit: 2).count == 2)
  }

  /// FTS5 sorts by rank only. Equal ranks are in the order of IDs, in which it reads its index.
  @Test func theOrderIsThatOfTheRankThenOfTheID() throws {
    var random = RandomReminders(
      random: SeededRandom(), now: Instant(milliseconds: 1_780_000_000_000), zones: [.utc])
    try random.fill(db, 600)
    for _ in 0..<200 {
      try random.insert(db)
      try db.run(
        "DELETE FROM reminders WHERE id = (SELECT id FROM reminders ORDER BY random() LIMIT 1)")
    }
    for text in ["milk", "mi", "tea", "milk te", "two", "zoo", "\"milk tea\""] {
      let pattern = try #require(SearchText(text).pattern)
      let all = try db.rows(
        """
        SELECT rowid FROM reminderTexts WHERE reminderTexts MATCH ?
        ORDER BY bm25(reminderTexts, 4, 1, 2), rowid
        """, .text(pattern.rawValue)
      ).map { $0[0].integer.map(Int.init) }
      for limit in [1, 7, 500] {
        let found = try search(text, limit: limit).map { $0["id"]?.int64.map(Int.init) }
        #expect(found == Array(all.prefix(limit)), "\(text), \(limit), seed \(random.random.seed)")
      }
    }
  }

  /// Enough matches that the sorter uses a temporary file.
  @Test func tiesOfManyMatchesComeByID() throws {
    try db.execute(
      """
      WITH RECURSIVE ids(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM ids WHERE id < 100000)
      INSERT INTO reminderTexts (rowid, title, notes, tags)
      SELECT id, 'milk', substr('x x x', 1, id * 7919 % 3 * 2), '' FROM ids
      """)
    func ids(_ rest: String) throws -> [Int64?] {
      try db.rows("SELECT rowid FROM reminderTexts WHERE reminderTexts MATCH 'milk' \(rest)")
        .map { $0[0].integer }
    }
    let sorted = try ids("AND rank MATCH 'bm25(4.0, 1.0, 2.0)' ORDER BY rank")
    #expect(try sorted == ids("ORDER BY bm25(reminderTexts, 4, 1, 2), rowid"))
    #expect(sorted.count == 100_000)
  }

  @Test func matchesAreMarkedAndTheRestIsEscaped() throws {
    try add("<b>Milk</b> & \"honey\"", "it's milk\n<script>alert(1)</script>", tags: ["milk"])
    let found = try #require(try search("milk").first)
    let highlights = try #require(found["highlights"]?.object)
    #expect(
      highlights["title"]?.string
        == "&lt;b&gt;<mark>Milk</mark>&lt;/b&gt; &amp; &quot;honey&quot;")
    #expect(
      highlights["notes"]?.string
        == "it&#39;s <mark>milk</mark>\n&lt;script&gt;alert(1)&lt;/script&gt;")
    #expect(highlights["tags"]?.string == "<mark>milk</mark>")
    #expect(found["title"]?.string == "<b>Milk</b> & \"honey\"", "the reminder itself is as it is")
    var markers = SearchRepository.Markers()
    markers.before = "**"
    markers.after = "\\\""
    let other = try #require(try search("milk", markers: markers).first?["highlights"]?.object)
    #expect(other["tags"]?.string == "**milk\\\"")
  }
}
