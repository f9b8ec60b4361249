import QueryBuilder
import SQLite
import Store
import Testing

@Selection private enum Media: Codable, Equatable {
  case link(String)
  case note(String)
}
@Selection private struct Post: Codable, Equatable {
  var title = ""
  var media: Media
}
@Table private struct Box: Equatable {
  let id: Int
  @Column(as: Post.JSONRepresentation.self) var post: Post
}

/// To set a case of an enum in a document is to set the enum.
@Suite struct EnumDocumentTests {
  private func database() throws -> Connection {
    let db = try Connection(location: .inMemory)
    try db.execute(#"CREATE TABLE "boxes" ("id" INTEGER PRIMARY KEY, "post" TEXT NOT NULL) STRICT"#)
    try Box.insert { Box(id: 1, post: Post(title: "t", media: .link("x"))) }.execute(db)
    return db
  }

  @Test func set() throws {
    let db = try database()
    try Box.update { $0.post = $0.post.jsonSet(\.media.note, "n") }.execute(db)
    #expect(try Box.all.fetchOne(db)?.post == Post(title: "t", media: .note("n")))
  }

  @Test func replace() throws {
    let db = try database()
    try Box.update { $0.post = $0.post.jsonReplace(\.media.note, "n") }.execute(db)
    #expect(try Box.all.fetchOne(db)?.post == Post(title: "t", media: .note("n")))
  }

  @Test func insertLeavesWhatIsThere() throws {
    let db = try database()
    try Box.update { $0.post = $0.post.jsonInsert(\.media.note, "n") }.execute(db)
    #expect(try Box.all.fetchOne(db)?.post == Post(title: "t", media: .link("x")))
  }

  @Test func expression() throws {
    let db = try database()
    try Box.update { $0.post = $0.post.jsonSet(\.media.note, $0.post.jsonExtract(\.title)) }
      .execute(db)
    #expect(try Box.all.fetchOne(db)?.post == Post(title: "t", media: .note("t")))
  }
}
