import Foundation
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

@Selection private struct Stock: Equatable {
  var isSoldOut = false
  var isOrdered = false
}

@Selection private struct Times: Equatable {
  var made: Date
  var changed: Date?
  @Column(generated: .virtual) let isChanged: Bool
}

@Table private struct Product: Equatable {
  var title: String
  var quantity = 0
  var stock = Stock()
}

@Table private struct Rack: Equatable {
  let id: Int
  var product: Product?
  var times: Times
}

@Selection private struct Inner: Equatable { var n: Int }
@Selection private struct Middle: Equatable { var inner: Inner }
@Table private struct Outer: Equatable { var middle: Middle }

private let made = Date(timeIntervalSince1970: 1_772_286_330.25)

/// A property whose type is a `@Selection` or a `@Table` takes several columns of the table.
@Suite struct ColumnGroupTests {
  private func database() throws -> Connection {
    let db = try Connection(location: .inMemory)
    try db.execute(
      """
      CREATE TABLE "products" (
        "title" TEXT NOT NULL DEFAULT 'new', "quantity" INTEGER NOT NULL DEFAULT 0,
        "isSoldOut" INTEGER NOT NULL DEFAULT 0, "isOrdered" INTEGER NOT NULL DEFAULT 0) STRICT;
      CREATE TABLE "racks" (
        "id" INTEGER PRIMARY KEY, "title" TEXT, "quantity" INTEGER, "isSoldOut" INTEGER,
        "isOrdered" INTEGER, "made" TEXT NOT NULL, "changed" TEXT,
        "isChanged" INTEGER AS ("changed" IS NOT NULL) VIRTUAL) STRICT;
      CREATE TABLE "outers" ("n" INTEGER) STRICT
      """)
    try Product.insert {
      Product(title: "tea", quantity: 3)
      Product(title: "jam", quantity: 0, stock: Stock(isSoldOut: true, isOrdered: true))
    }.execute(db)
    return db
  }

  /// The types of groups can be named in your own functions.
  @Test func names() {
    func left(_ stock: ColumnGroup<Product, Stock>) -> some QueryExpression<Bool> {
      !stock.isSoldOut
    }
    func hasTitle(_ product: OptionalColumnGroup<Rack, Product>) -> some QueryExpression<Bool> {
      product.title.isNot(nil)
    }
    func titles<S: PartialSelectStatement<String>>(_ query: S) -> S { query }
    expectSQL(
      titles(Product.where { left($0.stock) }.select(\.title)),
      """
      SELECT "products"."title" FROM "products" WHERE (NOT "products"."isSoldOut")
      """)
    expectSQL(
      Rack.where { hasTitle($0.product) }.select(\.id),
      #"SELECT "racks"."id" FROM "racks" WHERE ("racks"."title" IS NOT ?)"#, [.null])
  }

  /// ```swift
  /// Product.insert { Product(title: "salt", stock: Stock()) }
  /// // INSERT INTO "products" ("title", "quantity", "isSoldOut", "isOrdered") VALUES (?, ?, ?, ?)
  /// Product.insert { $0.stock } values: { Stock(isSoldOut: true) }
  /// // INSERT INTO "products" ("isSoldOut", "isOrdered") VALUES (?, ?)
  /// ```
  @Test func insert() throws {
    let db = try database()
    let whole = Product.insert { Product(title: "salt") }.returning(\.self)
    expectSQL(
      whole,
      """
      INSERT INTO "products" ("title", "quantity", "isSoldOut", "isOrdered") VALUES (?, ?, ?, ?) \
      RETURNING "title", "quantity", "isSoldOut", "isOrdered"
      """, [.text("salt"), .int(0), .bool(false), .bool(false)])
    #expect(try whole.fetchAll(db) == [Product(title: "salt")])

    let group = Product.insert {
      $0.stock
    } values: {
      Stock(isSoldOut: true)
    }
    expectSQL(
      group, #"INSERT INTO "products" ("isSoldOut", "isOrdered") VALUES (?, ?)"#,
      [.bool(true), .bool(false)])
    try group.execute(db)
    let part = Product.insert {
      ($0.title, $0.stock.isOrdered)
    } values: {
      ("oil", true)
    }
    expectSQL(
      part, #"INSERT INTO "products" ("title", "isOrdered") VALUES (?, ?)"#,
      [.text("oil"), .bool(true)])
    try part.execute(db)
    #expect(
      try Product.order(by: \.rowid).select(\.stock).fetchAll(db).suffix(2) == [
        Stock(isSoldOut: true), Stock(isOrdered: true),
      ])
  }

