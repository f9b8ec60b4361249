import QueryBuilder
import SQLite
import Store
import Testing

@Table("notes", schema: "main") private struct Note1: Equatable {
  let id: Int
  var text = ""
  var uses = 0
}
@Table("notes", schema: "old") private struct Note2: Equatable {
  let id: Int
  var text = ""
  var uses = 0
}
private enum N: AliasName {}

/// Tables of one name in two schemas: each reference says which one it means.
@Suite struct SchemaTests {
  private func database() throws -> Connection {
    let db = try Connection(location: .inMemory)
    try db.execute(
      """
      ATTACH ':memory:' AS "old";
      CREATE TABLE main."notes" ("id" INTEGER PRIMARY KEY, "text" TEXT, "uses" INTEGER);
      CREATE TABLE old."notes" ("id" INTEGER PRIMARY KEY, "text" TEXT, "uses" INTEGER);
      INSERT INTO main."notes" VALUES (1, 'a', 1), (2, 'b', 2);
      INSERT INTO old."notes" VALUES (2, 'B', 20), (3, 'C', 30)
      """)
    return db
  }

  @Test func references() {
    expectSQL(
      Note1.where { $0.id == 1 }.select(\.text),
      """
      SELECT "main"."notes"."text" FROM "main"."notes" WHERE ("main"."notes"."id" = ?)
      """, [.int(1)])
    expectSQL(
      Note1.as(N.self).select(\.text), #"SELECT "ns"."text" FROM "main"."notes" AS "ns""#)
  }

  @Test func correlatedSubselect() throws {
    let query = Note1.where { note in Note2.where { $0.id == note.id }.exists() }
    #expect(try query.select(\.id).fetchAll(database()) == [2])
  }

  @Test func join() throws {
    let query = Note1.join(Note2.all) { $0.id == $1.id }.select { ($0.text, $1.text) }
    let rows = try query.fetchAll(database())
    #expect(rows.map(\.0) == ["b"])
    #expect(rows.map(\.1) == ["B"])
  }

  @Test func changes() throws {
    let db = try database()
    try Note1.where { note in Note2.where { $0.id == note.id }.exists() }
      .update { $0.text += "!" }.execute(db)
    #expect(try Note1.order(by: \.id).select(\.text).fetchAll(db) == ["a", "b!"])
    try Note1.insert {
      Note1(id: 1, text: "z", uses: 5)
    } onConflict: {
      $0.id
    } doUpdate: {
      $0.uses += $1.uses
    }.execute(db)
    #expect(try Note1.find(1).select(\.uses).fetchAll(db) == [6])
    #expect(try Note1.find(1).delete().returning(\.text).fetchAll(db) == ["a"])
    try Note1.order(by: \.id).limit(1).delete().execute(db)
    #expect(try Note1.count().fetchOne(db) == 0)
  }

  @Test func counts() throws {
    #expect(try Note2.limit(1).count { $0.uses > 0 }.fetchOne(database()) == 1)
    #expect(try Note2.count { $0.uses > 20 }.fetchOne(database()) == 1)
  }

  @Test func trigger() throws {
    let db = try database()
    try Note1.createTemporaryTrigger(
      after: .insert { new in
        Note1.where { $0.id != new.id }.update { $0.uses += 1 }
      }
    ).execute(db)
    try Note1.insert { Note1(id: 9) }.execute(db)
    #expect(try Note1.order(by: \.id).select(\.uses).fetchAll(db) == [2, 3, 0])
  }
}
