import Foundation
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

@Table private struct Spot: Equatable {
  let id: Int
  @Column(lazyInitializable: true) var latitude: Double
  @Column(as: Date.UnixTimeRepresentation.self, lazyInitializable: true) var seen: Date
  var name = ""
}

@Table private struct Mark: Equatable {
  @Column(lazyInitializable: true) var weight: Double
  var name: String
}

@Suite struct DraftTests {
  private func database() throws -> Connection {
    let db = try Connection(location: .inMemory)
    try db.execute(
      """
      CREATE TABLE "spots" (
        "id" INTEGER PRIMARY KEY, "latitude" REAL NOT NULL DEFAULT 47.5,
        "seen" INTEGER NOT NULL DEFAULT 60, "name" TEXT NOT NULL) STRICT;
      CREATE TABLE "marks" ("weight" REAL NOT NULL DEFAULT 1, "name" TEXT NOT NULL) STRICT;
      """)
    return db
  }

  /// A `lazyInitializable` property can be left out of a draft. The column gets its DEFAULT.
  @Test func lazyColumns() throws {
    let db = try database()
    let insert = Spot.insert {
      Spot.Draft(name: "a")
      Spot.Draft(latitude: 1, seen: Date(timeIntervalSince1970: 5), name: "b")
    }.returning(\.self)
    // All rows of a statement have the same columns. For the first row alone, they get their
    // defaults.
    try Spot.insert { Spot.Draft(name: "a") }.execute(db)
    #expect(
      try Spot.all.fetchAll(db) == [
        Spot(id: 1, latitude: 47.5, seen: Date(timeIntervalSince1970: 60), name: "a")
      ])
    expectSQL(
      insert,
      """
      INSERT INTO "spots" ("name", "latitude", "seen") VALUES (?, NULL, NULL), (?, ?, ?) \
      RETURNING "id", "latitude", "seen", "name"
      """, [.text("a"), .text("b"), .double(1), .int(5)])
  }

  /// A table without a key has a draft if a property can be left out.
  @Test func withoutKey() throws {
    let db = try database()
    try Mark.insert { Mark.Draft(name: "x") }.execute(db)
    try Mark.insert { Mark.Draft(Mark(weight: 2, name: "y")) }.execute(db)
    #expect(
      try Mark.all.fetchAll(db) == [Mark(weight: 1, name: "x"), Mark(weight: 2, name: "y")])
  }

  /// ```swift
  /// var draft = Spot.Draft.find(1).fetchOne(db)
  /// // SELECT … FROM "spots" WHERE ("spots"."id" = ?)
  /// ```
  @Test func drafts() throws {
    let db = try database()
    try Spot.insert { Spot.Draft(name: "a") }.execute(db)
    var draft = try #require(try Spot.Draft.find(1).fetchOne(db))
    draft.name = "b"
    try Spot.upsert { draft }.execute(db)
    #expect(try Spot.Draft.where { $0.name.eq("b") }.fetchAll(db).map(\.id) == [1])
    #expect(try Spot.Draft.order { $0.name }.limit(1).fetchAll(db).count == 1)
    #expect(try Spot.Draft.find([1, 2]).fetchAll(db).count == 1)
    #expect(try Spot.all.count().fetchOne(db) == 1)
  }
}
