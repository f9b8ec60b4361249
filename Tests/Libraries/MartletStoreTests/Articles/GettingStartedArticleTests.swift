import MartletQueryBuilder
import MartletSQLite
import MartletStore
import TestSupport
import Testing

/// The examples of the query builder's article for newcomers.
@Suite struct GettingStartedArticleTests {
  @Table
  struct Note: Equatable {
    let id: Int
    var title = ""
    var isPinned = false
  }

  @Test("The article's statements work as described") func statements() throws {
    let db = try Connection(location: .inMemory)
    try #sql(
      """
      CREATE TABLE "notes" (
        "id" INTEGER PRIMARY KEY,
        "title" TEXT NOT NULL,
        "isPinned" INTEGER NOT NULL DEFAULT 0
      ) STRICT
      """
    ).execute(db)
    try db.checkSchema(Note.self)

    let ids = try Note.insert {
      Note.Draft(title: "Buy milk")
      Note.Draft(title: "Call home", isPinned: true)
    }
    .returning(\.id)
    .fetchAll(db)
    #expect(ids == [1, 2])

    let pinned = Note.where(\.isPinned).order(by: \.title)
    let notes = try pinned.fetchAll(db)
    #expect(notes == [Note(id: 2, title: "Call home", isPinned: true)])

    let sql = pinned.query.fragment.prepare().sql
    #expect(
      sql == """
        SELECT "notes"."id", "notes"."title", "notes"."isPinned" FROM "notes" \
        WHERE "notes"."isPinned" ORDER BY "notes"."title"
        """)

    let search = "milk"
    let titles = try Note.where { $0.title.contains(search) }.select(\.title).fetchAll(db)
    #expect(titles == ["Buy milk"])

    try Note.find(1).update { $0.title += " and bread" }.execute(db)
    try Note.where(\.isPinned).delete().execute(db)
    let rest = try Note.all.fetchAll(db)
    #expect(rest == [Note(id: 1, title: "Buy milk and bread")])
  }

  @Test("Every example of the article is in this file") func examples() throws {
    let blocks = try CodeBlocks.of(
      page: "Sources/Libraries/MartletQueryBuilder/MartletQueryBuilder.docc/GettingStarted.md")
    #expect(blocks.count == 8)
    for block in blocks { #expect(try CodeBlocks.contains(block, in: #filePath), "\(block)") }
  }
}
