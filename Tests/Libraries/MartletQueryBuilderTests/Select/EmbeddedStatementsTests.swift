import Foundation
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

@Table private struct Pebble: Equatable {
  let id: Int
  var title = ""
  var parent: Int?
  @Column(as: Date.UnixTimeRepresentation.self) var at = Date(timeIntervalSince1970: 0)
}
@Table private struct Ribbon: Equatable {
  let id: Int
  var name = ""
  var isDeleted = false
  static let all = Self.where { !$0.isDeleted }.order(by: \.name)
}
@Table private struct Onset: Equatable {
  let id: Int
  var name = ""
  static let all = Self.distinct().group(by: \.name).having { $0.id.count() > 1 }
}
private enum Stone: AliasName {}

/// Queries inside of other queries, and combined queries.
@Suite struct EmbeddedStatementsTests {
  private func database() throws -> Connection {
    let db = try Connection(location: .inMemory)
    try db.execute(
      """
      CREATE TABLE pebbles (id INTEGER PRIMARY KEY, title TEXT NOT NULL, parent INTEGER, at INTEGER NOT NULL);
      CREATE TABLE ribbons (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, isDeleted INTEGER NOT NULL);
      INSERT INTO pebbles VALUES (1, 'c', NULL, 0), (2, 'b', 1, 0), (3, 'a', 2, 0);
      INSERT INTO ribbons VALUES (1, 'x', 0), (2, 'y', 1), (3, 'z', 0);
      """)
    return db
  }

  private func refusal(of statement: some Statement, _ db: Connection) throws -> String {
    let error = #expect(throws: (any Error).self) { _ = try statement.fetchAll(db) }
    return error.map { "\($0)" } ?? ""
  }

