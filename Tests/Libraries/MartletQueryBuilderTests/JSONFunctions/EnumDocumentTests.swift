import Foundation
import MartletQueryBuilder
import MartletSQLite
import MartletStore
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

/// Setting a case of an enum in a document sets the enum.
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

  // Members of a case.

  private func article(
    _ content: DocContent, _ change: (TableColumn<Article, Body>) -> JSONEdit<Body>
  )
    throws -> DocContent?
  {
    let db = try Connection(location: .inMemory)
    try db.execute(#"CREATE TABLE "articles" ("id" INTEGER PRIMARY KEY, "body" TEXT) STRICT"#)
    let body = DocDetail(note: "n", token: UUID(), content: content)
    try Article.insert { Article(id: 1, body: body) }.execute(db)
    let changed = change(Article.columns.body)
    try Article.update { $0.body = changed }.execute(db)
    return try Article.select(\.body).fetchOne(db)?.content
  }
  private let link = DocContent.link(URL(string: "https://a.example")!)
  private let clip = DocContent.clip(DocClip(codec: "c", length: 0.1 + 0.2))

  @Test func memberOfTheCase() throws {
    let picture = DocContent.picture(
      DocPicture(caption: "c", taken: Date(timeIntervalSince1970: 60)))
    let changed = DocPicture(caption: "new", taken: Date(timeIntervalSince1970: 60))
    #expect(
      try article(picture) { $0.jsonSet(\.content.picture.caption, "new") } == .picture(changed))
    #expect(
      try article(picture) { $0.jsonReplace(\.content.picture.caption, "new") }
        == .picture(changed))
    #expect(
      try article(clip) { $0.jsonInsert(\.content.clip.coder, "x") }
        == .clip(DocClip(codec: "c", length: 0.1 + 0.2, coder: "x")))
  }

  @Test func memberOfAnotherCase() throws {
    #expect(
      try article(link) { $0.jsonSet(\.content.picture.caption, "new") }
        == .picture(DocPicture(caption: "new")))
    #expect(try article(link) { $0.jsonInsert(\.content.picture.caption, "new") } == link)
    #expect(try article(link) { $0.jsonReplace(\.content.picture.caption, "new") } == link)
    // A codec alone is not a complete clip.
    #expect(try article(link) { $0.jsonSet(\.content.clip.codec, "x") } == link)
    #expect(
      try article(clip) { $0.jsonSet(\.content.clip.codec, "x") }
        == .clip(DocClip(codec: "x", length: 0.1 + 0.2)))
  }

  @Test func enumInACase() throws {
    let reply = DocContent.reply(DocReply(mark: .word("w"), by: "b"))
    #expect(
      try article(reply) { $0.jsonSet(\.content.reply.mark.star, 5) }
        == .reply(DocReply(mark: .star(5), by: "b")))
    #expect(
      try article(link) { $0.jsonSet(\.content.reply.mark.star, 5) }
        == .reply(DocReply(mark: .star(5))))
    #expect(try article(reply) { $0.jsonInsert(\.content.reply.mark.star, 5) } == reply)
    #expect(try article(link) { $0.jsonInsert(\.content.reply.mark.star, 5) } == link)
    #expect(
      try article(reply) {
        $0.jsonSet(\.note, "m").jsonSet(\.content.picture.caption, "p")
          .jsonSet(\.content.reply.by, "c").jsonSet(\.content.reply.mark.word, "v")
      } == .reply(DocReply(mark: .word("v"), by: "c")))
  }

  @Test func binary() throws {
    let post = #bind(Post(media: .link("x")), as: Post.JSONBRepresentation.self)
    let sql = post.jsonbSet(\.media.note, "n").queryFragment.prepare().sql
    #expect(sql == "jsonb_set(?, '$.media', json_object('note', ?))")
  }
}

private typealias Body = DocDetail.JSONRepresentation
@Table private struct Article: Equatable {
  let id: Int
  @Column(as: DocDetail.JSONRepresentation.self) var body: DocDetail
}
