import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

@Table private struct Page: Equatable { let id: Int }
@Table private struct PageText: FTS5, Equatable {
  let rowid: Int
  let title: String
  let body: String
}

/// FTS5's functions get the table's own name, whatever alias the query uses.
@Suite struct SearchAliasTests {
  enum Found: AliasName {}

  private func database() throws -> Connection {
    let db = try Connection(location: .inMemory)
    try db.execute(
      """
      CREATE TABLE "pages" ("id" INTEGER PRIMARY KEY);
      INSERT INTO "pages" VALUES (1), (2), (3);
      CREATE VIRTUAL TABLE "pageTexts" USING fts5("title", "body");
      INSERT INTO "pageTexts" ("rowid", "title", "body")
        VALUES (1, 'red apple', 'take or leave'), (2, 'pear', 'take an apple')
      """)
    return db
  }

  @Test func alias() throws {
    let rows = try PageText.as(Found.self).where { $0.match("apple") }
      .order { $0.bm25([\.title: 5]) }
      .select { ($0.title.highlight("<", ">"), $0.body.snippet("<", ">", "…", 2)) }
      .fetchAll(database())
    #expect(rows.map(\.0) == ["red <apple>", "pear"])
    #expect(rows.map(\.1) == ["take or…", "…an <apple>"])
  }

  /// On the optional side of a join, a highlighted column is optional. (SQLite calls the function
  /// only if the row exists.)
  @Test func outerJoin() throws {
    let query = Page.leftJoin(PageText.all) { $0.id.eq($1.rowid) }.order { $1.bm25() }
      .select { ($1.title.highlight("<", ">"), $1.rank) }
    let rows: [(String?, Double?)] = try query.limit(0).fetchAll(database())
    #expect(rows.isEmpty)
    #expect(
      query.query.fragment.prepare().sql == """
        SELECT highlight("pageTexts", 0, ?, ?), "pageTexts"."rank" FROM "pages" \
        LEFT JOIN "pageTexts" ON ("pages"."id" = "pageTexts"."rowid") ORDER BY bm25("pageTexts")
        """)
  }

  /// A match on a column is a phrase, so query syntax in it is plain text.
  @Test func columnMatch() throws {
    func ids(_ text: String) throws -> [Int] {
      try PageText.where { $0.body.match(text) }.select(\.rowid).fetchAll(database())
    }
    #expect(try ids("take or") == [1])
    #expect(try ids("take OR apple") == [])
    #expect(try ids("an apple") == [2])
    #expect(try ids(#"" OR ( NEAR"#) == [])
    let pattern = try #require(SearchPattern(allOf: ["take", "app"], lastIsPrefix: true))
    #expect(
      try PageText.where { $0.body.match(pattern) }.select(\.rowid).fetchAll(database()) == [2])
  }
}
