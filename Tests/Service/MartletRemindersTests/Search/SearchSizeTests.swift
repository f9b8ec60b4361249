import MartletSQLite
import TestSupport
import Testing

@testable import MartletReminders

/// The bytes of the index, compared with those of an index that takes each run as one word.
@Suite struct SearchSizeTests {
  let db: Connection
  init() throws { db = try RemindersFile().connect(as: .shell) }

  /// Texts of words of a language in which some words and letters are frequent.
  private func texts(
    _ letters: [ClosedRange<UInt32>], _ lengths: ClosedRange<Int>, blanks: Int,
    _ random: inout SeededRandom
  ) -> [String] {
    func skewed(_ count: Int) -> Int {
      let part = Double.random(in: 0..<1, using: &random)
      return Int(part * part * part * Double(count))
    }
    let all = letters.flatMap { $0.compactMap(Unicode.Scalar.init) }.shuffled(using: &random)
    let words = (0..<3_000).map { _ in
      let length = Int.random(in: lengths, using: &random)
      return (0..<length).map { _ in String(all[skewed(all.count)]) }.joined()
    }
    return (0..<600).map { place in
      let count = Int.random(in: place.isMultiple(of: 2) ? 2...6 : 20...60, using: &random)
      return (0..<count).map { _ in
        words[skewed(words.count)] + (random.once(in: blanks) ? " " : "")
      }.joined()
    }
  }

  /// The ratio of the two sizes.
  private func growth(_ texts: [String]) throws -> Double {
    try db.execute(
      """
      CREATE VIRTUAL TABLE temp.runs USING fts5 (
        title, notes, tags, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3')
      """)
    for text in texts {
      try db.run("INSERT INTO reminders (remindersListID, title) VALUES (1, ?)", .text(text))
    }
    try db.execute(
      """
      INSERT INTO temp.runs (rowid, title, notes, tags) SELECT id, title, notes, '' FROM reminders;
      INSERT INTO temp.runs (runs) VALUES ('optimize');
      INSERT INTO reminderTexts (reminderTexts) VALUES ('optimize');
      """)
    func size(_ table: String) throws -> Int {
      try db.integer(
        """
        SELECT (SELECT sum(length(block)) FROM \(table)_data)
        + (SELECT sum(length(CAST(c0 AS BLOB))) FROM \(table)_content)
        """) ?? 0
    }
    return Double(try size("main.reminderTexts")) / Double(try size("temp.runs"))
  }

  @Test(
    "The index of a script without blanks grows by less than half",
    arguments: [
      ([0x4E00...0x5FFF], 1...3, 8),
      ([0x3041...0x3093, 0x30A1...0x30F4, 0x4E00...0x55FF], 1...4, 8),
      ([0xE01...0xE3A, 0xE40...0xE4E], 2...7, 5),
    ] as [([ClosedRange<UInt32>], ClosedRange<Int>, Int)])
  func unspaced(_ letters: [ClosedRange<UInt32>], _ lengths: ClosedRange<Int>, _ blanks: Int) throws
  {
    var random = SeededRandom()
    let growth = try growth(texts(letters, lengths, blanks: blanks, &random))
    #expect(growth > 0.5 && growth < 1.5, "\(growth), seed \(random.seed)")
  }

  @Test("That of other scripts does not grow")
  func spaced() throws {
    var random = SeededRandom()
    let letters: [ClosedRange<UInt32>] = [0x61...0x7A, 0xE0...0xF6, 0x430...0x44F, 0xAC00...0xAC40]
    let growth = try growth(texts(letters, 2...9, blanks: 1, &random))
    // How often the index was written is a number of some bytes.
    #expect(abs(growth - 1) < 0.001, "\(growth), seed \(random.seed)")
  }
}
