import MartletQueryBuilder
import Testing

private let r = Reminder.columns

@Suite struct AggregatesTests {
  @Test func functions() {
    expectSQL(count(), "count(*)")
    expectSQL(r.title.count(distinct: true), #"count(DISTINCT "reminders"."title")"#)
    expectSQL(r.position.max() ?? -1, #"coalesce(max("reminders"."position"), ?)"#, [.int(-1)])
    expectSQL(r.position.sum(), #"sum("reminders"."position")"#)
    expectSQL(r.position.avg() > 1.5, #"(avg("reminders"."position") > ?)"#, [.double(1.5)])
    expectSQL(r.position.total(), #"total("reminders"."position")"#)
    expectSQL(r.title.groupConcat(", "), #"group_concat("reminders"."title", ?)"#, [.text(", ")])
    expectSQL(r.dueDate.min(), #"min("reminders"."dueDate")"#)
  }

  /// If the type is known, `.count()` needs no qualification.
  @Test func countOfRows() {
    expectSQL(
      Reminder.group(by: \.title).select { ($0.title, .count()) },
      #"SELECT "reminders"."title", count(*) FROM "reminders" GROUP BY "reminders"."title""#)
    expectSQL(
      Reminder.select { .count(filter: $0.isFlagged) },
      #"SELECT count(*) FILTER (WHERE "reminders"."isFlagged") FROM "reminders""#)
  }

  @Test func filters() {
    expectSQL(
      r.id.count(filter: r.isFlagged),
      #"count("reminders"."id") FILTER (WHERE "reminders"."isFlagged")"#)
    expectSQL(
      r.count(filter: r.isCompleted),
      #"count("reminders"."id") FILTER (WHERE ("reminders"."status" <> ?))"#, [.int(0)])
  }

  @Test func jsonGroupArray() {
    expectSQL(r.title.jsonGroupArray(), #"json_group_array("reminders"."title")"#)
    expectSQL(
      Item.columns.tags.jsonGroupArray(),
      #"json_group_array(json("main"."stock"."labels"))"#)
  }
}
