import Foundation
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

@Table private struct Leaf: Equatable {
  let id: Int
  var title = ""
  var parent: Int?
  @Column(as: Date.UnixTimeRepresentation.self) var at = Date(timeIntervalSince1970: 60)
  @Column(as: Date.UnixTimeRepresentation?.self) var seen: Date?
}
@Table private struct Token: Equatable {
  @Column(as: UUID.BytesRepresentation.self, primaryKey: true) let id: UUID
  @Column(as: UUID.BytesRepresentation.self) var other: UUID
}
@Table private struct Spot: Equatable {
  @Selection struct ID: Hashable {
    var row: Int
    var column: Int
  }
  let id: ID
}
@Table private struct Path: Equatable {
  let id: Int
  var to: Spot.ID?
}
private enum A: AliasName { static let aliasName = "as" }

/// A query inside of another one keeps its own columns, whatever the alias of the outer table is.
@Suite struct PartsTests {
  private let inner = #"(SELECT "leafs"."id" FROM "leafs" WHERE ("leafs"."id" = ?))"#

  private func database() throws -> Connection {
    let db = try Connection(location: .inMemory)
    try db.execute(
      """
      CREATE TABLE "leafs" ("id" INTEGER PRIMARY KEY, "title" TEXT, "parent" INTEGER,
        "at" INTEGER, "seen" INTEGER);
      INSERT INTO "leafs" VALUES (1, 'a', NULL, 60, NULL), (2, 'b', 1, 120, 60), (3, 'c', 2, 180, 9);
      CREATE TABLE "tokens" ("id" BLOB PRIMARY KEY, "other" BLOB)
      """)
    return db
  }

  private func expectIDs(
    _ query: Where<Leaf>, _ ids: [Int], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let found = try query.order(by: \.id).select(\.id).fetchAll(database())
    #expect(found == ids, sourceLocation: sourceLocation)
  }

