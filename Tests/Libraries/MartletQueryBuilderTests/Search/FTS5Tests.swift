import MartletQueryBuilder
import Testing

private let t = ReminderText.columns

@Suite struct FTS5Tests {
  @Test func match() {
    let text = "take OR apple"
    expectSQL(
      ReminderText.where { if !text.isEmpty { $0.match(text) } }
        .join(Reminder.all) { $0.rowid.eq($1.rowid) }
        .select { $1.id },
      """
      SELECT "reminders"."id" FROM "reminderTexts" \
      JOIN "reminders" ON ("reminderTexts"."rowid" = "reminders"."rowid") \
      WHERE ("reminderTexts" MATCH ?)
      """, [.text(text)])
    expectSQL(t.title.match("x"), #"("reminderTexts" MATCH ?)"#, [.text(#"title:"x""#)])
  }

  @Test func functionsTakeColumnNumbers() {
    expectSQL(
      t.tags.highlight("**", "**"), #"highlight("reminderTexts", 2, ?, ?)"#,
      [.text("**"), .text("**")])
    expectSQL(
      t.notes.snippet("<", ">", "…", 64).replace("\n", " "),
      #"replace(snippet("reminderTexts", 1, ?, ?, ?, ?), ?, ?)"#,
      [.text("<"), .text(">"), .text("…"), .int(64), .text("\n"), .text(" ")])
    expectSQL(t.bm25([\.notes: 2]), #"bm25("reminderTexts", 1.0, 2.0)"#)
    expectSQL(
      t.ranked(by: [\.notes: 2]), #"("reminderTexts"."rank" MATCH 'bm25(1.0, 2.0)')"#)
    expectSQL(
      ReminderText.order { $0.rank }.select(\.rowid),
      #"SELECT "reminderTexts"."rowid" FROM "reminderTexts" ORDER BY "reminderTexts"."rank""#)
  }
}

@Suite struct FTS5TokenizerTests {
  @Test func options() {
    func option(_ tokenizer: FTS5Tokenizer) -> String { tokenizer.option.prepare().sql }
    #expect(option(.trigram()) == "tokenize = 'trigram'")
    #expect(option(.trigram(isCaseSensitive: true)) == "tokenize = 'trigram case_sensitive 1'")
    #expect(option(.unicode61()) == "tokenize = 'unicode61'")
    #expect(
      option(.porter(.unicode61(diacritics: .removed)))
        == "tokenize = 'porter unicode61 remove_diacritics 2'")
    #expect(option(.porter()) == "tokenize = 'porter unicode61'")
    #expect(
      option(.ascii(tokenCharacters: "-_", separators: "x"))
        == "tokenize = 'ascii tokenchars ''-_'' separators ''x'''")
    #expect(option(.custom("mine", "a b")) == "tokenize = '''mine'' ''a b'''")
  }
}

@Suite struct SearchPatternTests {
  private func raw(_ patterns: [SearchPattern?]) -> String? {
    SearchPattern(allOf: patterns.compactMap { $0 })?.rawValue
  }

  @Test func oneOfSeveralPhrases() {
    let grey = SearchPattern(anyOf: ["grey", "gray"])
    #expect(grey?.rawValue == #""grey" OR "gray""#)
    #expect(SearchPattern(anyOf: ["gr", ""], isPrefix: true)?.rawValue == #""gr"*"#)
    #expect(SearchPattern(anyOf: [""]) == nil)
    let near = SearchPattern(nearAnyOf: [["a", "b"], ["a", "c"]], distance: 3)
    #expect(near?.rawValue == #"NEAR("a" "b", 3) OR NEAR("a" "c", 3)"#)
    let words = SearchPattern(allOf: ["a", "!"])
    #expect(raw([words, grey]) == #""grey" "a" "!" OR "gray" "a" "!""#)
    #expect(
      raw([grey?.in(column: "title"), words, SearchPattern(anyOf: ["x", "y"])])
        == #"({"title"} : "grey" "a" "!" OR {"title"} : "gray" "a" "!") AND ("x" OR "y")"#)
  }
}