  /// ```swift
  /// Product.where { $0.stock.eq(Stock()) }.select(\.stock.isOrdered)
  /// // SELECT "products"."isOrdered" FROM "products"
  /// // WHERE (("products"."isSoldOut", "products"."isOrdered") = (?, ?))
  /// ```
  @Test func select() throws {
    let db = try database()
    let equal = Product.where { $0.stock.eq(Stock()) }.select(\.title)
    expectSQL(
      equal,
      """
      SELECT "products"."title" FROM "products" \
      WHERE (("products"."isSoldOut", "products"."isOrdered") = (?, ?))
      """, [.bool(false), .bool(false)])
    #expect(try equal.fetchAll(db) == ["tea"])
    #expect(try Product.where { $0.stock != Stock() }.select(\.title).fetchAll(db) == ["jam"])
    #expect(
      try Product.where { $0.stock.in([Stock(isSoldOut: true, isOrdered: true)]) }
        .select(\.title).fetchAll(db) == ["jam"])
    #expect(
      try Product.where { [Stock()].contains($0.stock) }.select(\.title).fetchAll(db) == ["tea"])
    #expect(
      try Product.where { $0.eq(Product(title: "tea", quantity: 3)) }.count().fetchOne(db) == 1)

    let groups = Product.group(by: \.stock).having(\.stock.isSoldOut).order(
      by: \.stock, .descending
    )
    .select { ($0.stock, $0.stock.isOrdered) }
    expectSQL(
      groups,
      """
      SELECT "products"."isSoldOut", "products"."isOrdered", "products"."isOrdered" \
      FROM "products" GROUP BY "products"."isSoldOut", "products"."isOrdered" \
      HAVING "products"."isSoldOut" \
      ORDER BY "products"."isSoldOut" DESC, "products"."isOrdered" DESC
      """)
    let rows = try groups.fetchAll(db)
    #expect(rows.count == 1)
    #expect(rows[0] == (Stock(isSoldOut: true, isOrdered: true), true))
  }

  /// ```swift
  /// Product.update { $0.stock.isSoldOut = true; $0.stock.isOrdered.toggle() }
  /// // UPDATE "products" SET "isSoldOut" = ?, "isOrdered" = (NOT "products"."isOrdered")
  /// ```
  @Test func update() throws {
    let db = try database()
    let parts = Product.update {
      $0.stock.isSoldOut = true
      $0.stock.isOrdered.toggle()
      $0.quantity += 1
    }
    expectSQL(
      parts,
      """
      UPDATE "products" SET "isSoldOut" = ?, "isOrdered" = (NOT "products"."isOrdered"), \
      "quantity" = ("products"."quantity" + ?)
      """, [.bool(true), .int(1)])
    try parts.execute(db)
    #expect(
      try Product.select(\.stock).fetchAll(db) == [
        Stock(isSoldOut: true, isOrdered: true), Stock(isSoldOut: true, isOrdered: false),
      ])

    let whole = Product.update { $0.stock = Stock() }
    expectSQL(
      whole, #"UPDATE "products" SET "isSoldOut" = ?, "isOrdered" = ?"#,
      [.bool(false), .bool(false)])
    let columns = Product.update { $0.stock = Stock.Columns(isSoldOut: $0.quantity == 0) }
    expectSQL(
      columns,
      #"UPDATE "products" SET "isSoldOut" = ("products"."quantity" = ?), "isOrdered" = ?"#,
      [.int(0), .bool(false)])
    let copy = Product.update { $0.stock.isOrdered = $0.stock.isSoldOut }
    expectSQL(copy, #"UPDATE "products" SET "isOrdered" = "products"."isSoldOut""#)
  }

  /// An optional group that is `nil` is NULL in each column. Its parts are optional.
  @Test func optionalGroup() throws {
    let db = try database()
    try Rack.insert {
      Rack.Draft(times: Times(made: made, isChanged: false))
      Rack.Draft(
        product: Product(title: "pen", stock: Stock(isOrdered: true)),
        times: Times(made: made, changed: made, isChanged: false))
    }.execute(db)
    // `isChanged` is generated: read and never written.
    #expect(
      try Rack.all.fetchAll(db) == [
        Rack(id: 1, product: nil, times: Times(made: made, isChanged: false)),
        Rack(
          id: 2, product: Product(title: "pen", stock: Stock(isOrdered: true)),
          times: Times(made: made, changed: made, isChanged: true)),
      ])
    #expect(try Rack.where { $0.product.is(nil) }.select(\.id).fetchAll(db) == [1])
    let titles = Rack.select { ($0.product.title, $0.product.stock.isOrdered) }
    let read: [(String?, Bool?)] = try titles.fetchAll(db)
    #expect(read.map(\.0) == [nil, "pen"])
    #expect(read.map(\.1) == [nil, true])
    try Rack.update { $0.product = nil }.execute(db)
    #expect(try Rack.select(\.product).fetchAll(db) == [nil, nil])
    try Rack.update { $0.product = Product(title: "ink") }.execute(db)
    try Rack.find(1).update { $0.product.stock.isSoldOut = true }.execute(db)
    #expect(
      try Rack.select(\.product.stock).fetchAll(db) == [Stock(isSoldOut: true), Stock()])
  }

  /// ```swift
  /// Values(Outer.Columns(middle: Middle.Columns(inner: Inner.Columns(n: 42))))
  /// // SELECT ? AS "n"
  /// ```
  @Test func groupsInGroups() throws {
    let db = try database()
    let values = Values(Outer.Columns(middle: Middle.Columns(inner: Inner.Columns(n: 42))))
    expectSQL(values, #"SELECT ? AS "n""#, [.int(42)])
    #expect(try values.fetchAll(db) == [Outer(middle: Middle(inner: Inner(n: 42)))])
    try Outer.insert { Outer(middle: Middle(inner: Inner(n: 1))) }.execute(db)
    try Outer.update { $0.middle.inner.n += 1 }.execute(db)
    #expect(try Outer.where { $0.middle.inner.n == 2 }.select(\.middle.inner.n).fetchAll(db) == [2])
  }

  /// On the optional side of a join, the parts of a group are optional too.
  @Test func outerJoin() throws {
    let db = try database()
    let query = Product.leftJoin(Rack.all) { $0.title.eq($1.product.title) }
      .select { ($0.title, $1.times.made, $1.times) }
    let rows: [(String, Date?, Times?)] = try query.fetchAll(db)
    #expect(rows.map(\.0) == ["tea", "jam"])
    #expect(rows.allSatisfy { $0.1 == nil && $0.2 == nil })
  }

  /// `after: .update(touch: \.times.changed)`
  @Test func touch() throws {
    let db = try database()
    try Rack.createTemporaryTrigger(after: .update(touch: \.times.changed)).execute(db)
    try Rack.insert { Rack.Draft(times: Times(made: made, isChanged: false)) }.execute(db)
    #expect(try Rack.select(\.times.isChanged).fetchAll(db) == [false])
    try Rack.update { $0.times.made = made }.execute(db)
    #expect(try Rack.select(\.times.isChanged).fetchAll(db) == [true])
  }
}
