import Foundation
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

func buildFTS5Query(searchText: String, tokens: [Token]) -> String {
  var components: [String] = []

  if !searchText.isEmpty {
    components.append(searchText)
  }

  for token in tokens {
    switch token.kind {
    case .tag:
      components.append("\(token.rawValue)*")
    case .near:
      components.append("NEAR(\(token.rawValue), 10)")
    }
  }

  return components.joined(separator: " ")
}

private func baseQuery(
  searchText: String, searchTokens: [Token]
) -> Select<(ReminderText.TableColumns, Reminder.TableColumns), (ReminderText, Reminder), ()> {
  ReminderText
    .where {
      if !searchText.isEmpty || !searchTokens.isEmpty {
        $0.match(buildFTS5Query(searchText: searchText, tokens: searchTokens))
      }
    }
    .join(Reminder.all) { $0.rowid.eq($1.rowid) }
}

/// Runs the code blocks of the document on triggers and full-text search.
@Suite struct AdvancedFeaturesTests {
  let db: Connection

  init() throws { db = try SeedSchema.connection() }

  @Test func aTriggerOfTheWriter() throws {
    let file = try TemporaryFile()
    try Migrator([Migration(number: 1, name: "tables", sql: SeedSchema.tables)])
      .migrate(path: file.path)
    let database = try EmbeddedDatabase(path: file.path)
    try database.write { db in
      try RemindersList.createTemporaryTrigger(
        after: .insert { new in
          RemindersList
            .find(new.id)
            .update {
              $0.position = RemindersList.select { ($0.position.max() ?? -1) + 1 }
            }
        }
      ).execute(db)
    }
    // A temporary trigger lives on the writer's connection, not in the file.
    for title in ["a", "b"] {
      try database.write {
        try RemindersList.insert { RemindersList.Draft(title: title) }.execute($0)
      }
    }
    let positions = try database.read { db in
      try RemindersList.order(by: \.id).select(\.position).fetchAll(db)
    }
    #expect(positions == [1, 2])
    let other = try Connection(location: .file(file.path))
    #expect(try other.value("SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'") == 0)
  }

  @Test func positions() throws {
    try RemindersList.createTemporaryTrigger(
      after: .insert { new in
        RemindersList
          .find(new.id)
          .update {
            $0.position = RemindersList.select { ($0.position.max() ?? -1) + 1 }
          }
      }
    ).execute(db)
    try Reminder.createTemporaryTrigger(
      after: .insert { new in
        Reminder
          .find(new.id)
          .update {
            $0.position = Reminder.select { ($0.position.max() ?? -1) + 1 }
          }
      }
    ).execute(db)
    for title in ["a", "b", "c"] {
      try RemindersList.insert { RemindersList.Draft(title: title) }.execute(db)
      try Reminder.insert { Reminder.Draft(title: title) }.execute(db)
    }
    #expect(try RemindersList.order(by: \.id).select(\.position).fetchAll(db) == [1, 2, 3])
    #expect(try Reminder.order(by: \.id).select(\.position).fetchAll(db) == [1, 2, 3])
  }

  private func createFullText() throws {
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

  @Test func fullTextFollowsTheTable() throws {
    try createFullText()
    try Reminder.createTemporaryTrigger(
      after: .insert { new in
        ReminderText.insert {
          ReminderText.Columns(
            rowid: new.rowid,
            title: new.title,
            notes: new.notes.replace("\n", " "),
            tags: ""
          )
        }
      }
    ).execute(db)

    try Reminder.createTemporaryTrigger(
      after: .update { new in
        ReminderText.find(new.rowid).update {
          $0.title = new.title
          $0.notes = new.notes.replace("\n", " ")
        }
      }
    ).execute(db)

    try Reminder.createTemporaryTrigger(
      after: .delete { old in
        ReminderText.find(old.rowid).delete()
      }
    ).execute(db)

    try Reminder.insert {
      Reminder(id: 7, title: "Groceries", notes: "milk\nhoney")
      Reminder(id: 8, title: "Haircut")
    }.execute(db)
    let found = try baseQuery(searchText: "honey", searchTokens: []).select { $1.id }.fetchAll(db)
    #expect(found == [7])
    #expect(try ReminderText.find(7).select(\.notes).fetchOne(db) == "milk honey")
    let all = try baseQuery(searchText: "", searchTokens: []).select { $1.id }.fetchAll(db)
    #expect(all.sorted() == [7, 8])
    let near = [Token(kind: .near, rawValue: "milk honey"), Token(kind: .tag, rawValue: "groc")]
    let both = try baseQuery(searchText: "", searchTokens: near).select { $1.id }.fetchAll(db)
    #expect(both == [7])

    try Reminder.find(7).update { $0.notes = "bread" }.execute(db)
    #expect(try baseQuery(searchText: "honey", searchTokens: []).fetchAll(db).isEmpty)
    try Reminder.find(7).delete().execute(db)
    #expect(try ReminderText.all.select(\.rowid).fetchAll(db) == [8])
  }

  @Test func highlightAndSnippet() throws {
    try createFullText()
    try ReminderText.insert {
      ReminderText(rowid: 1, title: "Take a walk", notes: "walk\nfar", tags: "walking")
    }.execute(db)
    let rows = try ReminderText.where { $0.match("walk") }
      .select {
        SearchRow.Columns(
          title: $0.title.highlight("**", "**"),
          notes: $0.notes.snippet("**", "**", "...", 64).replace("\n", " "),
          tags: $0.tags.highlight("**", "**")
        )
      }.fetchAll(db)
    #expect(
      rows == [SearchRow(title: "Take a **walk**", notes: "**walk** far", tags: "**walk**ing")])
    let titles = try ReminderText.where { $0.title.match("far") }.fetchCount(db)
    #expect(titles == 0)
    let ranked = try ReminderText.where { $0.match("walk") }.order(by: \.rank)
      .select { $0.bm25([\.title: 10, \.tags: 2]) }.fetchAll(db)
    #expect(ranked.count == 1)
  }

