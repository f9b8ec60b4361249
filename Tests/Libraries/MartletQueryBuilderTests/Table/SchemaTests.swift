import MartletQueryBuilder
import MartletSQLite
import MartletStore
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
@Table("noteViews", schema: "old") private struct NoteView: Equatable {
  let id: Int
  var text = ""
}
@Selection private struct NoteText: Equatable { let text: String }
@Table("texts", schema: "old") private struct NoteSearch: FTS5 {
  let rowid: Int
  let title: String
}

/// Tables of the same name in two schemas: each reference says which one it means.
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

  @Test func outerJoins() throws {
    let db = try database()
    let left = try Note1.leftJoin(Note2.all) { $0.id == $1.id }.order { a, _ in a.id }
      .select { ($0.text, $1.text) }.fetchAll(db)
    #expect(left.map(\.0) == ["a", "b"] && left.map(\.1) == [nil, "B"])
    let right = try Note1.rightJoin(Note2.all) { $0.id == $1.id }.order { _, two in two.id }
      .select { ($0.text, $1.text) }.fetchAll(db)
    #expect(right.map(\.0) == ["b", nil] && right.map(\.1) == ["B", "C"])
    let full = try Note1.fullJoin(Note2.all) { $0.id == $1.id }.fetchAll(db)
    #expect(Set(full.map { "\($0.0?.text ?? "-")\($0.1?.text ?? "-")" }) == ["a-", "bB", "-C"])
  }

  /// A side without rows still has its columns.
  @Test func joinsWithNone() throws {
    let db = try database()
    #expect(
      try Note1.leftJoin(Note2.none) { $0.id == $1.id }.where { _, two in two.id.is(nil) }.fetchAll(
        db
      )
      .count == 2)
    let right = Note1.none.rightJoin(Note2.all) { $0.id == $1.id }.order { _, two in two.text }
    #expect(try right.fetchAll(db).map(\.1.text) == ["B", "C"])
    let full = Note1.fullJoin(Note2.none) { $0.id == $1.id }.where { _, two in two.text.is(nil) }
      .order { one, _ in one.text }
    #expect(try full.fetchAll(db).map(\.0?.text) == ["a", "b"])
    let none = Note1.none.fullJoin(Note2.all) { $0.id == $1.id }.where { one, _ in one.text.is(nil)
    }.order { _, two in two.text }
    #expect(try none.fetchAll(db).map(\.1?.text) == ["B", "C"])
  }

  @Test func updateFrom() throws {
    let db = try database()
    try Note1.update(from: Note2.where { $0.uses > 1 }) { one, two in
      one.text = one.text + two.text
    } where: {
      $0.id == $1.id
    }.execute(db)
    #expect(try Note1.find(2).select(\.text).fetchOne(db) == "bB")
    // A query with more clauses becomes a subquery with its own name.
    let last = Note2.order(by: \.id).limit(1)
    let update = Note1.update(from: last) { one, two in
      one.uses = one.uses + two.uses
    } where: {
      $0.id == $1.id
    }
    expectSQL(
      update,
      """
      UPDATE "main"."notes" SET "uses" = ("main"."notes"."uses" + "old.notes"."uses") \
      FROM (SELECT "old"."notes"."id", "old"."notes"."text", "old"."notes"."uses" \
      FROM "old"."notes" ORDER BY "old"."notes"."id" LIMIT ?) AS "old.notes" \
      WHERE ("main"."notes"."id" = "old.notes"."id")
      """, [.int(1)])
    try update.execute(db)
    #expect(try Note1.order(by: \.id).select(\.uses).fetchAll(db) == [1, 22])
  }

  /// A temporary trigger names its table's schema. A persistent trigger is in that schema.
  @Test func triggersInOtherSchemas() throws {
    let db = try database()
    try Note2.createTemporaryTrigger(
      after: .delete { old in
        Note1.insert { Note1.Columns(id: old.id + 100, text: old.text, uses: old.uses) }
      }
    ).execute(db)
    try Note2.find(3).delete().execute(db)
    #expect(try Note1.where { $0.id > 100 }.select(\.text).fetchAll(db) == ["C"])
    let trigger = Note2.createTrigger(
      "bump",
      after: .update(
        of: { $0.text },
        forEachRow: { _, new in
          Note2.where { $0.id == new.id && Note2.where { $0.uses < 99 }.exists() }
            .update { $0.uses += 1 }
        }))
    try trigger.execute(db)
    try Note2.find(2).update { $0.text = "x" }.execute(db)
    try Note1.find(2).update { $0.text = "x" }.execute(db)
    #expect(try Note2.select(\.uses).fetchAll(db) == [21])
    #expect(try Note1.find(2).select(\.uses).fetchOne(db) == 2)
    expectSQL(trigger.drop(), #"DROP TRIGGER "old"."bump""#)
    try trigger.drop().execute(db)
  }

  @Test func views() throws {
    let db = try database()
    let query = Note2.where { $0.uses > 20 }.select { NoteView.Columns(id: $0.id, text: $0.text) }
    try NoteView.createView(as: query).execute(db)
    #expect(try NoteView.all.fetchAll(db) == [NoteView(id: 3, text: "C")])
    let pairs = NoteView.join(Note2.all) { $0.id == $1.id }.select { ($0.text, $1.uses) }
    #expect(try pairs.fetchAll(db).map(\.1) == [30])
    try NoteView.dropView().execute(db)
    let error = #expect(throws: (any Error).self) {
      try NoteView.createTemporaryView(as: query).execute(db)
    }
    #expect("\(try #require(error))".contains("A temporary view lies in temp"))
  }

  @Test func commonTables() throws {
    let db = try database()
    let both = With {
      Note1.select { NoteText.Columns(text: $0.text) }
        .union(Note2.select { NoteText.Columns(text: $0.text) })
    } query: {
      NoteText.leftJoin(Note2.all) { $0.text == $1.text }.order { text, _ in text.text }
        .select { ($0.text, $1.uses) }
    }
    #expect(try both.fetchAll(db).map(\.1) == [20, 30, nil, nil])
    // The query would silently read the real table.
    let error = #expect(throws: (any Error).self) {
      try With {
        Note1.where { $0.id == 1 }
      } query: {
        Note1.all
      }.fetchAll(db)
    }
    #expect("\(try #require(error))".contains("A table of With has no schema"))
  }

  @Test func searchTables() throws {
    let db = try database()
    try db.execute(
      """
      CREATE VIRTUAL TABLE old."texts" USING fts5("title");
      CREATE VIRTUAL TABLE main."texts" USING fts5("title");
      """)
    for trigger in NoteSearch.createTriggers(
      "search", syncing: Note2.self,
      row: { NoteSearch.Columns(rowid: $0.rowid, title: $0.text) })
    {
      try trigger.execute(db)
    }
    try Note2.insert { Note2(id: 5, text: "red fox") }.execute(db)
    let found = NoteSearch.where { $0.match("fox") && $0.title.match("red") }
      .select { ($0.title.highlight("[", "]"), $0.bm25(), $0.title.snippet("<", ">", "…", 9)) }
    #expect(try found.fetchAll(db).map(\.0) == ["[red] [fox]"])
    let joined = Note2.join(NoteSearch.all) { $0.rowid == $1.rowid }.where { _, text in
      text.match("fox")
    }
    #expect(
      try joined.select { _, text in text.title.highlight("[", "]") }.fetchAll(db) == ["red [fox]"])
    try NoteSearch.rebuild().execute(db)
  }
}
