import Foundation
import MartletJSON
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

/// An amount that is stored in cents.
private struct Money: Equatable, QueryBindable {
  var cents: Int
  init(cents: Int) { self.cents = cents }

  var queryBinding: QueryBinding { .int(Int64(cents)) }
  init(decoder: inout some QueryDecoder) throws { cents = try Int(decoder: &decoder) }
}

/// A type that knows nothing of databases, like a type of another module.
private struct Color: Equatable, Sendable {
  var red: Int
  var green: Int
  var blue: Int

  struct NoColor: Error, CustomStringConvertible {
    let text: String
    var description: String { "'\(text)' is no color" }
  }

  struct HexRepresentation: QueryBindable, QueryRepresentable {
    var queryOutput: Color
    init(queryOutput: Color) { self.queryOutput = queryOutput }

    var queryBinding: QueryBinding {
      guard (0...255).contains(queryOutput.red) else { return .invalid(NoColor(text: "red")) }
      let digits = [queryOutput.red, queryOutput.green, queryOutput.blue].map {
        ($0 < 16 ? "0" : "") + String($0, radix: 16)
      }
      return .text("#" + digits.joined())
    }
    init(decoder: inout some QueryDecoder) throws {
      let text = try String(decoder: &decoder)
      guard text.count == 7, let number = Int(text.dropFirst(), radix: 16) else {
        throw NoColor(text: text)
      }
      queryOutput = Color(red: number >> 16, green: number >> 8 & 255, blue: number & 255)
    }
  }
}

/// An enum that reads numbers without a case as `unknown`.
private enum Fit: Int, QueryBindable {
  case unknown, small, large

  init(decoder: inout some QueryDecoder) throws {
    self = Fit(rawValue: try Int(decoder: &decoder)) ?? .unknown
  }
}

@Table private struct Shirt: Equatable {
  let id: Int
  var price: Money
  var rebate: Money?
  @Column(as: Color.HexRepresentation.self) var color: Color
  @Column(as: Color.HexRepresentation?.self) var lining: Color?
  var size: Fit
}

/// A custom row type.
private struct Line: Equatable, QueryDecodable, QueryRepresentable {
  static var columnCount: Int { 2 }
  var title: String?
  var total: Money
  init(title: String?, total: Money) { (self.title, self.total) = (title, total) }

  init(decoder: inout some QueryDecoder) throws(QueryDecodingError) {
    title = try decoder.decode(String.self)
    guard let total = try decoder.decode(Money.self) else { throw .missingRequiredColumn }
    self.total = total
  }
}

/// Stored as an integer. By default a `LosslessStringConvertible` type is stored as its
/// description.
private struct Version: Equatable, LosslessStringConvertible, QueryBindable {
  var number: Int
  var description: String { "\(number)" }
  init?(_ description: String) { number = Int(description) ?? 0 }

  static var kind: ColumnKind { .integer }
  static func bind(_ value: Version) -> QueryBinding { .int(Int64(value.number)) }
  static func decode(_ row: inout RowReader) throws(DecodingProblem) -> Version {
    Version("\(try row.int())")!
  }
}

/// Reads more than its single column.
private struct Greedy: QueryBindable {
  var sum: Int
  var queryBinding: QueryBinding { .int(Int64(sum)) }
  init(decoder: inout some QueryDecoder) throws {
    sum = try Int(decoder: &decoder) + (decoder.decode(Int.self) ?? 100)
  }
}

@DatabaseFunction private func sum(_ value: Greedy) -> Int { value.sum }
@DatabaseFunction private func total(_ line: Line) -> Int { line.total.cents }

/// Custom types that define how they are written and read.
@Suite struct QueryDecodableTests {
  private let red = Color(red: 255, green: 0, blue: 10)

  private func database() throws -> Connection {
    let db = try Connection(location: .inMemory)
    try db.execute(
      """
      CREATE TABLE "shirts" ("id" INTEGER PRIMARY KEY, "price" INTEGER NOT NULL, "rebate" INTEGER,
        "color" TEXT NOT NULL, "lining" TEXT, "size" INTEGER NOT NULL)
      """)
    return db
  }

  @Test func roundTrip() throws {
    let db = try database()
    let plain = Shirt(id: 1, price: Money(cents: 990), color: red, size: .small)
    let lined = Shirt(
      id: 2, price: Money(cents: 1990), rebate: Money(cents: 100), color: red, lining: red,
      size: .large)
    try Shirt.insert {
      plain
      lined
    }.execute(db)
    #expect(try Shirt.all.order(by: \.id).fetchAll(db) == [plain, lined])
    let stored = try db.rows("SELECT price, rebate, color, lining, size FROM shirts ORDER BY id")
    let expected: [[Value]] = [
      [990, nil, "#ff000a", nil, 1], [1990, 100, "#ff000a", "#ff000a", 2],
    ]
    #expect(stored.map(Array.init) == expected)
  }

