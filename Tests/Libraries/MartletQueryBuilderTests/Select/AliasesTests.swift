import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

@Table private struct Memo: Equatable {
  let id: Int
  var title = ""
  var isDone = false
  @Column(as: [String].JSONRepresentation.self) var tags: [String] = []
}
private enum N: AliasName {}
private enum M: AliasName {}

/// A query can have an alias whatever its clauses are, and so can an element of JSON and an INSERT.
@Suite struct AliasesTests {
  private func database() throws -> Connection {
    let db = try Connection(location: .inMemory)
    try db.execute(
      """
      CREATE TABLE "memos" ("id" INTEGER PRIMARY KEY, "title" TEXT NOT NULL,
        "isDone" INTEGER NOT NULL DEFAULT 0, "tags" TEXT NOT NULL DEFAULT '[]') STRICT
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

  /// In the ON CONFLICT clause, the stored row has the alias.
  @Test func inserts() throws {
    let (db, memos) = (try database(), Memo.as(N.self))
    let upsert = memos.insert {
      ($0.id, $0.title)
    } values: {
      (1, "x")
    } onConflict: {
      $0.id
    } doUpdate: {
      $0.title = $0.title + $1.title
    } where: {
      $0.title < $1.title
    }
    expectSQL(
      upsert,
      """
      INSERT INTO "memos" AS "ns" ("id", "title") VALUES (?, ?) ON CONFLICT ("id") \
      DO UPDATE SET "title" = ("ns"."title" || "excluded"."title") \
      WHERE ("ns"."title" < "excluded"."title")
      """, [.int(1), .text("x")])
    try upsert.execute(db)
    try memos.insert(\.title) { "new" }.execute(db)
    try memos.insert {
      ($0.id, $0.title)
    } select: {
      Memo.find(2).select { ($0.id, $0.title) }
    } onConflictDoUpdate: {
      $0.title += "!"
    }.execute(db)
    try memos.insert {
      $0
    } select: {
      Memo.find(1)
    } onConflict: {
      $0.id
    }.execute(db)
    let returned = try memos.insert {
      Memo(id: 1, title: "y")
    } onConflictDoUpdate: { stored, new in
      stored.title += new.title
    }
    .returning { $0.title + "." }.fetchAll(db)
    #expect(returned == ["axy."])
    #expect(try Memo.order(by: \.id).select(\.title).fetchAll(db) == ["axy", "b!", "new"])
  }

  /// An INSERT rejects the further clauses of a query.
  @Test func insertIntoAQuery() throws {
    let db = try database()
    func refused(_ insert: Insert<Memo>) -> Bool {
      do {
        try insert.execute(db)
        return false
      } catch { return "\(error)".contains("an INSERT has no clauses of a query") }
    }
    let row = Memo(id: 9, title: "no")
    #expect(refused(Memo.where { $0.id == 1 }.as(N.self).insert { row }))
    #expect(refused(Memo.all.limit(1).insert { row }))
    #expect(refused(Memo.none.insert { row }))
    #expect(try Memo.all.fetchCount(db) == 2)
    try Memo.all.insert { row }.execute(db)
    #expect(try Memo.all.fetchCount(db) == 3)
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