  @Test("An outer query's alias does not rename the tables of a subquery")
  func aliases() throws {
    let db = try database()
    let keys = Pebble.where { $0.id == 2 }.select { $0.parent ?? 0 }
    expectSQL(
      Pebble.find(keys).as(Stone.self).select(\.title),
      """
      SELECT "stones"."title" FROM "pebbles" AS "stones" WHERE ("stones"."id" IN \
      (SELECT coalesce("pebbles"."parent", ?) FROM "pebbles" WHERE ("pebbles"."id" = ?)))
      """, [.int(0), .int(2)])
    #expect(try Pebble.find(keys).as(Stone.self).select(\.title).fetchAll(db) == ["c"])
    let both = keys.union(Pebble.where { $0.id == 3 }.select { $0.parent ?? 0 })
    for query in [
      Pebble.where { $0.id.in(both) }.as(Stone.self), Pebble.find(both).as(Stone.self),
      Pebble.where { !$0.id.notIn(both) }.as(Stone.self),
      Pebble.where { #sql("\($0.id) IN \(both)") }.as(Stone.self),
    ] {
      #expect(try query.order(by: \.id).select(\.id).fetchAll(db) == [1, 2])
    }
  }

  @Test("A limited UPDATE FROM changes only the selected rows")
  func limited() throws {
    let db = try database()
    try Pebble.order(by: \.id).limit(1).update(from: Ribbon.unscoped) { item, row in
      item.title = row.name
    } where: {
      $0.id == $1.id
    }.execute(db)
    #expect(try Pebble.order(by: \.id).select(\.title).fetchAll(db) == ["x", "b", "a"])
    try Pebble.order(by: \.title).limit(1).update { $0.title = "first" }.where { $0.id > 1 }
      .execute(db)
    #expect(try Pebble.order(by: \.id).select(\.title).fetchAll(db) == ["x", "b", "first"])
  }

  @Test("An UPDATE FROM of the same table needs an alias")
  func fromItself() throws {
    let update = Pebble.update(from: Pebble.all) {
      $0.title = $1.title
    } where: {
      $0.id == $1.parent
    }
    let db = try database()
    #expect(try refusal(of: update, db).contains("alias"))
    try Pebble.update(from: Pebble.as(Stone.self)) {
      $0.title = $1.title
    } where: {
      $0.id == $1.parent
    }
    .execute(db)
    #expect(try Pebble.order(by: \.id).select(\.title).fetchAll(db) == ["b", "a", "a"])
  }

  @Test("An empty table of With has no rows next to another table")
  func emptyTable() throws {
    let db = try database()
    let query = With {
      Pebble.none
      Ribbon.unscoped.where { $0.id > 1 }
    } query: {
      Pebble.select(\.id)
    }
    #expect(try query.fetchAll(db) == [])
  }

  @Test("DISTINCT, GROUP BY and HAVING of a table's scope apply to every query")
  func scopes() {
    expectSQL(
      Onset.where { $0.id > 3 }.select(\.name),
      """
      SELECT DISTINCT "onsets"."name" FROM "onsets" WHERE ("onsets"."id" > ?) GROUP BY "onsets"."name" \
      HAVING (count("onsets"."id") > ?)
      """, [.int(3), .int(1)])
    expectSQL(
      Onset.unscoped.select(\.name), #"SELECT "onsets"."name" FROM "onsets""#)
  }

  @Test("Combined queries keep their own scopes, limits and groups")
  func together() throws {
    let db = try database()
    func ids(_ query: Where<Ribbon>) throws -> [Int] {
      try query.select(\.id).fetchAll(db).sorted()
    }
    #expect(
      try ids(Ribbon.unscoped.where { $0.id == 2 } || Ribbon.where { $0.id > 0 }) == [1, 2, 3])
    #expect(
      try ids(Ribbon.where { $0.id > 0 } || Ribbon.unscoped.where { $0.id == 2 }) == [1, 2, 3])
    #expect(try ids(Ribbon.where { $0.id == 2 } || Ribbon.where { $0.id > 0 }) == [1, 3])
    #expect(try ids(Ribbon.unscoped && Ribbon.where { $0.id > 1 }) == [3])
    func pebbles(_ query: Where<Pebble>) throws -> [Int] {
      try query.select(\.id).fetchAll(db).sorted()
    }
    let a = Pebble.where { $0.id == 1 }
    #expect(try pebbles(Pebble.order(by: \.title).limit(2) || a) == [1, 2, 3])
    #expect(try pebbles(a || Pebble.order(by: \.title).limit(2)) == [1, 2, 3])
    #expect(try pebbles(a && Pebble.order(by: \.title).limit(1)) == [])
    #expect(try pebbles(Pebble.order(by: \.title).limit(1) && Pebble.where { $0.id > 0 }) == [3])
    #expect(try pebbles(!(Pebble.order(by: \.title).limit(1) || a)) == [2])
  }

  @Test("Rows can be inserted through a query that consists of the table's scope")
  func insert() throws {
    let db = try database()
    try Ribbon.all.insert { Ribbon.Draft(name: "new") }.execute(db)
    #expect(try Ribbon.find(4).select(\.name).fetchAll(db) == ["new"])
    #expect(throws: (any Error).self) {
      try Ribbon.where { $0.id > 1 }.insert { Ribbon.Draft(name: "other") }.execute(db)
    }
  }

  @Test("A conflict clause also applies to a row of defaults")
  func defaults() throws {
    let db = try Connection(location: .inMemory)
    try db.execute(
      "CREATE TABLE pebbles (id INTEGER PRIMARY KEY, title TEXT DEFAULT 'one' UNIQUE, parent INTEGER, at INTEGER)"
    )
    for _ in 0..<3 { try Pebble.insert().onConflictDoNothing().execute(db) }
    #expect(try db.value("SELECT count(*) FROM pebbles")?.integer == 1)
  }

  @Test("A statement in a trigger cannot have an alias")
  func trigger() throws {
    let trigger = Pebble.createTemporaryTrigger(
      after: .insert { new in Pebble.as(Stone.self).update { $0.title = "x" } })
    #expect(try refusal(of: trigger, database()).contains("alias"))
  }
}
