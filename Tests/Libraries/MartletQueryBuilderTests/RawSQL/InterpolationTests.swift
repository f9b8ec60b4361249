import Foundation
import MartletQueryBuilder
import MartletStore
import Testing

private let s = Sample.columns

@Suite struct InterpolationTests {
  @Test func names() throws {
    try expect(
      #sql("SELECT \(Sample.name) FROM \(Sample.self) WHERE \(Sample.id) = 2", as: String.self),
      #"SELECT "name" FROM "samples" WHERE "id" = 2"#, rows: ["bob"])
    try expect(
      #sql(
        "SELECT \(quote: Sample.name.name) AS \(quote: "it's \"x\"") FROM \(Sample.self) LIMIT 1",
        as: String.self), #"SELECT "name" AS "it's ""x""" FROM "samples" LIMIT 1"#,
      rows: ["Ann 100%"])
    try expect(
      #sql("SELECT \(quote: "it's \"x\"", delimiter: .text)", as: String.self),
      #"SELECT 'it''s "x"'"#, rows: ["it's \"x\""])
  }

  @Test func values() throws {
    let (binding, fragment) = (QueryBinding.int(7), QueryFragment("1 + \(bind: 2)"))
    try expect(
      #sql("SELECT \(binding) + \(fragment) + \(bind: 3)", as: Int.self), "SELECT ? + 1 + ? + ?",
      [.int(7), .int(2), .int(3)], rows: [13])
    try expect(
      #sql(
        """
        SELECT \(Sample.id) FROM \(Sample.self) \
        WHERE \(Sample.unix) >= \(bind: sampleDate, as: Date.UnixTimeRepresentation.self) \
        AND \(Sample.level.ifnull(0)) \(raw: ">") 1 LIMIT 1
        """, as: Int.self),
      """
      SELECT "id" FROM "samples" WHERE "unix" >= ? AND ifnull("level", ?) > 1 LIMIT 1
      """, [.int(1_772_286_330), .int(0)], rows: [1])
  }

  @Test func swiftValues() throws {
    for (two, flag) in [(2, true)] {
      try expect(
        #sql("SELECT \(two) + \(flag) + \(4)", as: Int.self), "SELECT ? + ? + ?",
        [.int(2), .bool(true), .int(4)], rows: [7])
      // An interpolated literal with a condition is SQL, not a value.
      try expect(
        #sql("SELECT 1 \(flag ? "+ 1" : "- 1")", as: Int.self), "SELECT 1 + 1", rows: [2])
    }
  }

  @available(*, deprecated)
  @Test func strings() throws {
    let text = "'; DROP TABLE \"samples\"; --"
    try expect(#sql("SELECT \(text)", as: String.self), "SELECT ?", [.text(text)], rows: [text])
  }

  @Test func queries() throws {
    let all = Sample.where { $0.id == 3 }
    let rows = try #sql(
      "SELECT \(Sample.columns) FROM \(all) AS \(Sample.self)", as: Sample.self
    ).fetchAll(sampleDatabase())
    #expect(rows == (try all.fetchAll(sampleDatabase())) && rows.map(\.name) == ["Žofie"])
    try expect(
      #sql("SELECT 2 IN \(Sample.select(\.id))", as: Bool.self),
      #"SELECT 2 IN (SELECT "id" FROM "samples")"#, rows: [true])
    try expect(
      #sql("SELECT count(*) FROM \(Values(1).union(all: true, Values(1)))", as: Int.self),
      "SELECT count(*) FROM (SELECT ? UNION ALL SELECT ?)", [.int(1), .int(1)], rows: [2])
    let plan = #sql(
      "EXPLAIN QUERY PLAN \(statement: Sample.find(1))", as: (Int, Int, Int, String).self)
    #expect(
      try plan.fetchAll(sampleDatabase()).map(\.3)
        == ["SEARCH samples USING INTEGER PRIMARY KEY (rowid=?)"])
  }

  @Test func tuples() throws {
    let rows = #sql(
      "SELECT \(Sample.level), \(Sample.columns) FROM \(Sample.self) WHERE \(Sample.id) < 3",
      as: (Int?, Sample).self)
    let values = try rows.fetchAll(sampleDatabase())
    #expect(values.map(\.0) == [2, nil] && values.map(\.1.name) == ["Ann 100%", "bob"])
    #expect(rows.query.columns.count == 1 + Sample.resultColumns.count)
  }

  @Test func places() throws {
    let db = try sampleDatabase()
    // In a condition, an order and a column.
    let query = Sample.where { #sql("\($0.count) BETWEEN \(bind: -3) AND \(bind: 0)") }
      .order { #sql("\($0.count) DESC") }
      .select { ($0.id, #sql("\($0.count) * 2", as: Int.self)) }
    #expect(try query.fetchAll(db).map { [$0.0, $0.1] } == [[3, 0], [2, -6]])
    // In an assignment, and as a statement.
    try Sample.find(1).update {
      $0.name = #sql("upper(\($0.name))")
      $0.level = #sql("NULL")
    }.execute(db)
    try #sql("UPDATE \(Sample.self) SET \(quote: "ratio") = \(bind: 9.5)").execute(db)
    let row = try #require(try Sample.find(1).fetchOne(db))
    #expect(row.name == "ANN 100%" && row.level == nil && row.ratio == 9.5)
    enum Other: AliasName {}
    let joined = Sample.leftJoin(Sample.as(Other.self)) { #sql("\($0.id) = \($1.id) + 1") }
      .order { a, _ in a.id }.select { a, b in (a.id, #sql("\(b.name)", as: String?.self)) }
    #expect(try joined.fetchAll(db).map(\.1) == [nil, "ANN 100%", "bob"])
  }
}
