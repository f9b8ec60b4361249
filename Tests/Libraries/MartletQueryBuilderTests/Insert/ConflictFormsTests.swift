import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

@Table private struct Tally: Equatable {
  let id: Int
  var name = ""
  var uses = 0
  var note: String?
}

/// ON CONFLICT after rows, values and queries.
@Suite struct ConflictFormsTests {
  private func database() throws -> Connection {
    let db = try Connection(location: .inMemory)
    try db.execute(
      """
      CREATE TABLE "tallies" (
        "id" INTEGER PRIMARY KEY, "name" TEXT UNIQUE, "uses" INTEGER DEFAULT 0,
        "note" TEXT DEFAULT 'default');
      INSERT INTO "tallies" VALUES (1, 'a', 1, 'kept'), (2, 'b', 5, NULL)
      """)
    return db
  }

  private func uses(_ insert: Insert<Tally>) throws -> [Int] {
    let db = try database()
    try insert.execute(db)
    return try Tally.order(by: \.id).select(\.uses).fetchAll(db)
  }

  @Test func rows() throws {
    let insert = Tally.insert {
      Tally.Draft(name: "a", uses: 7)
    } onConflict: {
      $0.name
    } doUpdate: {
      $0.uses += $1.uses
    } where: {
      $0.uses < 7
    }
    expectSQL(
      insert,
      """
      INSERT INTO "tallies" ("name", "uses") VALUES (?, ?) ON CONFLICT ("name") \
      DO UPDATE SET "uses" = ("tallies"."uses" + "excluded"."uses") \
      WHERE ("tallies"."uses" < ?)
      """, [.text("a"), .int(7), .int(7)])
    #expect(try uses(insert) == [8, 5])
    #expect(
      try uses(
        Tally.insert {
          Tally.Draft(name: "b", uses: 1)
        } onConflictDoUpdate: {
          $0.uses = $1.uses - 1
        } where: { _, new in
          new.uses > 1
        }) == [1, 5])
  }

  @Test func values() throws {
    let insert = Tally.insert {
      ($0.name, $0.uses)
    } values: {
      ("a", 10)
      ("c", 20)
    } onConflictDoUpdate: {
      $0.uses += 100
    }
    expectSQL(
      insert,
      """
      INSERT INTO "tallies" ("name", "uses") VALUES (?, ?), (?, ?) \
      ON CONFLICT DO UPDATE SET "uses" = ("tallies"."uses" + ?)
      """, [.text("a"), .int(10), .text("c"), .int(20), .int(100)])
    #expect(try uses(insert) == [101, 5, 20])
    let nothing = Tally.insert {
      $0.name
    } values: {
      "a"
    } onConflict: {
      $0.name
    }
    expectSQL(
      nothing, #"INSERT INTO "tallies" ("name") VALUES (?) ON CONFLICT ("name") DO NOTHING"#,
      [.text("a")])
  }

  /// The SELECT gets a WHERE. Without one, SQLite would parse ON as the constraint of a join.
  @Test func queries() throws {
    let insert = Tally.insert {
      $0.name
    } select: {
      Tally.select { $0.name }
    } onConflict: {
      $0.name
    } doUpdate: {
      $0.uses = $0.uses * 2
    }
    expectSQL(
      insert,
      """
      INSERT INTO "tallies" ("name") SELECT * FROM (SELECT "tallies"."name" FROM "tallies") \
      WHERE 1 ON CONFLICT ("name") DO UPDATE SET "uses" = ("tallies"."uses" * ?)
      """, [.int(2)])
    #expect(try uses(insert) == [2, 10])
  }

  /// `where` before an update, or without one, is the condition of a partial index. Its values are
  /// literals, because SQLite compares it with the condition of the index.
  @Test func partialIndexes() throws {
    let nothing = Tally.insert {
      Tally.Draft(name: "a")
    } onConflict: {
      $0.name
    } where: {
      $0.uses > 0
    }
    expectSQL(
      nothing,
      """
      INSERT INTO "tallies" ("name", "uses") VALUES (?, ?) \
      ON CONFLICT ("name") WHERE ("uses" > 0) DO NOTHING
      """, [.text("a"), .int(0)])
    let update = Tally.insert {
      Tally.Draft(name: "a", uses: 3)
    } onConflict: {
      $0.name
    } where: {
      $0.uses > 0
    } doUpdate: {
      $0.uses = 9
    } where: { stored, new in
      stored.uses < new.uses
    }
    let db = try Connection(location: .inMemory)
    try db.execute(
      """
      CREATE TABLE "tallies" ("id" INTEGER PRIMARY KEY, "name" TEXT, "uses" INTEGER, "note" TEXT);
      CREATE UNIQUE INDEX "used" ON "tallies" ("name") WHERE "uses" > 0;
      INSERT INTO "tallies" VALUES (1, 'a', 1, NULL)
      """)
    try update.execute(db)
    try nothing.execute(db)
    #expect(try Tally.order(by: \.id).select(\.uses).fetchAll(db) == [9, 0])
  }

  /// Each source of rows has each form of the conflict clause.
  @Test func everySource() throws {
    let one = Tally.insert(\.name) {
      "a"
    } onConflict: {
      $0.name
    } doUpdate: {
      $0.uses += 1
    } where: { stored, new in
      stored.name == new.name
    }
    #expect(try uses(one) == [2, 5])
    let whole = Tally.insert {
      $0
    } select: {
      Tally.where { $0.uses > 1 }
    } onConflictDoUpdate: {
      $0.uses += $1.uses
    } where: {
      $0.name == "b"
    }
    #expect(try uses(whole) == [1, 10])
    let values = Tally.insert {
      ($0.name, $0.uses)
    } values: {
      ("a", 7)
    } onConflictDoUpdate: {
      $0.uses = $1.uses
    } where: { stored, new in
      stored.uses < new.uses
    }
    #expect(try uses(values) == [7, 5])
  }

  /// For a draft's `nil`, an INSERT uses the column's DEFAULT. An upsert writes NULL, because the
  /// row may exist.
  @Test func upsertOfADraft() throws {
    let db = try database()
    let upsert = Tally.upsert { Tally.Draft(id: 1, name: "a2") }
    expectSQL(
      upsert,
      """
      INSERT INTO "tallies" ("id", "name", "uses", "note") VALUES (?, ?, ?, ?) \
      ON CONFLICT ("id") DO UPDATE SET "name" = "excluded"."name", \
      "uses" = "excluded"."uses", "note" = "excluded"."note"
      """, [.int(1), .text("a2"), .int(0), .null])
    try upsert.execute(db)
    #expect(try Tally.find(1).fetchOne(db) == Tally(id: 1, name: "a2", uses: 0, note: nil))
    try Tally.insert { Tally.Draft(name: "d") }.execute(db)
    #expect(try Tally.where { $0.name == "d" }.select(\.note).fetchOne(db) == "default")
  }

  /// ```swift
  /// try Seeds { Tally(id: 7, name: "x"); Tally.Draft(name: "y") }.execute(db)
  /// ```
  @Test func seeds() throws {
    let db = try database()
    let isBig = true
    let seeds = Seeds {
      Tally(id: 7, name: "x")
      Tally(id: 8, name: "y")
      if isBig { Tally.Draft(name: "z") }
      [Tally(id: 20, name: "t")]
    }
    #expect(seeds.map { $0 }.count == 3)
    try seeds.execute(db)
    #expect(try Tally.where { $0.id > 2 }.select(\.name).fetchAll(db) == ["x", "y", "z", "t"])
    #expect(Tally.insert { [] }.query.isEmpty)
    try Tally.insert([Tally(id: 30, name: "array")]).execute(db)
    #expect(try Tally.find(30).fetchOne(db)?.name == "array")
  }
}
