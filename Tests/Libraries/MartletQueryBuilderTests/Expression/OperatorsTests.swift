import Foundation
import MartletQueryBuilder
import MartletStore
import Testing

private let s = Sample.columns

@Suite struct OperatorsTests {
  @Test func comparison() throws {
    try expect(s.id.eq(1), #"("id" = ?)"#, [.int(1)], gives: [true, false, false])
    try expect(s.id.neq(1), #"("id" <> ?)"#, [.int(1)], gives: [false, true, true])
    try expect(s.level.is(nil), #"("level" IS ?)"#, [.null], gives: [false, true, false])
    try expect(s.level.isNot(2), #"("level" IS NOT ?)"#, [.int(2)], gives: [false, true, false])
    try expect(s.nick.is(s.name), #"("nick" IS "name")"#, gives: [false, false, true])
    try expect(s.ratio > 0.5, #"("ratio" > ?)"#, [.double(0.5)], gives: [true, false, false])
    try expect(s.count.lte(0), #"("count" <= ?)"#, [.int(0)], gives: [false, true, true])
    try expect(s.count.gte(s.id), #"("count" >= "id")"#, gives: [true, false, false])
  }

  @Test func logic() throws {
    try expect(!s.isOn, #"(NOT "isOn")"#, gives: [false, true, false])
    try expect(
      s.isOn.and(s.id > 1).or(s.count < 0), #"(("isOn" AND ("id" > ?)) OR ("count" < ?))"#,
      [.int(1), .int(0)], gives: [false, true, true])
  }

  /// `==` also exists for Swift's optionals, which would make both sides values.
  @Test func comparedConditions() throws {
    for isWanted in [true, false] {
      #expect(
        try Sample.where { ($0.level == nil) == isWanted }.fetchAll(sampleDatabase()).map(\.id)
          == (isWanted ? [2] : [1, 3]))
      #expect(
        try Sample.where { ($0.level != nil) != isWanted }.fetchAll(sampleDatabase()).map(\.id)
          == (isWanted ? [2] : [1, 3]))
    }
  }

  @Test func arithmetic() throws {
    try expect(s.count + 1, #"("count" + ?)"#, [.int(1)], gives: [6, -2, 1])
    try expect(10 - s.count * s.id, #"(? - ("count" * "id"))"#, [.int(10)], gives: [5, 16, 10])
    try expect(s.ratio / 2, #"("ratio" / ?)"#, [.double(2)], gives: [1.25, -0.625, 0.25])
    try expect(s.count % 2, #"("count" % ?)"#, [.int(2)], gives: [1, -1, 0])
    try expect(s.id % s.count, #"("id" % "count")"#, gives: [1, 2, nil])
    try expect(-s.count, #"(-"count")"#, gives: [-5, 3, 0])
    try expect(+s.level, #"(+"level")"#, gives: [2, nil, 2])
    try expect(s.level + 1, #"("level" + ?)"#, [.int(1)], gives: [3, nil, 3])
  }

  @Test func bits() throws {
    try expect(s.count & 6, #"("count" & ?)"#, [.int(6)], gives: [4, 4, 0])
    try expect(s.count | s.id, #"("count" | "id")"#, gives: [5, -1, 3])
    try expect(s.id << 2, #"("id" << ?)"#, [.int(2)], gives: [4, 8, 12])
    try expect(s.id >> 1, #"("id" >> ?)"#, [.int(1)], gives: [0, 1, 1])
    try expect(~s.count, #"(~"count")"#, gives: [-6, 2, -1])
  }

  @Test func updates() throws {
    let db = try sampleDatabase()
    let update = Sample.find(1).update {
      $0.isOn.toggle()
      $0.count *= 3
      $0.level /= 2
      $0.ratio.negate()
      $0.name.append("!")
      $0.nick.append(contentsOf: $0.nick)
      $0.due = .now(.years(-10))
    }
    expectSQL(
      update,
      """
      UPDATE "samples" SET "isOn" = (NOT "samples"."isOn"), "count" = ("samples"."count" * ?), \
      "level" = ("samples"."level" / ?), "ratio" = (-"samples"."ratio"), \
      "name" = ("samples"."name" || ?), "nick" = ("samples"."nick" || "samples"."nick"), \
      "due" = strftime('%Y-%m-%d %H:%M:%f', 'now', ?) WHERE ("samples"."id" = ?)
      """, [.int(3), .int(2), .text("!"), .text("-10 years"), .int(1)])
    try update.execute(db)
    let row = try #require(try Sample.find(1).fetchOne(db))
    #expect(!row.isOn && row.count == 15 && row.level == 1 && row.ratio == -2.5)
    #expect(row.name == "Ann 100%!" && row.nick == "annieannie")
    #expect(try #require(row.due) < sampleDate)
  }

  @Test func updatesOfBits() throws {
    let db = try sampleDatabase()
    try Sample.find(3).update {
      $0.count = $0.id
      $0.level <<= 3
    }.execute(db)
    try Sample.find(3).update {
      $0.count |= 4
      $0.level >>= 1
    }.execute(db)
    try Sample.find(3).update { $0.count &= $0.id + 19 }.execute(db)
    try Sample.find(3).update {
      $0.count -= 1
      $0.ratio += 1
    }.execute(db)
    let row = try #require(try Sample.find(3).fetchOne(db))
    // ((3 | 4) & (3 + 19)) - 1
    #expect(row.count == 5 && row.level == 8 && row.ratio == 1.5)
  }

  @Test func membership() throws {
    let samples = Sample.select(\.id).where { $0.isOn }
    try expect(
      s.id.in([1, 3]), #"("id" IN (?, ?))"#, [.int(1), .int(3)], gives: [true, false, true])
    try expect(s.id.notIn([]), #"("id" NOT IN ())"#, gives: [true, true, true])
    try expect(
      s.id.in(samples), #"("id" IN (SELECT "id" FROM "samples" WHERE "isOn"))"#,
      gives: [true, false, true])
    try expect(
      s.id.notIn(samples), #"("id" NOT IN (SELECT "id" FROM "samples" WHERE "isOn"))"#,
      gives: [false, true, false])
    try expect(
      s.id.in([s.count, s.id]), #"("id" IN ("count", "id"))"#, gives: [true, true, true])
    try expect(
      s.id.notIn([s.count + 1]), #"("id" NOT IN (("count" + ?)))"#, [.int(1)],
      gives: [true, true, true])
    try expect(
      s.id.in(Values(1).union(Values(2))), #"("id" IN (SELECT ? UNION SELECT ?))"#,
      [.int(1), .int(2)], gives: [true, true, false])
    try expect(
      [1, 2].contains(s.id), #"("id" IN (?, ?))"#, [.int(1), .int(2)], gives: [true, true, false])
    try expect(
      (0...5).contains(s.count), #"("count" BETWEEN ? AND ?)"#, [.int(0), .int(5)],
      gives: [true, false, true])
    try expect(
      s.id.between(s.count, and: s.id + 1), #"("id" BETWEEN "count" AND ("id" + ?))"#, [.int(1)],
      gives: [false, true, true])
  }

  @Test func optionals() throws {
    try expect(
      s.nick ?? s.name ?? "?", #"coalesce("nick", "name", ?)"#, [.text("?")],
      gives: ["annie", "bob", "Žofie"])
    try expect(s.level ?? 0, #"coalesce("level", ?)"#, [.int(0)], gives: [2, 0, 2])
    try expect(s.level ?? s.level, #"coalesce("level", "level")"#, gives: [2, nil, 2])
    try expect(s.level.ifnull(9), #"ifnull("level", ?)"#, [.int(9)], gives: [2, 9, 2])
    try expect(s.level.ifnull(s.id), #"ifnull("level", "id")"#, gives: [2, 2, 2])
    try expect(s.count.nullif(0), #"nullif("count", ?)"#, [.int(0)], gives: [5, -3, nil])
    try expect(s.name.nullif(s.nick), #"nullif("name", "nick")"#, gives: ["Ann 100%", "bob", nil])
    try expect(
      s.level.map { $0 > 1 }, #"CASE ("level" IS NULL) WHEN 1 THEN NULL ELSE ("level" > ?) END"#,
      [.int(1)], gives: [true, nil, true])
    try expect(
      s.level.flatMap { $0 % s.count }, #"("level" % "count")"#, gives: [2, nil, nil])
  }

  @Test func casts() throws {
    try expect(s.ratio.cast(as: Int.self), #"CAST("ratio" AS INTEGER)"#, gives: [2, -1, 0])
    try expect(s.level.cast(as: String.self), #"CAST("level" AS TEXT)"#, gives: ["2", nil, "2"])
    try expect(s.id.cast(as: Double.self), #"CAST("id" AS REAL)"#, gives: [1, 2, 3])
    let bytes: SQLQueryExpression<[UInt8]> = s.id.cast()
    try expect(bytes, #"CAST("id" AS BLOB)"#, gives: [[49], [50], [51]])
    #expect(Bool.typeAffinity == .integer && Float.typeAffinity == .real)
    #expect(UUID.typeAffinity == .text && Data.typeAffinity == .blob)
  }

  @Test func cases() throws {
    try expect(
      Case(s.level).when(2, then: "two").else("other"), #"CASE "level" WHEN ? THEN ? ELSE ? END"#,
      [.int(2), .text("two"), .text("other")], gives: ["two", "other", "two"])
    try expect(
      Case().when(s.isOn, then: s.id).when(s.count < -5, then: s.count),
      #"CASE WHEN "isOn" THEN "id" WHEN ("count" < ?) THEN "count" END"#, [.int(-5)],
      gives: [1, nil, 3])
  }

  @Test func subqueries() throws {
    try expect(
      !Sample.where { $0.id > 3 }.exists(), count: 0, gives: [true, true, true])
    try expect(
      Sample.order(by: \.id).select { ($0.id, Sample.count()) },
      #"SELECT "id", (SELECT count(*) FROM "samples") FROM "samples" ORDER BY "id""#,
      pairs: [[1, 3], [2, 3], [3, 3]])
    try expect(s.rowid, #""rowid""#, gives: [1, 2, 3])
  }
}

/// Checks only the value, because the SQL is long and tested elsewhere.
private func expect(
  _ expression: SQLQueryExpression<Bool>, count: Int, gives values: [Bool]
) throws {
  #expect(
    try Sample.order(by: \.id).select { _ in expression }.fetchAll(sampleDatabase()) == values)
}

/// Checks pairs, because tuples are not `Equatable`.
private func expect(
  _ statement: some MartletQueryBuilder.Statement<(Int, Int)>, _ sql: String, pairs: [[Int]]
) throws {
  #expect(
    statement.query.fragment.prepare().sql.replacing(#""samples"."#, with: "") == sql)
  #expect(try statement.fetchAll(sampleDatabase()).map { [$0.0, $0.1] } == pairs)
}
