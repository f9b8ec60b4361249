import Foundation
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

@Table private struct Pen: Equatable {
  let id: Int
  var color = ""
}
@Selection private struct Counted: Equatable {
  let pen: Pen
  let count: Int
}
@Selection private struct PenView: Equatable {
  let id: Int
  let made: Date
}

/// `map` over whole rows, and queries that print nothing.
@Suite struct MapTests {
  private func database() throws -> Connection {
    let db = try Connection(location: .inMemory)
    try db.execute(
      """
      CREATE TABLE "pens" ("id" INTEGER PRIMARY KEY, "color" TEXT);
      INSERT INTO "pens" VALUES (1, 'red'), (2, 'blue')
      """)
    return db
  }

  @Test func wholeTables() throws {
    let query = Pen.order(by: \.id).select { (1 + $0.id, $0) }
      .map { Counted.Columns(pen: $1, count: $0) }
    #expect(
      try query.fetchAll(database()) == [
        Counted(pen: Pen(id: 1, color: "red"), count: 2),
        Counted(pen: Pen(id: 2, color: "blue"), count: 3),
      ])
    let turned = try Pen.order(by: \.id).select { ($0.id, $0) }.map { ($1, $0) }
      .fetchAll(database())
    #expect(turned.map(\.0) == [Pen(id: 1, color: "red"), Pen(id: 2, color: "blue")])
  }

  @Test func backToRows() throws {
    let query = Pen.order(by: \.id).select { ($0.id, $0.color) }.map { _, _ in }
    #expect(
      try query.fetchAll(database()) == [Pen(id: 1, color: "red"), Pen(id: 2, color: "blue")])
  }

  @Test func withOfNothingPrintsNothing() {
    let query = With {
      Pen.none
    } query: {
      Pen.delete()
    }
    #expect(query.query.isEmpty)
    expectSQL(query, "")
  }

  @Test func aTriggerOfNothingIsRefused() throws {
    let trigger = Pen.createTemporaryTrigger(after: .insert { _ in Pen.none.delete() })
    let error = #expect(throws: SQLiteError.self) { try trigger.execute(database()) }
    #expect(error?.message.contains("at least one statement") == true)
  }

  @Test func aDateInAViewIsRefused() throws {
    let view = PenView.createTemporaryView(
      as: Pen.select { PenView.Columns(id: $0.id, made: #bind(Date())) })
    let error = #expect(throws: SQLiteError.self) { try view.execute(database()) }
    #expect(error?.message.contains("Cannot bind a date to a view") == true)
    try PenView.createTemporaryView(
      as: Pen.select { PenView.Columns(id: $0.id, made: Date.now()) }
    ).execute(database())
  }
}

private struct Described: LocalizedError { var errorDescription: String? { "Oops!" } }
private struct Printed: Error, CustomStringConvertible { var description: String { "Alas." } }
@DatabaseFunction private func described(_ number: Int) throws -> Int { throw Described() }
@DatabaseFunction private func printed(_ number: Int) throws -> Int { throw Printed() }

@Suite struct ThrownMessagesTests {
  @Test func messagesArrive() throws {
    let db = try Connection(location: .inMemory)
    db.add(function: $described)
    db.add(function: $printed)
    try db.execute(
      """
      CREATE TABLE "pens" ("id" INTEGER PRIMARY KEY, "color" TEXT);
      INSERT INTO "pens" VALUES (1, 'red');
      """)
    let localized = #expect(throws: SQLiteError.self) {
      try Pen.select { $described($0.id) }.fetchAll(db)
    }
    #expect(localized?.message == "Oops!")
    let plain = #expect(throws: SQLiteError.self) {
      try Pen.select { $printed($0.id) }.fetchAll(db)
    }
    #expect(plain?.message == "Alas.")
  }
}
