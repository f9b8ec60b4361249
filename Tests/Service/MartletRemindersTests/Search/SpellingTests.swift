import MartletSQLite
import TestSupport
import Testing

@testable import MartletReminders

@Suite struct SpellingTests {
  @Test(arguments: [
    ("milk", ["milk"]), ("strasse", ["strasse", "straße"]), ("Straße", ["Straße", "Strasse"]),
    ("GROSS", ["GROSS", "GROß"]), ("Messsieb", ["Messsieb", "Mesßieb", "Meßsieb"]), ("es", ["es"]),
    ("waſſer", ["waſſer", "waßer"]), ("ẞ", ["ẞ", "ss"]), ("", [""]),
    ("sssssss", ["sssssss"]),
  ])
  func words(_ text: String, _ spellings: [String]) {
    let all = Spelling.all(of: text)
    #expect(all.first == spellings.first)
    #expect(all.sorted() == spellings.sorted())
  }

  @Test func aPrefixMayEndInsideASharp() {
    #expect(Spelling.all(of: "gros", isPrefix: true) == ["gros", "groß"])
    #expect(Spelling.all(of: "gross", isPrefix: true).sorted() == ["gross", "grosß", "groß"])
    #expect(Spelling.all(of: "groß", isPrefix: true).sorted() == ["gross", "grosß", "groß"])
    #expect(Spelling.all(of: "groß-", isPrefix: true).sorted() == ["gross-", "grosß-", "groß-"])
    #expect(Spelling.all(of: "groß-a", isPrefix: true).sorted() == ["gross-a", "groß-a"])
  }

  @Test func severalWordsAreSpelledTogether() {
    #expect(Spelling.all(of: ["ss", "a"]) == [["ss", "a"], ["ß", "a"]])
  }

  @Test("What is behind the last spelling that fits is found as it is typed")
  func limit() {
    let all = Spelling.all(of: String(repeating: "ssa", count: 300))
    #expect(all.count == Spelling.most)
    #expect(all.allSatisfy { $0.hasSuffix(String(repeating: "ssa", count: 296)) })
  }

  @Test func wordsAreFoundInBothSpellings() throws {
    let db = try RemindersFile().connect(as: .service)
    try db.execute(
      """
      INSERT INTO reminders (remindersListID, title) VALUES
        (1, 'Hauptstraße 5, Grosser Saal'), (1, 'Hauptstrasse 6, großer Saal'), (1, 'HAUPTSTRAẞE')
      """)
    for (text, found) in [
      ("hauptstrasse", [1, 2, 3]), ("Hauptstraße", [1, 2, 3]), ("hauptstras", [1, 2, 3]),
      ("hauptstrase", []), ("hauptstrasse gross", [1, 2]), ("!!! hauptstraße großer ?", [1, 2]),
      ("\"GROSSER saal\"", [1, 2]), ("near:1 strasse großer", []),
      ("near:2 hauptstrasse großer", [1, 2]), ("hauptstraß", [1, 2, 3]), ("5 hauptstrasse", [1]),
    ] {
      let ids = try db.search(text).compactMap { $0["id"]?.int64.map(Int.init) }
      #expect(ids.sorted() == found, "\(text)")
    }
    let marked = try db.search("hauptstrasse 5").first?["highlights"]?.object?["title"]?.string
    #expect(marked == "<mark>Hauptstraße</mark> <mark>5</mark>, Grosser Saal")
  }
}
