import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

@Table private struct Coin: Equatable {
  let id: Int
  var value = 0
}
@Table private struct Purse: Equatable {
  let id: Int
}

/// A table of `With` that is known to be empty hides a stored table of the same name, like any
/// other.
@Suite struct EmptyTablesTests {
  let db: Connection
  init() throws {
    db = try Connection(location: .inMemory)
    try db.execute(
      """
      CREATE TABLE "coins" ("id" INTEGER PRIMARY KEY, "value" INTEGER);
      CREATE TABLE "purses" ("id" INTEGER PRIMARY KEY);
      INSERT INTO "coins" VALUES (1, 10), (2, 20);
      INSERT INTO "purses" VALUES (1), (3)
      """)
  }

  @Test func besideAnother() throws {
    let ids = With {
      Coin.none
      Purse.where { $0.id > 1 }
    } query: {
      Coin.select(\.id)
    }
    #expect(try ids.fetchAll(db) == [])
    let joined = With {
      Coin.none
      Purse.where { $0.id == 1 }.select { Narrow.Columns(id: $0.id) }
    } query: {
      Narrow.leftJoin(Coin.all) { $0.id == $1.id }.select { ($0.id, $1.value) }
    }
    let rows: [(Int, Int?)] = try joined.fetchAll(db)
    #expect(rows.count == 1 && rows[0] == (1, nil))
  }

  @Test func ofAnyForm() throws {
    let full = Purse.where { $0.id == 1 }
    let rows: [Coin] = []
    func number(_ tables: [CommonTableExpressionClause]) throws -> Int? {
      try With {
        tables
        full
      } query: {
        Coin.count()
      }.fetchOne(db)
    }
    typealias Tables = CommonTableExpressionBuilder
    #expect(try number(Tables.buildExpression(Coin.none)) == 0)
    #expect(try number(Tables.buildExpression(Coin.none.union(all: true, Coin.none))) == 0)
    #expect(try number(Tables.buildExpression(Coin.all.intersect(Coin.none))) == 0)
    #expect(try number(Tables.buildExpression(Values { for row in rows { row } })) == 0)
    #expect(try number(Coin.none.materialized()) == 0)
    #expect(try number([]) == 2)
  }

  /// A change with a condition on tables without rows finds no rows in them.
  @Test func changes() throws {
    try With {
      Coin.none.select { Narrow.Columns(id: $0.id) }
      Coin.where { $0.id == 1 }.select { Purse.Columns(id: $0.id) }
    } query: {
      Coin.where { $0.id.in(Narrow.select(\.id)) || $0.id.in(Purse.select(\.id)) }.delete()
    }.execute(db)
    #expect(try Coin.select(\.id).fetchAll(db) == [2])
    try With {
      Coin.none
    } query: {
      Coin.delete()
    }.execute(db)
    #expect(try Coin.count().fetchOne(db) == 1)
  }

  @Test func view() throws {
    try Narrow.createTemporaryView(as: Coin.none.select { Narrow.Columns(id: $0.id) }).execute(db)
    #expect(try Narrow.all.fetchAll(db) == [])
  }
}

@Selection private struct Narrow: Equatable { let id: Int }
