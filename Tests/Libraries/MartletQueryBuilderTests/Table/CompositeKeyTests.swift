import Foundation
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

@Table private struct Reading: Equatable {
  @Selection struct ID: Hashable {
    var sensor: String
    var minute: Int
  }
  let id: ID
  var value: Double
}

@Table private struct Booking: Equatable {
  @Column(primaryKey: true) let seat: Seat
  var name = ""
}

@Selection private struct Seat: Hashable {
  var row: Int
  var number: Int
}

/// A key of several columns is a group of columns.
@Suite struct CompositeKeyTests {
  private func database() throws -> Connection {
    let db = try Connection(location: .inMemory)
    try db.execute(
      """
      CREATE TABLE "readings" (
        "sensor" TEXT NOT NULL, "minute" INTEGER NOT NULL, "value" REAL NOT NULL,
        PRIMARY KEY ("sensor", "minute")) STRICT;
      CREATE TABLE "bookings" (
        "row" INTEGER NOT NULL, "number" INTEGER NOT NULL, "name" TEXT NOT NULL,
        PRIMARY KEY ("row", "number")) STRICT
      """)
    try Reading.insert {
      Reading(id: .init(sensor: "a", minute: 1), value: 1)
      Reading(id: .init(sensor: "a", minute: 2), value: 2)
      Reading(id: .init(sensor: "b", minute: 1), value: 3)
    }.execute(db)
    return db
  }

  /// ```swift
  /// Reading.find(Reading.ID(sensor: "a", minute: 2))
  /// // … WHERE (("readings"."sensor", "readings"."minute") = (?, ?))
  /// Reading.find([Reading.ID(sensor: "a", minute: 2)])
  /// // … WHERE (("readings"."sensor", "readings"."minute") IN (VALUES (?, ?)))
  /// ```
  @Test func find() throws {
    let db = try database()
    let one = Reading.find(Reading.ID(sensor: "a", minute: 2))
    expectSQL(
      one,
      """
      SELECT "readings"."sensor", "readings"."minute", "readings"."value" FROM "readings" \
      WHERE (("readings"."sensor", "readings"."minute") = (?, ?))
      """, [.text("a"), .int(2)])
    #expect(try one.fetchAll(db).map(\.value) == [2])
    let keys = [Reading.ID(sensor: "a", minute: 1), Reading.ID(sensor: "b", minute: 1)]
    let several = Reading.find(keys).select(\.value)
    expectSQL(
      several,
      """
      SELECT "readings"."value" FROM "readings" \
      WHERE (("readings"."sensor", "readings"."minute") IN (VALUES (?, ?), (?, ?)))
      """, [.text("a"), .int(1), .text("b"), .int(1)])
    #expect(try several.fetchAll(db).sorted() == [1, 3])
    #expect(try Reading.find([Reading.ID]()).fetchAll(db) == [])
    #expect(try Reading.where { $0.value > 1 }.find(keys).select(\.value).fetchAll(db) == [3])
    #expect(try Reading.select { $0.count() }.fetchOne(db) == 3)
  }

  /// ```swift
  /// Reading.upsert { Reading(id: key, value: 9) }
  /// // … ON CONFLICT ("sensor", "minute") DO UPDATE SET "value" = "excluded"."value"
  /// ```
  @Test func change() throws {
    let db = try database()
    let key = Reading.ID(sensor: "a", minute: 1)
    let upsert = Reading.upsert { Reading(id: key, value: 9) }
    expectSQL(
      upsert,
      """
      INSERT INTO "readings" ("sensor", "minute", "value") VALUES (?, ?, ?) \
      ON CONFLICT ("sensor", "minute") DO UPDATE SET "value" = "excluded"."value"
      """, [.text("a"), .int(1), .double(9)])
    try upsert.execute(db)
    #expect(try Reading.find(key).fetchOne(db)?.value == 9)
    try Reading.update(Reading(id: key, value: 10)).execute(db)
    #expect(try Reading.find(key).fetchOne(db)?.value == 10)
    try Reading.find(key).update { $0.value += 1 }.execute(db)
    try Reading.update { $0.value += 1 }.find([key]).execute(db)
    try Reading.update { $0.value -= 1 }.find(key).execute(db)
    #expect(try Reading.find(key).fetchOne(db)?.value == 11)
    try Reading.delete(Reading(id: key, value: 0)).execute(db)
    try Reading.find(Reading.ID(sensor: "b", minute: 1)).delete().execute(db)
    #expect(try Reading.all.fetchAll(db).map(\.id) == [Reading.ID(sensor: "a", minute: 2)])
  }

  /// A draft has a key or none. A marked key can have any name.
  @Test func draft() throws {
    let db = try database()
    expectSQL(
      Booking.insert { Booking.Draft(name: "Ann") },
      #"INSERT INTO "bookings" ("name") VALUES (?)"#, [.text("Ann")])
    try Booking.insert { Booking.Draft(seat: Seat(row: 1, number: 2), name: "Ann") }.execute(db)
    #expect(
      try Booking.find(Seat(row: 1, number: 2)).fetchAll(db) == [
        Booking(seat: Seat(row: 1, number: 2), name: "Ann")
      ])
    let joined = Booking.leftJoin(Reading.all) { $0.seat.row.eq($1.id.minute) }
      .where { $1.id.sensor.eq("b") }.select { ($0.seat.number, $1.id) }
    let ids: [Reading.ID?] = try joined.fetchAll(db).map(\.1)
    #expect(ids == [Reading.ID(sensor: "b", minute: 1)])
  }
}