  /// In conditions, assignments, and the columns of a select.
  @Test func expressions() throws {
    let db = try database()
    try Shirt.insert { Shirt(id: 1, price: Money(cents: 990), color: red, size: .small) }.execute(
      db)
    let query = Shirt.where { $0.price < Money(cents: 1000) && $0.color.eq(red) }
    expectSQL(
      query.select(\.price),
      """
      SELECT "shirts"."price" FROM "shirts" \
      WHERE (("shirts"."price" < ?) AND ("shirts"."color" = ?))
      """, [.int(1000), .text("#ff000a")])
    #expect(try query.select { ($0.price, $0.lining) }.fetchAll(db).map(\.0) == [Money(cents: 990)])
    try query.update {
      $0.price = Money(cents: 1)
      $0.lining = #bind(red)
    }.execute(db)
    #expect(try Shirt.select { ($0.price, $0.lining) }.fetchOne(db)?.1 == red)
    #expect(try Shirt.select { $0.price.in([Money(cents: 1)]) }.fetchOne(db) == true)
  }

  /// JSON contains the stored values.
  @Test func json() throws {
    let db = try database()
    try Shirt.insert { Shirt(id: 1, price: Money(cents: 990), color: red, size: .large) }.execute(
      db)
    let buffer = ByteBuffer()
    #expect(try db.writeJSONObject(Shirt.all.query, into: buffer))
    #expect(
      String(decoding: buffer.bytes, as: UTF8.self)
        == ##"{"id":1,"price":990,"rebate":null,"color":"#ff000a","lining":null,"size":2}"##)
  }

  /// An enum's own `init(decoder:)` is used instead of the one for raw values.
  @Test func lenientEnum() throws {
    let db = try Connection(location: .inMemory)
    #expect(try #sql("SELECT 99", as: Fit.self).fetchOne(db) == .unknown)
    #expect(try #sql("SELECT 2", as: Fit.self).fetchOne(db) == .large)
    #expect(try #sql("SELECT NULL", as: Fit?.self).fetchOne(db) == .some(nil))
  }

  @Test func rowByHand() throws {
    let db = try Connection(location: .inMemory)
    let lines = try #sql("VALUES ('a', 1), (NULL, 2)", as: Line.self).fetchAll(db)
    #expect(
      lines == [Line(title: "a", total: Money(cents: 1)), Line(title: nil, total: Money(cents: 2))])
  }

  /// The error contains the column, the value, and the reason that the type gives.
  @Test func whatCannotBeRead() throws {
    let db = try database()
    try db.execute("INSERT INTO shirts VALUES (1, 5, NULL, 'red', NULL, 1)")
    let error = #expect(throws: RowDecodingError.self) { try Shirt.all.fetchAll(db) }
    #expect(error?.column == "shirts.color")
    #expect(error?.reason == "'red' is no color")
    #expect(
      "\(try #require(error))".contains("HexRepresentation ('red' is no color), but it holds"))
  }

  /// Custom `queryBinding` and `kind` are used instead of those for text and raw values.
  @Test func ownBinding() throws {
    let db = try Connection(location: .inMemory)
    let version = try #require(Version("3"))
    #expect(version.queryFragment.prepare().bindings == [.int(3)])
    #expect(try Values(version).fetchOne(db) == version)
    #expect(try #sql("SELECT typeof(\(bind: version))", as: String.self).fetchOne(db) == "integer")
  }

  /// As arguments. After the last argument there is nothing to read.
  @Test func arguments() throws {
    let db = try Connection(location: .inMemory)
    db.add(function: $sum)
    db.add(function: $total)
    #expect(try #sql(#"SELECT "sum"(1)"#, as: Int.self).fetchOne(db) == 101)
    #expect(try #sql(#"SELECT "total"(NULL, 7)"#, as: Int.self).fetchOne(db) == 7)
  }

  /// An optional row that is `nil` consumes its columns.
  @Test func missingRow() throws {
    let db = try Connection(location: .inMemory)
    let row = try #sql("SELECT NULL, NULL, 7", as: (Line?, Int).self).fetchOne(db)
    #expect(row?.0 == nil && row?.1 == 7)
    let line = try #sql("SELECT NULL, 2, 7", as: (Line?, Int).self).fetchOne(db)
    #expect(line?.0?.total == Money(cents: 2) && line?.1 == 7)
  }

  @Test func whatCannotBeStored() throws {
    let db = try database()
    let wrong = Shirt(
      id: 1, price: Money(cents: 1), color: Color(red: 300, green: 0, blue: 0), size: .small)
    let error = #expect(throws: (any Error).self) { try Shirt.insert { wrong }.execute(db) }
    #expect("\(String(describing: error))".contains("'red' is no color"))
    #expect(QueryBinding.uint(7) == .int(7))
  }

  /// The error for NULL in a type that is not optional names the type.
  @Test func null() throws {
    let db = try Connection(location: .inMemory)
    let error = #expect(throws: RowDecodingError.self) {
      try #sql("SELECT NULL", as: Money.self).fetchOne(db)
    }
    #expect(error?.expected == "Money")
    let line = #expect(throws: RowDecodingError.self) {
      try #sql("SELECT 'a', NULL", as: Line.self).fetchOne(db)
    }
    #expect(line?.expected == "Line")
    #expect(line?.column == "column 2")
    #expect(line?.found == .null)
    let bytes = #expect(throws: RowDecodingError.self) {
      try #sql("SELECT x'00'", as: UUID.self).fetchOne(db)
    }
    #expect(bytes?.found == .blob)
  }
}
