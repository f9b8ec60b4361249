import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

private let s = Sample.columns

/// Rows of (id, group, value): (1, a, 10), (2, a, 20), (3, a, 20), (4, b, 5).
@Table
private struct Score {
  let id: Int
  var group = ""
  var value = 0
}

private let c = Score.columns

@Suite struct WindowTests {
  private func database() throws -> Connection {
    let db = try Connection(location: .inMemory)
    try db.execute(
      """
      CREATE TABLE "scores" ("id" INTEGER PRIMARY KEY, "group" TEXT, "value" INTEGER);
      INSERT INTO "scores" VALUES (1, 'a', 10), (2, 'a', 20), (3, 'a', 20), (4, 'b', 5);
      """)
    return db
  }

  private func expect<V: QueryRepresentable>(
    _ expression: SQLQueryExpression<V>, _ sql: String, _ bindings: [QueryBinding] = [],
    gives values: [V.QueryOutput], sourceLocation: SourceLocation = #_sourceLocation
  ) throws where V.QueryOutput: Equatable {
    let prepared = expression.queryFragment.prepare()
    #expect(
      prepared.sql.replacing(#""scores"."#, with: "") == sql, sourceLocation: sourceLocation)
    #expect(prepared.bindings == bindings, sourceLocation: sourceLocation)
    let query = Score.order(by: \.id).select { _ in expression }
    #expect(try query.fetchAll(database()) == values, sourceLocation: sourceLocation)
  }

  @Test func aggregates() throws {
    try expect(c.value.sum().over(), #"sum("value") OVER ()"#, gives: [55, 55, 55, 55])
    try expect(
      c.value.sum().over(partitionBy: c.group), #"sum("value") OVER (PARTITION BY "group")"#,
      gives: [50, 50, 50, 5])
    try expect(
      c.value.max(filter: c.id < 3).over(partitionBy: c.group, c.value, orderBy: c.id.desc()),
      """
      max("value") FILTER (WHERE ("id" < ?)) \
      OVER (PARTITION BY "group", "value" ORDER BY "id" DESC)
      """, [.int(3)], gives: [10, 20, nil, nil])
    try expect(
      count().over(orderBy: c.value, c.id), #"count(*) OVER (ORDER BY "value", "id")"#,
      gives: [2, 3, 4, 1])
  }

  @Test func frames() throws {
    try expect(
      c.value.sum().over(orderBy: c.id, frame: .rows(from: .preceding(1))),
      #"sum("value") OVER (ORDER BY "id" ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)"#,
      gives: [10, 30, 40, 25])
    try expect(
      c.value.sum().over(
        orderBy: c.value, frame: .range(from: .preceding(5), to: .following(10))),
      #"sum("value") OVER (ORDER BY "value" RANGE BETWEEN 5 PRECEDING AND 10 FOLLOWING)"#,
      gives: [55, 40, 40, 15])
    try expect(
      c.value.sum().over(
        orderBy: c.value,
        frame: .groups(from: .currentRow, to: .unboundedFollowing, exclude: .ties)),
      """
      sum("value") OVER (ORDER BY "value" \
      GROUPS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING EXCLUDE TIES)
      """, gives: [50, 20, 20, 55])
    try expect(
      count().over(
        frame: .rows(from: .unboundedPreceding, to: .unboundedFollowing, exclude: .group)),
      "count(*) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE GROUP)",
      gives: [0, 0, 0, 0])
    try expect(
      count().over(
        orderBy: c.id, frame: .rows(from: .following(1), to: .following(2), exclude: .currentRow)),
      #"count(*) OVER (ORDER BY "id" ROWS BETWEEN 1 FOLLOWING AND 2 FOLLOWING EXCLUDE CURRENT ROW)"#,
      gives: [2, 2, 1, 0])
    try expect(
      count().over(frame: .rows(from: .currentRow, exclude: .noOthers)),
      "count(*) OVER (ROWS BETWEEN CURRENT ROW AND CURRENT ROW EXCLUDE NO OTHERS)",
      gives: [1, 1, 1, 1])
  }

  @Test func ranks() throws {
    let window = #"OVER (ORDER BY "value")"#
    try expect(
      rowNumber().over(orderBy: c.id.desc()), #"row_number() OVER (ORDER BY "id" DESC)"#,
      gives: [4, 3, 2, 1])
    try expect(rank().over(orderBy: c.value), "rank() \(window)", gives: [2, 3, 3, 1])
    try expect(
      denseRank().over(orderBy: c.value.desc()), #"dense_rank() OVER (ORDER BY "value" DESC)"#,
      gives: [2, 1, 1, 3])
    try expect(
      percentRank().over(orderBy: c.value), "percent_rank() \(window)",
      gives: [1.0 / 3, 2.0 / 3, 2.0 / 3, 0])
    try expect(
      cumeDist().over(orderBy: c.value), "cume_dist() \(window)", gives: [0.5, 1, 1, 0.25])
    try expect(
      ntile(2).over(orderBy: c.id), #"ntile(?) OVER (ORDER BY "id")"#, [.int(2)],
      gives: [1, 1, 2, 2])
  }

  @Test func neighbours() throws {
    let window = #"OVER (ORDER BY "id")"#
    try expect(
      c.value.lag().over(orderBy: c.id), #"lag("value", ?) \#(window)"#, [.int(1)],
      gives: [nil, 10, 20, 20])
    try expect(
      c.value.lag(2, default: -1).over(orderBy: c.id), #"lag("value", ?, ?) \#(window)"#,
      [.int(2), .int(-1)], gives: [-1, -1, 10, 20])
    try expect(
      c.value.lead().over(orderBy: c.id), #"lead("value", ?) \#(window)"#, [.int(1)],
      gives: [20, 20, 5, nil])
    try expect(
      c.group.lead(1, default: "-").over(orderBy: c.id), #"lead("group", ?, ?) \#(window)"#,
      [.int(1), .text("-")], gives: ["a", "a", "b", "-"])
    try expect(
      c.value.firstValue().over(orderBy: c.id), #"first_value("value") \#(window)"#,
      gives: [10, 10, 10, 10])
    try expect(
      c.value.lastValue().over(orderBy: c.id), #"last_value("value") \#(window)"#,
      gives: [10, 20, 20, 5])
    try expect(
      c.value.nthValue(2).over(orderBy: c.id), #"nth_value("value", ?) \#(window)"#, [.int(2)],
      gives: [nil, 20, 20, 20])
  }

  @Test func named() throws {
    let query = Score.all.window("w") { Window(partitionBy: $0.group, orderBy: $0.id) }
      .where { $0.id > 1 }.order(by: \.id)
      .select { (rowNumber().over("w"), $0.value.sum().over("w")) }
    expectSQL(
      query,
      """
      SELECT row_number() OVER "w", sum("scores"."value") OVER "w" FROM "scores" \
      WHERE ("scores"."id" > ?) \
      WINDOW "w" AS (PARTITION BY "scores"."group" ORDER BY "scores"."id") ORDER BY "scores"."id"
      """, [.int(1)])
    #expect(
      try query.fetchAll(database()).map { [$0.0, $0.1 ?? 0] } == [[1, 20], [2, 40], [1, 5]])
  }

  /// The best row of each group.
  @Test func inAQuery() throws {
    let query = Score.select {
      ($0.id, rowNumber().over(partitionBy: $0.group, orderBy: $0.value.desc(), $0.id) == 1)
    }.order(by: \.id)
    #expect(try query.fetchAll(database()).filter(\.1).map(\.0) == [2, 4])
  }
}