  @Test func tokenizersAreAccepted() throws {
    let tokenizers: [FTS5Tokenizer] = [
      .trigram(), .trigram(isCaseSensitive: true), .porter(), .unicode61(),
      .porter(.unicode61(diacritics: .removed, categories: "L* N*", tokenCharacters: "-'")),
      .ascii(tokenCharacters: "'\"", separators: "x"), .custom("unicode61", "separators", "y"),
    ]
    for (index, tokenizer) in tokenizers.enumerated() {
      try #sql(
        """
        CREATE VIRTUAL TABLE \(quote: "t\(index)") USING fts5("text", \(tokenizer.option))
        """
      ).execute(db)
    }
    try db.execute("INSERT INTO t4 VALUES ('it''s well-known')")
    #expect(try db.value("SELECT count(*) FROM t4('\"well-known\"')") == 1)
  }

  @Test(arguments: [FTS5Content.own, .external])
  func oneCallMakesTheThreeTriggers(content: FTS5Content) throws {
    let options: QueryFragment =
      content == .own ? "" : #", content = "reminders", content_rowid = "id""#
    // With external content, the columns have the names of the content table's; `priority` holds
    // the tags here.
    try #sql(
      #"CREATE VIRTUAL TABLE "reminderTexts" USING fts5("title", "notes", "tags" UNINDEXED\#(options))"#
    ).execute(db)
    let triggers = ReminderText.createTriggers("search", syncing: Reminder.self, content: content) {
      ReminderText.Columns(rowid: $0.rowid, title: $0.title, notes: $0.notes, tags: "")
    }
    try triggers.execute(db)
    func found(_ text: String) throws -> [Int] {
      try ReminderText.where { $0.match(text) }.order(by: \.rowid).select(\.rowid).fetchAll(db)
    }
    try Reminder.insert {
      Reminder(id: 1, title: "milk", notes: "two")
      Reminder(id: 2, title: "honey")
    }.execute(db)
    #expect(try found("milk OR two") == [1])
    try Reminder.find(1).update { $0.title = "bread" }.execute(db)
    #expect(try found("milk") == [])
    #expect(try found("bread two") == [1])
    // Changes of the row ID and of columns that are not indexed.
    try #sql("UPDATE reminders SET id = 9 WHERE id = 1").execute(db)
    try Reminder.find(9).update { $0.position = 3 }.execute(db)
    #expect(try found("bread") == [9])
    try Reminder.find(9).delete().execute(db)
    #expect(try found("bread OR honey") == [2])
    try ReminderText.optimize().execute(db)
    if content == .own { try ReminderText.integrityCheck().execute(db) }
    for trigger in triggers { try trigger.drop().execute(db) }
    #expect(try db.value("SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'") == 0)
  }

  @Test func temporarySearchTriggers() throws {
    try createFullText()
    try ReminderText.createTemporaryTriggers(syncing: Reminder.self) {
      ReminderText.Columns(rowid: $0.rowid, title: $0.title, notes: $0.notes, tags: "")
    }.execute(db)
    #expect(try db.value("SELECT count(*) FROM sqlite_temp_schema WHERE type = 'trigger'") == 3)
    try Reminder.insert { Reminder(id: 3, title: "haircut") }.execute(db)
    #expect(try ReminderText.where { $0.match("airc") }.fetchCount(db) == 1)
  }
}
