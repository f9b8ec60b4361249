import Foundation
import Martlet
import MartletTesting
import TestSupport
import Testing

@Table
struct Author: Equatable, Identifiable {
  let id: Int
  var name = ""
}

@Table
struct Book: Equatable, Identifiable {
  let id: Int
  var title = ""
  var authorID: Author.ID?
  var pages = 0
  var isRead = false
}

enum Library {
  static var migrator: Migrator {
    var migrator = Migrator()
    migrator.registerMigration("authors and books") { db in
      try #sql(
        """
        CREATE TABLE "authors" ("id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL) STRICT
        """
      ).execute(db)
      try #sql(
        """
        CREATE TABLE "books" (
          "id" INTEGER PRIMARY KEY, "title" TEXT NOT NULL UNIQUE,
          "authorID" INTEGER REFERENCES "authors" ("id"), "pages" INTEGER NOT NULL DEFAULT 0,
          "isRead" INTEGER NOT NULL DEFAULT 0) STRICT
        """
      ).execute(db)
    }
    return migrator
  }

  static func open(_ path: String) throws -> EmbeddedDatabase {
    try migrator.migrate(path: path)
    let database = try EmbeddedDatabase(path: path)
    try database.read { db in try db.checkSchema(Author.self, Book.self) }
    return database
  }
}

@Selection
struct BookRow: Equatable {
  let title: String
  let author: String?
}

final class Shelf {
  @FetchAll var unread: [Book]

  init(_ database: EmbeddedDatabase) {
    _unread = FetchAll(Book.where { !$0.isRead }.order(by: \.title), database: database)
  }
}

@Table
struct BookText: FTS5 {
  let rowid: Int
  let title: String
}

/// Runs the Martlet code of the pages `docs/coming-from-….md`.
@Suite enum ComingFrom {}

extension ComingFrom {
  @Suite("The page for users of StructuredQueries", .timeLimit(.minutes(10)))
  struct StructuredQueriesPageTests {
    private let folder: MartletTesting.TemporaryFolder
    private let database: EmbeddedDatabase

    init() throws {
      folder = try MartletTesting.TemporaryFolder()
      database = try Library.open(folder.file("library.db"))
    }

    /// Two authors with three books, and a book without an author.
    private func fill() throws {
      try database.write { db in
        try Author.insert {
          Author.Draft(name: "Ada")
          Author.Draft(name: "Grace")
        }
        .execute(db)
        try Book.insert {
          Book.Draft(title: "Rivers", authorID: 1, pages: 320)
          Book.Draft(title: "Hills", authorID: 1, pages: 90, isRead: true)
          Book.Draft(title: "Lakes", authorID: 2, pages: 410)
          Book.Draft(title: "Woods", authorID: nil, pages: 50)
        }
        .execute(db)
      }
    }

    @Test("Each Martlet block of the page is code of this file")
    func blocks() throws {
      let blocks = try CodeBlocks.of(page: "docs/coming-from-structured-queries.md")
      #expect(blocks.count >= 10)
      for block in blocks {
        #expect(try CodeBlocks.contains(block, in: #filePath), "\(block)")
      }
    }

    @Test("A row is inserted and its ID returned")
    func insert() async throws {
      let id = try await database.write { db in
        try Book.insert { Book.Draft(title: "Rivers", pages: 320) }
          .returning(\.id)
          .fetchOne(db)
      }
      #expect(id == 1)
      // The columns that are nil in the draft are left out.
      let draft = Book.insert { Book.Draft(title: "Rivers", pages: 320) }
      #expect(
        draft.query.fragment.prepare().sql
          == #"INSERT INTO "books" ("title", "pages", "isRead") VALUES (?, ?, ?)"#)
    }

    @Test("Rows are fetched by key and by condition")
    func fetch() async throws {
      try fill()
      let (book, maybe, long, orphans) = try await database.read { db in
        let book = try Book.find(db, key: 1)  // throws NotFound if there is no such row
        let maybe = try Book.find(9).fetchOne(db)
        let long = try Book.where { $0.pages > 300 && !$0.isRead }.fetchAll(db)
        let orphans = try Book.where { $0.authorID == nil }.fetchAll(db)
        return (book, maybe, long, orphans)
      }
      #expect(book.title == "Rivers")
      #expect(maybe == nil)
      #expect(long.map(\.title) == ["Rivers", "Lakes"])
      #expect(orphans.map(\.title) == ["Woods"])
      #expect(throws: NotFound.self) { try database.read { try Book.find($0, key: 9) } }
    }

