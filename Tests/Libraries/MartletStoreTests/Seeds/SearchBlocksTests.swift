import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

// The document uses `some Query` for anything that can be selected from.
private typealias Query = SelectStatement

private func baseQuery(searchText: String, searchTokens: [Token]) -> some Query {
  ReminderText
    .where {
      if !searchText.isEmpty || !searchTokens.isEmpty {
        $0.match(buildFTS5Query(searchText: searchText, tokens: searchTokens))
      }
    }
    .join(Reminder.all) { $0.rowid.eq($1.rowid) }
}

/// The code blocks on full-text search one by one, each with the row type it assumes.
@Suite("Advanced Query Features: migration, search") struct SearchBlocksTests {
  let file: TemporaryFile
  let database: EmbeddedDatabase

  init() throws {
    file = try TemporaryFile()
    var migrator = Migrator()
    migrator.registerMigration("Create tables") { try $0.execute(SeedSchema.tables) }
    migrator.registerMigration("Create FTS5 table") { db in
      try #sql(
        """
        CREATE VIRTUAL TABLE "reminderTexts" USING fts5(
          "title",
          "notes",
          "tags",
          tokenize = 'trigram'
        )
        """
      ).execute(db)
    }
    try migrator.migrate(path: file.path)
    database = try EmbeddedDatabase(path: file.path, configuration: Configuration())
    try database.write { db in
      try Reminder.insert { Reminder(id: 1, title: "Take a walk", notes: "far") }.execute(db)
      try ReminderText.insert {
        ReminderText(rowid: 1, title: "Take a walk", notes: "walk\nfar", tags: "walking")
        ReminderText(rowid: 2, title: "Groceries", notes: "milk", tags: "")
      }.execute(db)
    }
  }

  @Test("Create FTS5 Virtual Table: the migration runs once under its name")
  func migration() throws {
    let names = try database.read { db in
      try #sql("SELECT \"name\" FROM martlet_migrations", as: String.self).fetchAll(db)
    }
    #expect(names.sorted() == ["Create FTS5 table", "Create tables"])
    let sql = try database.read {
      try $0.value("SELECT sql FROM sqlite_schema WHERE name = 'reminderTexts'")
    }
    #expect(sql?.text?.contains("tokenize = 'trigram'") == true)
  }

  @Test("Search with FTS5: joined to its reminder", arguments: [("walk", 1), ("milk", 0), ("", 1)])
  func search(text: String, count: Int) throws {
    let found = try database.read { db in
      try baseQuery(searchText: text, searchTokens: []).fetchCount(db)
    }
    #expect(found == count)
  }

  enum Highlight {
    @Selection struct SearchRow: Equatable {
      let title: String
      let tags: String
    }

    static let query =
      ReminderText.select {
        SearchRow.Columns(
          title: $0.title.highlight("**", "**"),
          tags: $0.tags.highlight("**", "**")
        )
      }
  }

  @Test("FTS5 Highlight")
  func highlight() throws {
    let rows = try database.read { db in
      try Highlight.query.where { $0.match("walk") }.fetchAll(db)
    }
    #expect(rows == [.init(title: "Take a **walk**", tags: "**walk**ing")])
  }

  enum Snippet {
    @Selection struct SearchRow: Equatable {
      let notes: String
    }

    static let query =
      ReminderText.select {
        SearchRow.Columns(
          notes: $0.notes.snippet("**", "**", "...", 64).replace("\n", " ")
        )
      }
  }

  @Test("FTS5 Snippet")
  func snippet() throws {
    let rows = try database.read { db in
      try Snippet.query.where { $0.match("walk") }.fetchAll(db)
    }
    #expect(rows == [.init(notes: "**walk** far")])
  }

  @Test("FTS5 Snippet: the last parameter counts tokens")
  func snippetTokens() throws {
    let rows = try database.read { db in
      try ReminderText.where { $0.match("Take") }
        .select { $0.title.snippet("[", "]", "...", 6) }.fetchAll(db)
    }
    // A trigram is a token, so six tokens are eight characters of the text.
    #expect(rows == ["[Take] a w..."])
  }

  @Test(
    "FTS5 Tokenizers",
    arguments: [
      ("tokenize = 'trigram'", "alkin"), ("tokenize = 'porter'", "walked"),
      ("tokenize = 'unicode61'", "WALKING"),
    ])
  func tokenizers(option: String, found: String) throws {
    let db = try Connection(location: .inMemory)
    try db.execute("CREATE VIRTUAL TABLE t USING fts5(\"text\", \(option))")
    try db.execute("INSERT INTO t VALUES ('walking')")
    for word in ["alkin", "walked", "WALKING"] {
      // The trigram tokenizer ignores case too.
      let isFound = word == found || word == "WALKING"
      #expect(
        try db.value("SELECT count(*) FROM t(?)", .text(word)) == (isFound ? 1 : 0), "\(word)")
    }
  }

  @Test(
    "Complex FTS5 Queries",
    arguments: [
      ("", [], ""), ("milk", [], "milk"),
      ("milk", [Token(kind: .tag, rawValue: "groc")], "milk groc*"),
      (
        "", [Token(kind: .near, rawValue: "a b"), Token(kind: .tag, rawValue: "c")],
        "NEAR(a b, 10) c*"
      ),
    ])
  func complex(text: String, tokens: [Token], query: String) {
    #expect(buildFTS5Query(searchText: text, tokens: tokens) == query)
  }
}
