import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

@Table("people") private struct Person: Equatable {
  let id: Int
  var name = ""
  var age = 0

  static let named = Self.where { $0.name != "" }
  static let byAge = Self.order { $0.age.desc() }
  static let grown = Self.where { $0.age >= 18 }.byAge
}
@Selection private struct Name: Equatable { let name: String }
private enum P: AliasName {}

/// A static scope after `select` changes the conditions and the order, never the columns.
@Suite struct ScopesBehindColumnsTests {
  private func database() throws -> Connection {
    let db = try Connection(location: .inMemory)
    try db.execute(
      """
      CREATE TABLE "people" ("id" INTEGER PRIMARY KEY, "name" TEXT, "age" INTEGER);
      INSERT INTO "people" VALUES (1, 'a', 30), (2, 'a', 20), (3, '', 40), (4, 'b', 9)
      """)
    return db
  }

  @Test func distinct() throws {
    let query = Person.distinct().select(\.name).named
    expectSQL(
      query, #"SELECT DISTINCT "people"."name" FROM "people" WHERE ("people"."name" <> ?)"#,
      [.text("")])
    #expect(try Set(query.fetchAll(database())) == ["a", "b"])
  }

  @Test func severalColumns() throws {
    let rows = try Person.select { ($0.id, $0.name) }.grown.named.fetchAll(database())
    #expect(rows.map(\.0) == [1, 2])
    #expect(rows.map(\.1) == ["a", "a"])
  }

  @Test func counted() throws {
    #expect(try Person.count.grown.limit(1).fetchAll(database()) == [3])
  }

  @Test func subselect() throws {
    #expect(
      try Person.where { $0.name.in(Person.select(\.name).grown.named) }.select(\.id)
        .fetchAll(database()) == [1, 2])
  }

  @Test func union() throws {
    #expect(
      try Person.select(\.name).named.union(Person.select(\.name).grown).fetchAll(database())
        .sorted()
        == ["", "a", "b"])
  }

  @Test func commonTableExpression() throws {
    let query = With {
      Person.select { Name.Columns(name: $0.name) }.named
    } query: {
      Name.distinct().order(by: \.name)
    }
    #expect(try query.fetchAll(database()) == [Name(name: "a"), Name(name: "b")])
  }

  @Test func alias() throws {
    #expect(try Person.as(P.self).select(\.id).grown.fetchAll(database()) == [3, 1, 2])
  }
}