    @Test("Rows are sorted and paged")
    func page() async throws {
      try fill()
      let (first, next) = try await database.read { db in
        let first = try Book.order { ($0.title, $0.id) }.limit(2).fetchAll(db)
        let last = first[1]
        let next = try Book.where {
          #sql("(\($0.title), \($0.id)) > (\(bind: last.title), \(last.id))")
        }
        .order { ($0.title, $0.id) }
        .limit(2)
        .fetchAll(db)
        return (first, next)
      }
      #expect(first.map(\.title) == ["Hills", "Lakes"])
      #expect(next.map(\.title) == ["Rivers", "Woods"])
    }

    @Test("A route pages by cursor")
    func route() throws {
      let list = Route.read("/books", audience: .everyone) { request, _ in
        var parameters = QueryParameters.ofRead(request)
        let page = try parameters.page(of: "books")
        try parameters.finish()
        return try LiveSource(
          request, page, of: Book.all, by: [Book.columns.title, Book.columns.id])
      }
      let service = try TestService(
        Service(path: "", migrator: Library.migrator, routes: [list]))
      try service.database.write { db in
        try Book.insert {
          Book.Draft(title: "Rivers")
          Book.Draft(title: "Hills")
        }
        .execute(db)
      }
      let first = try service.get("/books?limit=1").value
      #expect(first["items"]?[0]?["title"]?.string == "Hills")
      let cursor = try #require(first["nextCursor"]?.string)
      let second = try service.get("/books?limit=1&cursor=\(cursor)").value
      #expect(second["items"]?[0]?["title"]?.string == "Rivers")
      #expect(second["nextCursor"]?.isNull == true)
    }

    @Test("Tables are joined, and columns chosen")
    func join() async throws {
      try fill()
      let rows = try await database.read { db in
        try Book.leftJoin(Author.all) { $0.authorID.eq($1.id) }
          .order { book, _ in book.title }
          .select { BookRow.Columns(title: $0.title, author: $1.name) }
          .fetchAll(db)
      }
      #expect(rows.map(\.title) == ["Hills", "Lakes", "Rivers", "Woods"])
      #expect(rows.map(\.author) == ["Ada", "Grace", "Ada", nil])
    }

    @Test("Rows are grouped")
    func group() async throws {
      try fill()
      let totals = try await database.read { db in
        try Author.leftJoin(Book.all) { $0.id.eq($1.authorID) }
          .group { author, _ in author.id }
          .having { _, book in book.count() > 1 }
          .select { author, book in (author.name, book.count(), book.pages.sum() ?? 0) }
          .fetchAll(db)
      }
      #expect(totals.count == 1)
      #expect(totals[0].0 == "Ada" && totals[0].1 == 2 && totals[0].2 == 410)
    }

    @Test("Rows are updated and upserted")
    func update() async throws {
      try fill()
      let title = "Wild rivers"
      try await database.write { db in
        try Book.find(1).update {
          $0.title = title
          $0.pages += 10
          $0.authorID = nil
          $0.isRead.toggle()
        }
        .execute(db)
        try Book.insert {
          Book.Draft(title: "Hills", pages: 95)
        } onConflict: {
          $0.title
        } doUpdate: {
          $0.pages = $1.pages
        }
        .execute(db)
        try Book.upsert { Book.Draft(id: 3, title: "Lakes", pages: 400) }.execute(db)
      }
      let books = try await database.read { try Book.order(by: \.id).fetchAll($0) }
      #expect(books.count == 4)
      #expect(
        books[0]
          == Book(id: 1, title: "Wild rivers", authorID: nil, pages: 330, isRead: true))
      #expect(books[1] == Book(id: 2, title: "Hills", authorID: 1, pages: 95, isRead: true))
      #expect(books[2] == Book(id: 3, title: "Lakes", authorID: nil, pages: 400, isRead: false))
    }

