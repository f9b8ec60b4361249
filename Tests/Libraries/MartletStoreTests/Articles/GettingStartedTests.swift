import MartletJSON
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import TestSupport
import Testing

@Table
struct Recipe: Equatable {
  let id: Int
  var title = ""
  var minutes = 0
}

/// The examples of MartletStore's article for newcomers.
@Suite struct GettingStartedTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open() throws -> EmbeddedDatabase {
    let path = folder.file("recipes.db")

    var migrator = Migrator()
    migrator.registerMigration("Create recipes") { db in
      try #sql(
        """
        CREATE TABLE "recipes" (
          "id" INTEGER PRIMARY KEY,
          "title" TEXT NOT NULL,
          "minutes" INTEGER NOT NULL
        ) STRICT
        """
      ).execute(db)
    }
    try migrator.migrate(path: path)

    let database = try EmbeddedDatabase(path: path)
    try database.read { db in try db.checkSchema(Recipe.self) }
    return database
  }

  @Test("The article's writes, queries and pages work as described") func recipes() throws {
    let database = try open()
    defer { database.close() }

    let ids = try database.write { db in
      try Recipe.insert {
        Recipe.Draft(title: "Soup", minutes: 40)
        Recipe.Draft(title: "Salad", minutes: 10)
        Recipe.Draft(title: "Bread", minutes: 90)
      }
      .returning(\.id)
      .fetchAll(db)
    }
    #expect(ids == [1, 2, 3])

    let quick = try database.read { db in
      try Recipe.where { $0.minutes < 60 }.order(by: \.title).fetchAll(db)
    }
    #expect(quick.map(\.title) == ["Salad", "Soup"])

    func page(after cursor: PageCursor?) -> PageQuery {
      let last = Int(cursor?.keys.first?.integer ?? 0)
      return PageQuery(
        segments: [
          { limit in
            Recipe.where { $0.id > last }.order(by: \.id).limit(limit).query(hiding: [Recipe.id])
          }
        ], keyCount: 1, limit: 2, fingerprint: 1)
    }

    func json(_ page: PageQuery) throws -> String {
      let body = ByteBuffer()
      try database.read { db in try db.writeJSON(page, into: body) }
      return body.share().string
    }
    let first = try json(page(after: nil))

    let token = try JSONValue.parse(first).object?["nextCursor"]?.string ?? ""
    let second = try json(page(after: PageCursor(token)))

    let cursor = PageCursor(fingerprint: 1, keys: [.integer(2)])
    #expect(token == cursor.text && PageCursor(token) == cursor)
    #expect(
      first == #"{"items":[{"id":1,"title":"Soup","minutes":40},"#
        + #"{"id":2,"title":"Salad","minutes":10}],"nextCursor":"\#(token)"}"#)
    #expect(second == #"{"items":[{"id":3,"title":"Bread","minutes":90}],"nextCursor":null}"#)
  }

  @Test("The article's asynchronous code works as described") func asynchronous() async throws {
    let database = try open()
    try await database.write { db in
      try Recipe.insert { Recipe.Draft(title: "Tea", minutes: 5) }.execute(db)
    }
    let count = try await database.read { db in try Recipe.all.fetchCount(db) }
    #expect(count == 1)
    database.close()
  }

  @Test("Every example of the article is in this file") func examples() throws {
    let blocks = try CodeBlocks.of(
      page: "Sources/Libraries/MartletStore/MartletStore.docc/GettingStarted.md")
    #expect(blocks.count == 10)
    for block in blocks { #expect(try CodeBlocks.contains(block, in: #filePath), "\(block)") }
  }
}
