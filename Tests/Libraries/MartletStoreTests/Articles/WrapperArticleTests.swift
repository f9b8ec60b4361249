import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

/// A wrapper that makes the IDs of different tables different types.
struct Marked<Mark, RawValue: Sendable & Equatable>: RawRepresentable, Sendable, Equatable {
  var rawValue: RawValue
  init(rawValue: RawValue) { self.rawValue = rawValue }
}

extension Marked: OrderingTerm, QueryExpressible, QueryRepresentable, ColumnRepresentation,
  QueryDecodable, QueryBindable
where RawValue: ScalarValue {}

private enum ShopMark {}
@Table private struct Shop: Equatable {
  let id: Marked<ShopMark, Int>
  var name: Marked<Shop, String>?
}

/// A generic wrapper becomes a column type with one extension.
@Suite struct WrapperArticleTests {
  @Test func columns() throws {
    let db = try Connection(location: .inMemory)
    try db.execute(#"CREATE TABLE "shops" ("id" INTEGER PRIMARY KEY, "name" TEXT) STRICT"#)
    let id = Marked<ShopMark, Int>(rawValue: 5)
    try Shop.insert { Shop(id: id) }.execute(db)
    try Shop.find(id).where { $0.name.is(nil) }.update { $0.name = #bind(Marked(rawValue: "a")) }
      .execute(db)
    let shops = try Shop.where { $0.id == id && $0.id.in([id]) }.fetchAll(db)
    #expect(shops == [Shop(id: id, name: Marked(rawValue: "a"))])
  }
}
