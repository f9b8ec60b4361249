import Foundation
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

@Table private struct Message: Equatable {
  let id: Int
  let content: Content

  @Selection enum Content: Equatable {
    case text(String)
    case link(URL)
    case photo(Message.Photo)
    @Column("word_list", as: [String].JSONRepresentation.self) case words([String])
  }
  @Selection struct Photo: Equatable {
    @Column("photoCaption") var caption = ""
    @Column("photoKind") var kind = Kind.jpeg
    enum Kind: String, QueryBindable { case jpeg, png }
  }
}

@Table private enum Post: Equatable {
  case photo(Picture)
  case note(String = "empty")
}

@Selection private struct Picture: Equatable { let file: String }

private let page = URL(string: "https://example.org/")!

/// Each case of an enum has its own columns; the columns of all other cases are NULL.
@Suite struct EnumTableTests {
  @Test func names() {
    func isLong(_ text: CaseColumn<Message, String>) -> some QueryExpression<Bool> {
      text.length() > 9
    }
    func isPhoto(_ photo: CaseColumnGroup<Message, Message.Photo>) -> some QueryExpression<Bool> {
      photo.isNot(nil)
    }
    expectSQL(
      Message.where { isLong($0.content.text) && isPhoto($0.content.photo) }.select(\.id),
      """
      SELECT "messages"."id" FROM "messages" WHERE ((length("messages"."text") > ?) \
      AND (("messages"."photoCaption", "messages"."photoKind") IS NOT (?, ?)))
      """, [.int(9), .null, .null])
  }

  private func database() throws -> Connection {
    let db = try Connection(location: .inMemory)
    try db.execute(
      """
      CREATE TABLE "messages" (
        "id" INTEGER PRIMARY KEY, "text" TEXT, "link" TEXT, "photoCaption" TEXT, "photoKind" TEXT,
        "word_list" TEXT) STRICT;
      CREATE TABLE "posts" ("file" TEXT, "note" TEXT) STRICT
      """)
    try Message.insert {
      Message.Draft(content: .text("hello"))
      Message.Draft(content: .link(page))
      Message.Draft(content: .photo(Message.Photo(caption: "me", kind: .png)))
      Message.Draft(content: .words(["a", "b"]))
    }.execute(db)
    return db
  }

  @Test func rows() throws {
    let db = try database()
    let rows = [
      Message(id: 1, content: .text("hello")), Message(id: 2, content: .link(page)),
      Message(id: 3, content: .photo(Message.Photo(caption: "me", kind: .png))),
      Message(id: 4, content: .words(["a", "b"])),
    ]
    #expect(try Message.all.fetchAll(db) == rows)
    let contents = Message.select { $0.content }
    expectSQL(
      contents,
      """
      SELECT "messages"."text", "messages"."link", "messages"."photoCaption", \
      "messages"."photoKind", "messages"."word_list" FROM "messages"
      """)
    #expect(try contents.fetchAll(db) == rows.map(\.content))
  }

  /// ```swift
  /// Message.select(\.content.photo.caption)
  /// // SELECT "messages"."photoCaption" FROM "messages"
  /// ```
  @Test func cases() throws {
    let db = try database()
    let photos: [Message.Photo?] = try Message.select(\.content.photo).fetchAll(db)
    #expect(photos == [nil, nil, Message.Photo(caption: "me", kind: .png), nil])
    let captions: [String?] = try Message.select(\.content.photo.caption).fetchAll(db)
    #expect(captions == [nil, nil, "me", nil])
    let joined = Post.leftJoin(Message.all) { $0.note.eq($1.content.text) }
      .select { ($1.content.text, $1.content.photo) }
    let rows: [(String?, Message.Photo?)] = try joined.fetchAll(db)
    #expect(rows.isEmpty)
  }