    @Test("A transaction is undone as a whole")
    func transaction() async throws {
      try fill()
      var isDuplicate = false
      do {
        try await database.write { db in
          try Author.insert { Author.Draft(name: "Hedy") }.execute(db)
          try Book.insert { Book.Draft(title: "Rivers") }.execute(db)
        }
      } catch let error as SQLiteError where error.constraint == .unique {
        isDuplicate = true  // neither row was inserted
      }
      #expect(isDuplicate)
      try await database.write { db in
        try Author.insert { Author.Draft(name: "Hedy") }.execute(db)
        try? db.savepoint { try Book.insert { Book.Draft(title: "Rivers") }.execute(db) }
        db.afterCommit { print("Hedy is stored") }
      }
      let names = try await database.read { try Author.select(\.name).fetchAll($0) }
      #expect(names == ["Ada", "Grace", "Hedy"])
      #expect(try await database.read { try Book.all.fetchCount($0) } == 4)
    }

    @Test("A query is observed")
    func observe() async throws {
      try fill()
      let database = database
      let shelf = Shelf(database)
      try await shelf.$unread.load()
      #expect(shelf.unread.map(\.title) == ["Lakes", "Rivers", "Woods"])
      let observer = Task {
        for try await books in database.values(of: Book.where { !$0.isRead }.order(by: \.title)) {
          print(books.map(\.title))
          if books.isEmpty { return }
        }
      }
      try await database.write { try Book.all.update { $0.isRead = true }.execute($0) }
      try await observer.value
      for await books in shelf.$unread.values where books.isEmpty { break }
      #expect(shelf.unread.isEmpty)
    }

    @Test("SQL is written by hand")
    func rawSQL() async throws {
      try fill()
      let text = "iver"
      let books = try await database.read { db in
        try #sql(
          """
          SELECT \(Book.columns) FROM \(Book.self)
          WHERE \(Book.title) LIKE '%' || \(bind: text) || '%'
          """, as: Book.self
        )
        .fetchAll(db)
      }
      #expect(books.map(\.id) == [1])
    }

    @Test("A full-text table follows its table")
    func search() async throws {
      let folder = try MartletTesting.TemporaryFolder()
      let path = folder.file("library.db")
      var migrator = Library.migrator
      migrator.registerMigration("search") { db in
        try #sql("CREATE VIRTUAL TABLE \"bookTexts\" USING fts5(\"title\")").execute(db)
      }
      try migrator.migrate(path: path)
      var configuration = Configuration()
      configuration.prepareSchema { db in
        try BookText.createTemporaryTriggers(syncing: Book.self) { book in
          BookText.Columns(rowid: book.rowid, title: book.title)
        }
        .execute(db)
      }
      let database = try EmbeddedDatabase(path: path, configuration: configuration)
      try await database.write { db in
        try Book.insert {
          Book.Draft(title: "Old growth forests")
          Book.Draft(title: "Old maps")
        }
        .execute(db)
      }
      let typed = #"forests" gro"#
      let words = typed.split(separator: " ").map(String.init)
      let pattern = SearchPattern(allOf: words, lastIsPrefix: true)
      let hits = try await database.read { db in
        try BookText.where { if let pattern { $0.match(pattern) } }
          .order(by: \.rank)
          .select { $0.title.highlight("<b>", "</b>") }
          .fetchAll(db)
      }
      #expect(hits == ["Old <b>growth</b> <b>forests</b>"])
    }

    @Test("Equality of optionals is that of Swift")
    func equality() throws {
      try fill()
      func sql(_ query: some MartletQueryBuilder.Statement) -> String {
        query.query.fragment.prepare().sql
      }
      #expect(
        sql(Book.where { $0.authorID != 1 }.select(\.id))
          == #"SELECT "books"."id" FROM "books" WHERE ("books"."authorID" IS NOT ?)"#)
      #expect(
        sql(Book.where { $0.authorID.neq(1) }.select(\.id))
          == #"SELECT "books"."id" FROM "books" WHERE ("books"."authorID" <> ?)"#)
      let (others, known) = try database.read { db in
        let others = try Book.where { $0.authorID != 1 }.fetchAll(db)
        let known = try Book.where { $0.authorID.neq(1) }.fetchAll(db)
        return (others, known)
      }
      #expect(others.map(\.title) == ["Lakes", "Woods"])
      #expect(known.map(\.title) == ["Lakes"])
    }
  }
}