  @Test func aliasBehindFind() throws {
    let parents = Leaf.find(Leaf.where { $0.id == 3 }.select { $0.parent ?? 0 }).as(A.self)
    expectSQL(
      parents.select(\.id),
      """
      SELECT "as"."id" FROM "leafs" AS "as" WHERE ("as"."id" IN \
      (SELECT coalesce("leafs"."parent", ?) FROM "leafs" WHERE ("leafs"."id" = ?)))
      """, [.int(0), .int(3)])
    try expectIDs(parents, [2])
    // The subquery may return NULL among the keys.
    try expectIDs(Leaf.find(Leaf.select(\.parent)).as(A.self), [1, 2])
    #expect(
      try Leaf.Draft.find(Leaf.where { $0.id > 1 }.select(\.id)).as(A.self).fetchAll(database())
        .map(\.id) == [2, 3])
  }

  @Test func aliasBehindMembership() throws {
    let (two, three) = (Leaf.find(2).select(\.id), Leaf.find(3).select(\.id))
    let either = Leaf.where { $0.id.in(two.union(three)) }.as(A.self)
    expectSQL(
      either.select(\.id),
      """
      SELECT "as"."id" FROM "leafs" AS "as" WHERE ("as"."id" IN \
      (SELECT "leafs"."id" FROM "leafs" WHERE ("leafs"."id" = ?) UNION \
      SELECT "leafs"."id" FROM "leafs" WHERE ("leafs"."id" = ?)))
      """, [.int(2), .int(3)])
    try expectIDs(either, [2, 3])
    try expectIDs(Leaf.where { $0.id.notIn(two.union(three)) }.as(A.self), [1])
    try expectIDs(Leaf.where { $0.id.in(two.except(three)) }.as(A.self), [2])
    try expectIDs(Leaf.where { $0.id.in(two.intersect(two)) }.as(A.self), [2])
    // An empty side is dropped. The other side is still a subquery.
    let none = Leaf.none.select(\.id)
    try expectIDs(Leaf.where { $0.id.in(two.union(none)) }.as(A.self), [2])
    try expectIDs(Leaf.where { $0.id.in(none.union(two)) }.as(A.self), [2])
    try expectIDs(Leaf.where { $0.id.in(two.except(none)) }.as(A.self), [2])
    try expectIDs(Leaf.where { $0.id.in(two.intersect(none)) }.as(A.self), [])
    let limited = Leaf.order { $0.id.desc() }.limit(1).select(\.id)
    try expectIDs(Leaf.where { $0.id.in(limited.union(two)) }.as(A.self), [2, 3])
    try expectIDs(Leaf.where { $0.id.in(Values(1).union(two)) }.as(A.self), [1, 2])
  }

  /// The outer query's own columns use the alias inside of the subquery.
  @Test func correlatedParts() throws {
    let parents = Leaf.as(A.self).where { leaf in
      leaf.id.in(
        Leaf.where { $0.parent == leaf.id }.select { $0.parent ?? 0 }
          .union(Leaf.where { $0.id == leaf.id && $0.title == "c" }.select(\.id)))
    }
    try expectIDs(parents, [1, 2, 3])
    #expect(parents.query.fragment.prepare().sql.contains(#"("leafs"."parent" IS "as"."id")"#))
  }

  @Test func aliasBehindHandWrittenSQL() throws {
    let exists = Leaf.where { _ in #sql("EXISTS \(Leaf.where { $0.id == 9 })") }.as(A.self)
    try expectIDs(exists, [])
    let statement = Leaf.where { _ in #sql("2 IN (\(statement: Leaf.find(2).select(\.id)))") }
    try expectIDs(statement.as(A.self), [1, 2, 3])
    let sides = Leaf.find(2).as(A.self) || Leaf.find(Leaf.find(3).select(\.id))
    try expectIDs(sides, [2, 3])
  }

  /// A value is found among values of the same representation, optional or not.
  @Test func representations() throws {
    try expectIDs(Leaf.where { $0.at.in(Leaf.select(\.seen)) }, [1])
    try expectIDs(Leaf.where { $0.seen.in(Leaf.select(\.at).union(Leaf.select(\.at))) }, [2])
    try expectIDs(Leaf.where { $0.parent.in(Leaf.select(\.id).union(Values(1))) }, [2, 3])
    try expectIDs(Leaf.where { $0.id.notIn(Values(1).union(Values(2))) }, [3])
    let (db, id) = (try database(), UUID())
    try Token.insert { Token(id: id, other: id) }.execute(db)
    #expect(try Token.find(Token.select(\.other)).fetchCount(db) == 1)
    #expect(
      try Token.where { $0.id.in(Token.select(\.other).union(Token.select(\.id))) }.fetchCount(db)
        == 1)
  }

  /// Keys and groups of several columns can be in subqueries, and have representations, like
  /// columns.
  @Test func severalColumns() throws {
    let db = try database()
    try db.execute(
      """
      CREATE TABLE "spots" ("row" INTEGER, "column" INTEGER, PRIMARY KEY ("row", "column"));
      CREATE TABLE "paths" ("id" INTEGER PRIMARY KEY, "row" INTEGER, "column" INTEGER);
      INSERT INTO "spots" VALUES (1, 2), (3, 4);
      INSERT INTO "paths" VALUES (1, 3, 4), (2, NULL, NULL)
      """)
    let ids = Spot.select(\.id)
    expectSQL(
      Spot.find(ids).as(A.self).count,
      """
      SELECT count(*) FROM "spots" AS "as" WHERE (("as"."row", "as"."column") IN \
      (SELECT "spots"."row", "spots"."column" FROM "spots"))
      """)
    #expect(try Spot.find(ids).as(A.self).fetchCount(db) == 2)
    let both = Spot.where { $0.id.in(ids.union(ids)) }.as(A.self)
    #expect(try both.fetchCount(db) == 2)
    // An optional group can be compared with one that is not optional.
    #expect(try Spot.find(Path.select(\.to)).fetchAll(db).map(\.id.row) == [3])
    #expect(try Path.where { $0.to.in(ids) }.as(A.self).fetchAll(db).map(\.id) == [1])
    #expect(try Spot.where { $0.id.notIn(Path.find(1).select(\.to)) }.fetchAll(db).count == 1)
    // The rows of a table that are keys themselves.
    let keys = With {
      Spot.ID(row: 1, column: 2)
    } query: {
      Spot.find(Spot.ID.all).select { $0.id.row }
    }
    #expect(try keys.fetchAll(db) == [1])
    let rows = With {
      Spot.ID(row: 3, column: 4)
    } query: {
      Path.where { $0.to.in(Spot.ID.all) }.select(\.id)
    }
    #expect(try rows.fetchAll(db) == [1])
  }
}
