import MartletJSON
import MartletSQLite
import MartletStore
import TestSupport
import Testing

@testable import MartletReminders

/// Words in scripts without blanks, written by a program that has none of the service's functions.
@Suite struct UnspacedScriptsTests {
  let file: RemindersFile
  let db: Connection

  init() throws {
    file = try RemindersFile()
    db = try file.connect(as: .shell)
  }

  private func add(_ title: String, _ notes: String = "", tag: String? = nil) throws {
    try db.run(
      "INSERT INTO reminders (remindersListID, title, notes) VALUES (1, ?, ?)", .text(title),
      .text(notes))
    guard let tag else { return }
    try db.run(
      "INSERT INTO remindersTags (reminderID, tagID) VALUES (?, ?)",
      .integer(db.lastInsertRowID), .text(tag))
  }

  private func ids(_ text: String) throws -> [Int] {
    try db.search(text).compactMap { $0["id"]?.int64.map(Int.init) }.sorted()
  }

  @Test func aWordIsFoundInsideARun() throws {
    try add("明日の会議の準備", "資料を印刷する")
    try add("iPhone修理", "3月5日、駅前で")
    try add("ประชุมพรุ่งนี้", "กินข้าว")
    try add("周末去超市買牛奶", "ノートパソコンの電源")
    try add("ປະຊຸມມື້ອື່ນ", "ကားပြင်ရန်")
    try add("ប្រជុំនៅថ្ងៃស្អែក", "𠮷野家で会う", tag: "家族旅行")
    for (text, found) in [
      ("会議", [1]), ("準備", [1]), ("会", [1, 6]), ("の会", [1]), ("議会", []), ("印刷 会議", [1]),
      ("\"会議の準備\"", [1]), ("\"準備の会議\"", []), ("修理", [2]), ("iphone", [2]), ("ipho", [2]),
      ("iPhone修理", [2]), ("Phone修理", []), ("5日", [2]), ("月5", [2]), ("駅前", [2]), ("ประชุม", [3]),
      ("พรุ่งนี้", [3]), ("ประช", [3]), ("ประชม", []), ("ข้าว", [3]), ("กัน", []), ("กิน", [3]),
      ("超市", [4]), ("牛奶", [4]), ("パソコン", [4]), ("ノート", [4]), ("ປະຊຸມ", [5]), ("ອື່ນ", [5]),
      ("ပြင်", [5]), ("ប្រជុំ", [6]), ("ថ្ងៃ", [6]), ("𠮷野", [6]), ("旅行", [6]), ("tag:家族旅行", [6]),
      ("tag:旅行", []), ("near:3 明日 会議", [1]), ("near:0 明日 準備", []),
    ] {
      #expect(try ids(text) == found, "\(text)")
    }
  }

