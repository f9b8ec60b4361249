import Foundation
import MartletSQLite
import Testing

// The functions of a published article, unchanged.
final class Slugify: Function.Scalar {
  override class var name: String { "slugify" }
  override class var argc: Int32 { 1 }
  override class var options: Function.Options { [.deterministic, .innocuous] }

  override class func invoke(args: any ArgumentsProtocol) throws -> SQLiteRepresentable? {
    guard let value = args[0] as String?, !value.isEmpty else { return nil }
    return value.lowercased()
      .replacingOccurrences(of: "\\W+", with: "-", options: .regularExpression)
      .trimmingCharacters(in: .init(charactersIn: "-"))
  }
}

final class Median: Function.Aggregate {
  private var values: [Double] = []

  override class var name: String { "median" }
  override class var argc: Int32 { 1 }
  override class var options: Function.Options { [.deterministic] }

  override func step(args: any ArgumentsProtocol) throws {
    if let value = args[0] as Double? {
      values.append(value)
    }
  }

  override func finalize() throws -> SQLiteRepresentable? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    let mid = sorted.count / 2
    return sorted.count.isMultiple(of: 2)
      ? (sorted[mid - 1] + sorted[mid]) / 2
      : sorted[mid]
  }
}

final class Product: Function.Scalar {
  override class var name: String { "product" }
  override class var argc: Int32 { -1 }

  override class func invoke(args: any ArgumentsProtocol) throws -> SQLiteRepresentable? {
    guard args.count == 2 else {
      throw SQLiteError(code: SQLITE_MISUSE, message: "expected two arguments")
    }
    guard let lhs = args[0] as Double?, let rhs = args[1] as Double? else {
      return nil  // returns SQL NULL if either argument is NULL
    }
    return lhs * rhs
  }
}

@Suite struct SeedFunctionsTests {
  let connection: Connection

  init() throws {
    connection = try Connection(location: .inMemory)
    try connection.execute(
      "CREATE TABLE articles(title); INSERT INTO articles VALUES ('Hello,  World!'), (''), (NULL)")
  }

  @Test func theArticlesScalarFunction() throws {
    try connection.add(function: Slugify.self)
    let rows = try connection.prepare(sql: "SELECT slugify(title) FROM articles")
    #expect(try rows.rows().map(\.values) == [["hello-world"], [nil], [nil]])
    // Innocuous and deterministic, so it is allowed in an index.
    try connection.execute("CREATE INDEX slugs ON articles(slugify(title))")
    try connection.remove(function: Slugify.self)
    let error = #expect(throws: SQLiteError.self) {
      try connection.prepare(sql: "SELECT slugify('a')")
    }
    #expect(error?.message.contains("slugify") == true)
  }

  @Test func theArticlesAggregate() throws {
    try connection.add(function: Median.self)
    try connection.execute(
      "CREATE TABLE n(g, v); INSERT INTO n VALUES (1, 5), (1, 1), (1, 3), (2, 4), (2, 8), (3, NULL)"
    )
    #expect(
      try connection.rows("SELECT g, median(v) FROM n GROUP BY g").map(\.values)
        == [[1, 3.0], [2, 6.0], [3, nil]])
    #expect(try connection.value("SELECT median(v) FROM n WHERE false") == .null)
    #expect(
      try connection.rows("SELECT median(v), median(-v) FROM n").map(\.values) == [[4.0, -4.0]])
  }

  @Test func aThrownErrorReachesTheCaller() throws {
    try connection.add(function: Product.self)
    #expect(try connection.value("SELECT product(6, 7)") == 42.0)
    #expect(try connection.value("SELECT product(6, NULL)") == .null)
    let error = #expect(throws: SQLiteError.self) { try connection.value("SELECT product(1)") }
    #expect(error?.code == SQLITE_ERROR)
    #expect(error?.message == "expected two arguments")
    #expect((error?.underlying as? SQLiteError)?.code == SQLITE_MISUSE)
  }

  @Test func regexp() throws {
    try connection.add(function: Function.Regexp.self)
    #expect(
      try connection.rows("SELECT title REGEXP '^H.*o' FROM articles").map(\.values)
        == [[1], [0], [nil]])
    let error = #expect(throws: SQLiteError.self) { try connection.value("SELECT 'a' REGEXP '('") }
    #expect(error?.message == "not a regular expression: (")
    try connection.remove(function: Function.Regexp.self)
  }
}
