import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

@Table
private struct Sale {
  let id: Int
  var shop = ""
  var price = 0.0
  var kind: Int?
}

@DatabaseFunction
private func mode(kind kinds: some Sequence<Int?>) -> Int? {
  var counts: [Int: Int] = [:]
  for case let kind? in kinds { counts[kind, default: 0] += 1 }
  return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
}

@DatabaseFunction
private func listed(_ rows: some Sequence<(String, separator: Double)>) -> String {
  rows.map { "\($0.0):\(Int($0.separator))" }.joined(separator: " ")
}

private struct Empty: Error, CustomStringConvertible { let description = "no rows" }

@DatabaseFunction
private func last(_ values: some Sequence<Double>) throws -> Double {
  guard let last = Array(values).last else { throw Empty() }
  return last
}

@DatabaseFunction
private struct Product {
  private var value = 1.0
  mutating func step(_ factor: Double) { value *= factor }
  func finalize() -> Double { value }
}

@DatabaseFunction("weightedMean", isDeterministic: true)
private struct Weighted {
  var sum = 0.0
  var weights = 0.0
  mutating func step(_ value: Double, weight: Double = 1) throws {
    if weight < 0 { throw Empty() }
    sum += value * weight
    weights += weight
  }
  mutating func inverse(_ value: Double, weight: Double) {
    sum -= value * weight
    weights -= weight
  }
  func finalize() -> Double? { weights == 0 ? nil : sum / weights }
}

@Suite("Swift aggregates in SQL")
struct AggregateFunctionsTests {
  private let db: Connection

  init() throws {
    db = try Connection(location: .inMemory)
    try db.execute(
      """
      CREATE TABLE sales (id INTEGER PRIMARY KEY, shop TEXT NOT NULL, price REAL NOT NULL,
      kind INTEGER);
      INSERT INTO sales VALUES (1, 'a', 1, 3), (2, 'a', 2, 4), (3, 'b', 3, 4), (4, 'b', 4, NULL)
      """)
  }

  @Test("An aggregate gets the rows of its group, with DISTINCT and FILTER")
  func sequences() throws {
    db.add(function: $mode)
    db.add(function: $listed)
    db.add(function: $last)
    let all = try Sale.select { $mode(kind: $0.kind) }.fetchAll(db)
    #expect(all == [4])
    let groups = try Sale.group(by: \.shop).order(by: \.shop).select { $mode(kind: $0.kind) }
      .fetchAll(db)
    #expect(groups == [3, 4])
    let filtered = Sale.select {
      $mode(kind: $0.kind, distinct: true, filter: $0.shop == "a")
    }
    #expect(
      filtered.query.fragment.prepare().sql
        == #"SELECT "mode"(DISTINCT "sales"."kind") FILTER (WHERE ("sales"."shop" = ?)) FROM "sales""#
    )
    let some = try filtered.fetchAll(db)
    #expect(some == [3])
    #expect(
      try Sale.select { $listed($0.shop, separator: $0.price) }.fetchOne(db) == "a:1 a:2 b:3 b:4")
    let none = try Sale.where { $0.id > 9 }.select { $mode(kind: $0.kind) }.fetchAll(db)
    #expect(none == [nil])
    let error = #expect(throws: SQLiteError.self) {
      try Sale.where { $0.id > 9 }.select { $last($0.price) }.fetchOne(db)
    }
    #expect(error?.message == "no rows")
    let null = #expect(throws: SQLiteError.self) { try db.value("SELECT last(kind) FROM sales") }
    #expect(null?.message.hasPrefix("expected argument 1 of last to be Double") == true)
  }

  @Test("A call can specify the order of the rows")
  func order() {
    let call: SQLQueryExpression<Double> = $last(Sale.price, order: Sale.id.desc())
    #expect(
      call.queryFragment.prepare().sql == #""last"("sales"."price" ORDER BY "sales"."id" DESC)"#)
  }

  @Test("Each group and each use has its own state")
  func steps() throws {
    db.add(function: $Product)
    db.add(function: $Weighted)
    let rows = try Sale.group(by: \.shop).order(by: \.shop).select {
      ($Product($0.price), $Product($0.price + 1), $Weighted($0.price, weight: $0.price))
    }.fetchAll(db)
    #expect(rows.map(\.0) == [2, 12])
    #expect(rows.map(\.1) == [6, 20])
    let means: [Double?] = [Double(5) / 3, Double(25) / 7]
    #expect(rows.map(\.2) == means)
    #expect(try Sale.where { $0.id > 9 }.select { $Product($0.price) }.fetchOne(db) == 1)
    let error = #expect(throws: SQLiteError.self) {
      try Sale.select { $Weighted($0.price, weight: -1) }.fetchOne(db)
    }
    #expect(error?.message == "no rows")
  }

  @Test("Rows leave a moving window in the order they entered")
  func windows() throws {
    db.add(function: $last)
    db.add(function: $listed)
    db.add(function: $Weighted)
    db.add(function: $Product)
    let window = "OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)"
    #expect(
      try db.rows(
        "SELECT listed(shop, price) \(window), weightedMean(price, 1.0) \(window) FROM sales"
      )
      .map(\.values) == [["a:1", 1.0], ["a:1 a:2", 1.5], ["a:2 b:3", 2.5], ["b:3 b:4", 3.5]])
    // Without `inverse` it is not a window function.
    #expect(throws: SQLiteError.self) { try db.rows("SELECT product(price) \(window) FROM sales") }
    try db.execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 5 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
      INSERT INTO sales SELECT i, 'c', i, NULL FROM n
      """)
    #expect(
      try db.value(
        """
        SELECT count(*) FROM (SELECT id, last(price) OVER \
        (ORDER BY id ROWS BETWEEN 100 PRECEDING AND CURRENT ROW) AS l FROM sales) WHERE l = id
        """) == 2000)
  }
}