  /// ```swift
  /// Message.where { $0.content.is(\.photo) }
  /// // WHERE (("messages"."photoCaption", "messages"."photoKind") IS NOT (NULL, NULL))
  /// ```
  @Test func conditions() throws {
    let db = try database()
    let text = Message.where { $0.content.is(\.text) }.select(\.id)
    expectSQL(
      text,
      #"SELECT "messages"."id" FROM "messages" WHERE ("messages"."text" IS NOT NULL)"#)
    #expect(try text.fetchAll(db) == [1])
    let photo = Message.where { $0.content.is(\.photo) }.select(\.id)
    expectSQL(
      photo,
      """
      SELECT "messages"."id" FROM "messages" \
      WHERE (("messages"."photoCaption", "messages"."photoKind") IS NOT (NULL, NULL))
      """)
    #expect(try photo.fetchAll(db) == [3])
    #expect(try Message.where { $0.content.photo.isNot(nil) }.select(\.id).fetchAll(db) == [3])
    #expect(try Message.where { $0.content.text.is("hello") }.select(\.id).fetchAll(db) == [1])
    #expect(
      try Message.where { $0.content.is(Message.Content.link(page)) }.select(\.id).fetchAll(db)
        == [2])
    #expect(try Post.where { $0.is(\.note) }.fetchAll(db) == [])
  }

  /// Assigning a case sets the others to NULL:
  ///
  /// ```swift
  /// Message.find(3).update { $0.content = .text("now text") }
  /// // UPDATE "messages" SET "text" = ?, "link" = ?, "photoCaption" = ?, "photoKind" = ?, …
  /// ```
  @Test func assign() throws {
    let db = try database()
    let whole = Message.find(3).update { $0.content = .text("now text") }.returning(\.self)
    #expect(try whole.fetchAll(db) == [Message(id: 3, content: .text("now text"))])
    let text = Message.find(2).update { $0.content.text = #bind("a link once") }
    expectSQL(
      text,
      """
      UPDATE "messages" SET "text" = ?, "link" = ?, "photoCaption" = ?, "photoKind" = ?, \
      "word_list" = ? WHERE ("messages"."id" = ?)
      """, [.text("a link once"), .null, .null, .null, .null, .int(2)])
    try text.execute(db)
    try Message.find(1).update { $0.content.photo = Message.Photo(caption: "new") }.execute(db)
    #expect(
      try Message.all.select(\.content).fetchAll(db) == [
        .photo(Message.Photo(caption: "new")), .text("a link once"), .text("now text"),
        .words(["a", "b"]),
      ])
    try Message.upsert { Message.Draft(id: 1, content: .link(page)) }.execute(db)
    #expect(try Message.find(1).fetchOne(db)?.content == .link(page))
  }

  /// ```swift
  /// Values(Message.Content.Columns.text("hello"))
  /// // SELECT ? AS "text", ? AS "link", …
  /// ```
  @Test func expressions() throws {
    let db = try database()
    let text = Values(Message.Content.Columns.text("hello"))
    #expect(try text.fetchAll(db) == [.text("hello")])
    let photo = Values(Message.Content.Selection.photo(Message.Photo(caption: "x")))
    #expect(try photo.fetchAll(db) == [.photo(Message.Photo(caption: "x"))])
    let words = Values(Message.Content.Columns.words(#bind(["a"])))
    #expect(try words.fetchAll(db) == [.words(["a"])])
    let upper = Message.where { $0.content.is(\.text) }
      .select { Message.Content.Columns.text($0.content.text.upper() ?? "") }
    #expect(try upper.fetchAll(db) == [.text("HELLO")])
  }

  @Test func theTableItself() throws {
    let db = try database()
    try Post.insert {
      Post.note("one")
      Post.photo(Picture(file: "a.png"))
      Post.Columns.note()
    }.execute(db)
    #expect(
      try Post.all.fetchAll(db) == [.note("one"), .photo(Picture(file: "a.png")), .note("empty")])
  }

  /// A row that is no case, or two cases, cannot be decoded.
  @Test func neitherNorBoth() throws {
    let db = try database()
    for values in ["NULL, NULL", "'a.png', 'note'"] {
      try db.execute(#"DELETE FROM "posts"; INSERT INTO "posts" VALUES (\#(values))"#)
      let error = #expect(throws: (any Error).self) { try Post.all.fetchAll(db) }
      #expect("\(error!)".contains("one case of Post"))
    }
  }
}
