import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

private let s = Sample.columns

@Suite struct AggregateValuesTests {
  @Test func counts() throws {
    try expect(count(), "count(*)", over: 3)
    try expect(s.level.count(), #"count("level")"#, over: 2)
    try expect(s.level.count(distinct: true), #"count(DISTINCT "level")"#, over: 1)
    try expect(
      s.id.count(distinct: true, filter: s.isOn), #"count(DISTINCT "id") FILTER (WHERE "isOn")"#,
      over: 2)
    try expect(Sample.count(), #"SELECT count(*) FROM "samples""#, rows: [3])
    try expect(
      Sample.count { $0.count < 0 },
      #"SELECT count(*) FILTER (WHERE ("count" < ?)) FROM "samples""#, [.int(0)], rows: [1])
  }

  @Test func numbers() throws {
    try expect(s.level.sum(), #"sum("level")"#, over: 4)
    try expect(s.level.sum(distinct: true), #"sum(DISTINCT "level")"#, over: 2)
    try expect(
      s.count.sum(filter: s.id > 9), #"sum("count") FILTER (WHERE ("id" > ?))"#, [.int(9)],
      over: nil)
    try expect(s.ratio.avg(), #"avg("ratio")"#, over: 1.75 / 3)
    try expect(s.level.avg(distinct: true), #"avg(DISTINCT "level")"#, over: 2)
    try expect(
      s.count.total(filter: s.id > 9), #"total("count") FILTER (WHERE ("id" > ?))"#, [.int(9)],
      over: 0)
    try expect(s.level.total(distinct: true), #"total(DISTINCT "level")"#, over: 2)
    try expect(s.name.min(), #"min("name")"#, over: "Ann 100%")
    try expect(s.due.max(filter: s.isOn), #"max("due") FILTER (WHERE "isOn")"#, over: sampleDate)
  }

  @Test func groupConcat() throws {
    try expect(s.name.groupConcat(), #"group_concat("name")"#, over: "Ann 100%,bob,Žofie")
    try expect(
      s.nick.groupConcat("; ", filter: s.id < 3),
      #"group_concat("nick", ?) FILTER (WHERE ("id" < ?))"#,
      [.text("; "), .int(3)], over: "annie")
    try expect(
      s.level.cast(as: String.self).groupConcat(distinct: true),
      #"group_concat(DISTINCT CAST("level" AS TEXT))"#, over: "2")
    expectSQL(
      s.name.groupConcat("-", order: s.id.desc()),
      #"group_concat("samples"."name", ? ORDER BY "samples"."id" DESC)"#, [.text("-")])
    try expectNeeds(
      "ORDER BY in an aggregate", Version(3, 44), s.name.groupConcat(order: s.id.desc()))
  }

  @Test func named() throws {
    try expect(
      AggregateFunctionExpression<Int?>("max", s.count, filter: s.id > 1),
      #"max("count") FILTER (WHERE ("id" > ?))"#, [.int(1)], over: 0)
    try expect(
      AggregateFunctionExpression<String>("group_concat", s.name, "+"),
      #"group_concat("name", ?)"#, [.text("+")], over: "Ann 100%+bob+Žofie")
    expectSQL(
      AggregateFunctionExpression<Int>("my \"mode", s.level, distinct: true, order: s.id),
      #""my ""mode"(DISTINCT "samples"."level" ORDER BY "samples"."id")"#)
  }
}