  @Test func matchesAreMarkedAsTheyAreWritten() throws {
    try add("明日の会議の準備", "iPhone修理、会議", tag: "家族旅行")
    func highlights(_ text: String) throws -> [String?] {
      let found = try #require(try db.search(text).first?["highlights"]?.object)
      return ["title", "notes", "tags"].map { found[$0]?.string }
    }
    #expect(
      try highlights("会議") == [
        "明日の<mark>会議</mark>の準備", "iPhone修理、<mark>会議</mark>", "家族旅行",
      ])
    #expect(
      try highlights("iphone修 旅行")
        == ["明日の会議の準備", "<mark>iPhone修</mark>理、会議", "家族<mark>旅行</mark>"])
  }

  @Test("The triggers separate the same characters as a search does")
  func bothAgree() throws {
    var random = SeededRandom()
    let edges = [
      0xDFF, 0xE00, 0xEFF, 0xF00, 0xFFF, 0x1000, 0x109F, 0x10A0, 0x177F, 0x1780, 0x17FF, 0x1800,
      0x3004, 0x3005, 0x3007, 0x3008, 0x3040, 0x3041, 0x312F, 0x3130, 0x319F, 0x31A0, 0x9FFF,
      0xA000,
      0xF8FF, 0xF900, 0xFAFF, 0xFB00, 0xFF65, 0xFF66, 0xFF9F, 0xFFA0, 0x1AFFF, 0x1B000, 0x1B16F,
      0x1B170, 0x1FFFF, 0x20000, 0x3FFFD, 0x3FFFE, 0xAC00, 0x1F697, 0x20, 0x61, 0xDF, 0x301,
    ]
    let statement = UnspacedScripts.separated(sql: "?1")
    for length in [0, 1, 2, 99, 100, 101, 199, 200, 201, 350] + (0..<300).map({ $0 % 12 }) {
      var text = String.UnicodeScalarView()
      while text.count < length {
        let value =
          random.once(in: 3)
          ? UInt32.random(in: 0x20...0x30000, using: &random) : UInt32(random.pick(edges))
        if let scalar = Unicode.Scalar(value) { text.append(scalar) }
      }
      let expected = UnspacedScripts.separated(String(text))
      let stored = try db.value("SELECT \(statement)", .text(String(text)))?.text ?? ""
      #expect(
        Array(stored.utf8) == Array(expected.utf8), "\(String(text)), seed \(random.seed)")
    }
    #expect(UnspacedScripts.separated("x会議y") == "x\u{1F}会\u{1F}議\u{1F}y")
  }

  @Test("Every letter and mark of these scripts is a token of the index")
  func tokens() throws {
    let text = (0xE00...0x312F as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init).filter {
      scalar in
      let category = scalar.properties.generalCategory
      return UnspacedScripts.contain(scalar)
        && [.otherLetter, .modifierLetter, .nonspacingMark, .spacingMark].contains(category)
    }
    try add(text.map { String($0) }.joined())
    for scalar in text where scalar.properties.age.map({ $0.major < 12 }) ?? false {
      #expect(try ids(String(scalar)) == [1], "U+\(String(scalar.value, radix: 16))")
    }
  }

  @Test("A search finds what a search of the folded text finds")
  func oracle() throws {
    let pieces = [
      "会", "議", "明日", "の", "カ", "ート", "ก", "ิ", "น", "้", "ຂ", "ើ", "ាក", "က", "a", "b", "A", "é",
      "1",
      "2", "ß", "ss", "s", "SS", "ẞ", " ", " ", " ", "、", "-", "🚗", "\n",
    ]
    var random = SeededRandom()
    func text(_ length: ClosedRange<Int>) -> String {
      (0..<Int.random(in: length, using: &random)).map { _ in random.pick(pieces) }.joined()
    }
    var texts: [(title: String, notes: String)] = []
    for _ in 0..<40 {
      texts.append((text(0...12), text(0...12)))
      try add(texts[texts.count - 1].title, texts[texts.count - 1].notes)
    }
    var found = 0
    for _ in 0..<Effort.rounds(100) {
      var source = random.pick(texts).title
      source = String(source.dropFirst(Int.random(in: 0...6, using: &random)).prefix(5))
      if random.once(in: 3) { source = text(1...4) }
      if random.once(in: 5) { source = "\"\(source)\"" }
      if random.once(in: 5) { source += " " }
      guard FoldedText(source).sharps <= 4 else { continue }
      let comment: Comment = "\(source.debugDescription), seed \(random.seed)"
      let expected = texts.indices.filter {
        FoldedText.search(source, finds: [texts[$0].title, texts[$0].notes])
      }
      let results = try db.search(source)
      #expect(
        results.compactMap { $0["id"]?.int64.map { Int($0) - 1 } }.sorted() == expected, comment)
      found += results.count
      for result in results {
        for name in ["title", "notes"] {
          let marked = result["highlights"]?.object?[name]?.string ?? ""
          // By bytes, because a mark of the text may join the character in front of it.
          var bytes = Array(marked.utf8)
          for mark in ["<mark>", "</mark>"] { bytes.replace(Array(mark.utf8), with: []) }
          #expect(bytes == result[name]?.string.map { Array($0.utf8) }, comment)
        }
      }
    }
    #expect(found > 30, "seed \(random.seed)")
  }

  @Test("The longest notes are indexed")
  func long() throws {
    try add("", String(repeating: "会x議", count: 33_333) + "完")
    #expect(try ids("完") == [1])
    #expect(try ids("議完") == [1])
    #expect(try ids("会議") == [])
    try db.execute("UPDATE reminders SET notes = '終'")
    #expect(try ids("完") == [])
    #expect(try ids("終") == [1])
    #expect(try SearchIndex.strays(db) == 0 && SearchIndex.isSound(db))
  }

  @Test("An older file is indexed again, without a note")
  func migration() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("old.db")
    let old = try Connection(location: .file(path))
    try Migrator(RemindersDatabase.migrations.filter { $0.number < 21 }).migrate(old)
    try old.execute(
      """
      INSERT INTO reminders (remindersListID, title, notes) VALUES (1, '明日の会議', 'milk');
      INSERT INTO reminderTexts (rowid, title, notes, tags) SELECT id, title, notes, '' FROM reminders;
      """)
    let report = try RemindersDatabase.migrate(path: path)
    #expect(report.applied.first?.number == 21 && report.notes == [])
    let db = try Connection(location: .file(path))
    for text in ["会議", "milk"] { #expect(try db.search(text).count == 1, "\(text)") }
    #expect(try SearchIndex.strays(db) == 0 && SearchIndex.isSound(db))
    #expect(try RemindersDatabase.migrate(path: path).notes == [])
  }
}
