import QueryBuilder
import SQLite
import Store
import Testing

@Table private struct Memo: Equatable {
  let id: Int
  var title = ""
  var isDone = false
  @Column(as: [String].JSONRepresentation.self) var tags: [String] = []
}
private enum N: AliasName {}
private enum M: AliasName {}

/// A query goes under an alias whatever clauses it has, and so do an element of JSON and an INSERT.
@Suite struct AliasesTests {
  private func database() throws -> Connection {
    let db = try Connection(location: .inMemory)
    try db.execute(
      """
      CREATE TABLE "memos" ("id" INTEGER PRIMARY KEY, "title" TEXT NOT NULL,
        "isDone" INTEGER NOT NULL, "tags" TEXT NOT NULL) STRICT
      """)
    try Memo.insert {
      Memo(id: 1, title: "a", isDone: true, tags: ["x", "y"])
      Memo(id: 2, title: "b", tags: ["y"])
    }.execute(db)
    return db
  }

  @Test func behindClauses() throws {
    let done = Memo.where { $0.isDone }.order(by: \.title).as(N.self).select(\.id)
    expectSQL(
      done,
      #"SELECT "ns"."id" FROM "memos" AS "ns" WHERE "ns"."isDone" ORDER BY "ns"."title""#)
    #expect(try done.fetchAll(database()) == [1])
    let picked = Memo.select { ($0.id, $0.title) }.where { $0.id > 1 }.as(N.self)
    expectSQL(
      picked, #"SELECT "ns"."id", "ns"."title" FROM "memos" AS "ns" WHERE ("ns"."id" > ?)"#,
      [.int(1)])
    #expect(try Memo.find(2).as(N.self).where { $0.title == "b" }.fetchCount(database()) == 1)
    #expect(
      try Memo.group(by: \.isDone).having { $0.id.count() > 0 }.as(N.self)
        .select { $0.id.count() }.fetchAll(database()) == [1, 1])
  }

  @Test func joined() throws {
    let pairs = Memo.where { $0.isDone }.as(N.self)
      .join(Memo.where { !$0.isDone }.as(M.self)) { $0.id < $1.id }
      .select { ($0.title, $1.title) }
    let rows: [(String, String)] = try pairs.fetchAll(database())
    #expect(rows.count == 1 && rows[0] == ("a", "b"))
    let again = Memo.as(N.self).where { $0.id == 1 }.as(M.self)
    expectSQL(
      again.select(\.id), #"SELECT "ms"."id" FROM "memos" AS "ms" WHERE ("ms"."id" = ?)"#, [.int(1)]
    )
  }

  @Test func changes() throws {
    let db = try database()
    expectSQL(
      Memo.find(1).as(N.self).update { $0.title = "c" },
      #"UPDATE "memos" AS "ns" SET "title" = ? WHERE ("ns"."id" = ?)"#, [.text("c"), .int(1)])
    try Memo.find(1).as(N.self).update { $0.title = "c" }.execute(db)
    try Memo.where { !$0.isDone }.as(N.self).delete().execute(db)
    let insert = Memo.as(N.self).insert { Memo(id: 3, title: "d") }
    #expect(insert.query.fragment.prepare().sql.hasPrefix(#"INSERT INTO "memos" AS "ns" ("id","#))
    try insert.execute(db)
    #expect(try Memo.order(by: \.id).select(\.title).fetchAll(db) == ["c", "d"])
  }

  @Test func elements() throws {
    let tags = Memo.columns.tags
    let rows = Memo.join(tags.jsonEach().as(N.self)) { _, tag in tag.value == "y" }
      .order { note, _ in note.id }.select { note, tag in (note.id, tag.key) }
    #expect(
      rows.query.fragment.prepare().sql.contains(#"JOIN json_each("memos"."tags") AS "ns" ON"#))
    #expect(try rows.fetchAll(database()).map { [$0.0, $0.1] } == [[1, 1], [2, 0]])
    let filtered = tags.jsonEach(as: M.self).where { $0.value == "x" }.as(N.self)
    expectSQL(
      filtered.select(\.key),
      #"SELECT "ns"."key" FROM json_each("memos"."tags") AS "ns" WHERE ("ns"."value" = ?)"#,
      [.text("x")])
  }

  @Test func optionalTable() throws {
    let titles: [String?] = try Memo?.select { $0.title }.fetchAll(database())
    #expect(titles == ["a", "b"])
    let memos: [Memo?] = try Memo?.where { $0.id == 2 }.fetchAll(database())
    #expect(memos.map { $0?.title } == ["b"])
  }
}
