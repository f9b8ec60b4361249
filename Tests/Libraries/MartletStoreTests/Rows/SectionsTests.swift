import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

@Table private struct Product: Equatable {
  let id: Int
  var name = ""
  var category: String?
}

@Suite struct SectionsTests {
  private let db: Connection

  init() throws {
    db = try Connection(location: .inMemory)
    try db.execute(
      #"""
      CREATE TABLE "products" (
        "id" INTEGER PRIMARY KEY, "name" TEXT, "category" TEXT COLLATE NOCASE
      )
      """#)
    try db.seed {
      Product(id: 1, name: "pear", category: "fruit")
      Product(id: 2, name: "pen", category: nil)
      Product(id: 3, name: "apple", category: "fruit")
      Product(id: 4, name: "bread", category: "bakery")
    }
  }

  /// Sections are in their own order, rows in the order of the query.
  @Test func byColumn() throws {
    let sections = try Product.order(by: \.name).fetchAll(db, sectionBy: \.category)
    #expect(sections.map(\.name) == [nil, "bakery", "fruit"])
    #expect(sections.map { $0.map(\.name) } == [["pen"], ["bread"], ["apple", "pear"]])
    #expect(sections.elements.map(\.id) == [2, 4, 3, 1])
    #expect(sections[sectionName: "fruit"]?.count == 2)
    #expect(sections[sectionName: "toys"] == nil)
  }

  @Test func byExpression() throws {
    let sections = try Product.fetchAll(db, sectionBy: { $0.name.length() })
    #expect(sections.map(\.name) == [3, 4, 5])
    #expect(sections[2].map(\.id).sorted() == [3, 4])
    #expect(try Product.none.fetchAll(db, sectionBy: \.category).isEmpty)
    let longest = try Product.limit(1).fetchAll(db, sectionBy: { $0.name.length() })
    #expect(longest.map(\.name) == [3])
  }

  /// Names that a collation treats as equal still form separate, complete sections.
  @Test func namesThatSortAlike() throws {
    try db.seed {
      Product(id: 5, name: "fig", category: "Fruit")
      Product(id: 6, name: "banana", category: "fruit")
    }
    let sections = try Product.order(by: \.name).fetchAll(db, sectionBy: \.category)
    #expect(sections[sectionName: "fruit"]?.map(\.name) == ["apple", "banana", "pear"])
    #expect(sections[sectionName: "Fruit"]?.map(\.name) == ["fig"])
  }

  @Test func joined() throws {
    enum Other: AliasName {}
    let pairs = Product.join(Product.as(Other.self).all) { $0.id < $1.id }
    let sections = try pairs.fetchAll(db, sectionBy: { $1.id })
    #expect(sections.map(\.name) == [2, 3, 4])
    #expect(sections.map(\.count) == [1, 2, 3])
  }
}
