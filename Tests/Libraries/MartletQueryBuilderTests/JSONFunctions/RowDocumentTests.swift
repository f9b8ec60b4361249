import Foundation
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

@Selection private struct Writer: Codable, Equatable {
  var name = ""
  @Column("is_verified") var isVerified = false
  var id: UUID
  @Column(as: Date.UnixTimeRepresentation.self) var since: Date
  var nick: String?
  @Column(as: [Site].JSONRepresentation.self) var sites: [Site] = []
}

@Selection private struct Site: Codable, Equatable {
  @Column("home_page") var homePage: String
  var visits = 0
}

@Table private struct Book: Equatable {
  let id: Int
  @Column(as: Writer.JSONRepresentation.self) var writer: Writer
  @Column(as: Writer?.JSONRepresentation.self) var editor: Writer?
  @Column(as: [String: Site].JSONRepresentation.self) var shops: [String: Site] = [:]
}

@Table private struct Shelf: Codable, Equatable {
  let id: Int
  var label = ""
}

/// A document that is a row has members with its columns' names: key paths find them, and SQLite's
/// functions make the same documents.
@Suite struct RowDocumentTests {
  private let id = UUID(uuidString: "DEADBEEF-DEAD-BEEF-DEAD-BEEFDEADBEEF")!
  private var writer: Writer {
    Writer(
      name: "Ann", isVerified: true, id: id, since: Date(timeIntervalSince1970: 60),
      sites: [Site(homePage: "a.example", visits: 3), Site(homePage: "b.example")])
  }

  private func database() throws -> Connection {
    let db = try Connection(location: .inMemory)
    try db.execute(
      """
      CREATE TABLE "books" (
        "id" INTEGER PRIMARY KEY, "writer" TEXT, "editor" TEXT, "shops" TEXT) STRICT;
      CREATE TABLE "shelfs" ("id" INTEGER PRIMARY KEY, "label" TEXT) STRICT;
      INSERT INTO "shelfs" VALUES (1, 'top'), (2, 'low')
      """)
    try Book.insert {
      Book(
        id: 1, writer: writer, shops: ["x": Site(homePage: "x.example", visits: 9)])
    }.execute(db)
    return db
  }

  @Test func stored() throws {
    let db = try database()
    #expect(
      try db.value("SELECT writer FROM books")?.text == """
        {"id":"deadbeef-dead-beef-dead-beefdeadbeef","is_verified":true,"name":"Ann","since":60,\
        "sites":[{"home_page":"a.example","visits":3},{"home_page":"b.example","visits":0}]}
        """)
    let books = try Book.all.fetchAll(db)
    #expect(
      books == [
        Book(id: 1, writer: writer, shops: ["x": Site(homePage: "x.example", visits: 9)])
      ])
  }

  /// ```swift
  /// Book.select { $0.writer.jsonExtract(\.isVerified) }
  /// // SELECT json_extract("books"."writer", '$.is_verified') FROM "books"
  /// ```
  @Test func paths() throws {
    let db = try database()
    let plain: [(String, Bool, UUID, String?)] = try Book.select {
      (
        $0.writer.jsonExtract(\.name), $0.writer.jsonExtract(\.isVerified),
        $0.writer.jsonExtract(\.id), $0.editor.jsonExtract(\.name)
      )
    }.fetchAll(db)
    #expect(plain.count == 1 && plain[0] == ("Ann", true, id, nil))
    #expect(try Book.where { $0.writer.jsonExtract(\.id).eq(id) }.fetchCount(db) == 1)
    let pages: [String] = try Book.select { $0.writer.jsonExtract(\.sites[1].homePage) }.fetchAll(
      db)
    #expect(pages == ["b.example"])
    let site: [Site] = try Book.select { $0.writer.jsonExtract(\.sites[0]) }.fetchAll(db)
    #expect(site == [Site(homePage: "a.example", visits: 3)])
    let whole: [Writer] = try Book.select { $0.writer.jsonExtract(\.self) }.fetchAll(db)
    #expect(whole == [writer])
  }

  @Test func edits() throws {
    let db = try database()
    try Book.update {
      $0.writer = $0.writer.jsonSet(\.isVerified, false).jsonSet(\.nick, "A")
        .jsonAppend(\.sites, #bind(Site(homePage: "c.example")))
    }.execute(db)
    var changed = writer
    changed.isVerified = false
    changed.nick = "A"
    changed.sites.append(Site(homePage: "c.example"))
    #expect(try Book.select(\.writer).fetchAll(db) == [changed])
    let merged = Values(#bind(["a": 1]).jsonPatch(#bind(["b": 2])))
    #expect(try merged.fetchAll(db) == [["a": 1, "b": 2]])
  }

  @Test func elements() throws {
    let db = try database()
    let visits: [Int] = try Book.join(Book.columns.writer.jsonEach(\.sites)) { _, _ in true }
      .select { $1.value.jsonExtract(\.visits) }.fetchAll(db)
    #expect(visits == [3, 0])
    let shops = Book.join(Book.columns.shops.jsonEach()) { _, shop in
      shop.value.jsonExtract(\.visits) > 5
    }
    .select { ($1.key, $1.value) }
    let rows: [(String, Site)] = try shops.fetchAll(db)
    #expect(rows.map(\.0) == ["x"])
    #expect(rows.map(\.1) == [Site(homePage: "x.example", visits: 9)])
  }

  /// `jsonGroupArray` of Codable rows has the representation `[Shelf].JSONRepresentation`.
  @Test func aggregates() throws {
    let db = try database()
    let all: SQLQueryExpression<[Shelf].JSONRepresentation> = SQLQueryExpression(
      Shelf.columns.jsonGroupArray().queryFragment)
    #expect(
      try Shelf.select { _ in all }.fetchAll(db) == [
        [Shelf(id: 1, label: "top"), Shelf(id: 2, label: "low")]
      ])
    let labels: [[String]] = try Shelf.select { $0.label.jsonGroupArray() }.fetchAll(db)
    #expect(labels == [["top", "low"]])
    let object: [Shelf] = try Shelf.find(1).select { $0.jsonObject() }.fetchAll(db)
    #expect(object == [Shelf(id: 1, label: "top")])
  }
}
