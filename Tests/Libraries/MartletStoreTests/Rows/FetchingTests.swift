import Foundation
import MartletJSON
import MartletQueryBuilder
import MartletSQLite
import Testing

@testable import MartletStore

@Table
private struct Note: Equatable {
  let id: Int
  var title = ""
  var rating: Int?
  var madeAt: Date?
}

@Selection
private struct Summary: Equatable {
  let note: Note
  let words: Int
}

@Suite("Statements of the query builder on a connection")
struct FetchingTests {
  private let db: Connection

  init() throws {
    db = try Connection(location: .inMemory)
    try #sql(
      """
      CREATE TABLE "notes" (
        "id" INTEGER PRIMARY KEY, "title" TEXT NOT NULL DEFAULT '', "rating" INTEGER,
        "madeAt" TEXT
      )
      """
    ).execute(db)
  }

  @Test("Inserted rows can be fetched")
  func roundTrip() throws {
    let date = Date(timeIntervalSince1970: 1_800_000_000.125)
    let id = try Note.insert { Note.Draft(title: "a", rating: 5, madeAt: date) }
      .returning(\.id).fetchOne(db)
    #expect(id == 1)
    #expect(
      try Note.all.fetchAll(db) == [Note(id: 1, title: "a", rating: 5, madeAt: date)])
    #expect(try Note.find(2).fetchOne(db) == nil)
    #expect(try Note.count().fetchOne(db) == 1)
    #expect(try Note.where { $0.title == "b" }.fetchCount(db) == 0)
  }

  @Test("A draft omits nil values, so that column defaults apply")
  func drafts() throws {
    try Note.insert { Note.Draft() }.execute(db)
    #expect(try Note.find(1).fetchOne(db) == Note(id: 1))
  }

  @Test("A statement without changes is not executed")
  func empty() throws {
    try Note.all.update { _ in }.execute(db)
    #expect(try Note.none.fetchAll(db).isEmpty)
  }

  @Test("A value of the wrong type is reported with column, value and SQL")
  func decoding() throws {
    try db.execute("INSERT INTO notes (id, title, madeAt) VALUES (1, 'x', 'yesterday')")
    let error = #expect(throws: RowDecodingError.self) { try Note.all.fetchAll(db) }
    #expect(error?.column == "notes.madeAt")
    #expect(error?.expected == "Date")
    #expect(error?.value == .text("yesterday"))
    #expect(error?.sql.hasPrefix("SELECT \"notes\".\"id\"") == true)
  }

  @Test("A value that cannot be stored is rejected before the statement runs")
  func invalid() throws {
    #expect(throws: SQLiteError.self) {
      try #sql("INSERT INTO notes (rating) VALUES (\(bind: UInt64.max))").execute(db)
    }
    #expect(try Note.count().fetchOne(db) == 0)
  }

  @Test("A date bound in a trigger is reported, and the trigger is not installed")
  func dateInTrigger() throws {
    let trigger = Note.createTemporaryTrigger(
      "stamp",
      after: .update { _, new in Note.find(new.id).update { $0.madeAt = #bind(Date()) } })
    let error = #expect(throws: SQLiteError.self) { try trigger.execute(db) }
    #expect(error?.message.contains("Cannot bind a date to a trigger statement") == true)
    #expect(error?.message.contains("stamp") == true)
    #expect(try db.value("SELECT count(*) FROM temp.sqlite_schema") == 0)
  }

  @Test("A selection can contain a table's row and other columns")
  func nested() throws {
    try Note.insert { Note.Draft(title: "a b") }.execute(db)
    let query = Note.select { Summary.Columns(note: $0, words: $0.title.length()) }
    #expect(try query.fetchAll(db) == [Summary(note: Note(id: 1, title: "a b"), words: 3)])
    let buffer = ByteBuffer()
    #expect(try db.writeJSONObject(query.query, into: buffer))
    #expect(
      String(decoding: buffer.bytes, as: UTF8.self)
        == #"{"note":{"id":1,"title":"a b","rating":null,"madeAt":null},"words":3}"#)
  }

  @Test("The missing side of an outer join is nil")
  func outerJoin() throws {
    enum Other: AliasName {}
    try Note.insert {
      Note.Draft(title: "a", rating: 2)
      Note.Draft(title: "b")
    }.execute(db)
    let rows = try Note.all.leftJoin(Note.as(Other.self)) { $0.rating == $1.id }
      .order { left, _ in left.id }.fetchAll(db)
    #expect(rows.map(\.0.title) == ["a", "b"])
    #expect(rows.map { $0.1?.title } == ["b", nil])
  }

  @Test("A page is filled segment by segment and returns a cursor")
  func pages() throws {
    try Note.insert { for number in 1...5 { Note.Draft(title: "\(number)") } }.execute(db)
    func segment(_ range: ClosedRange<Int>) -> PageQuery.Segment {
      { limit in
        Note.where { $0.id.between(range.lowerBound, and: range.upperBound) }.order(by: \.id)
          .limit(limit).select(\.title).query(hiding: [Note.id])
      }
    }
    func page(_ limit: Int) throws -> String {
      let buffer = ByteBuffer()
      try db.writeJSON(
        PageQuery(
          segments: [segment(1...2), segment(3...5)], keyCount: 1, limit: limit, fingerprint: 9,
          total: Note.count.query), into: buffer)
      return String(decoding: buffer.bytes, as: UTF8.self)
    }
    func row(_ numbers: ClosedRange<Int>) -> String {
      numbers.map { #"{"title":"\#($0)"}"# }.joined(separator: ",")
    }
    for limit in 1...4 {
      let cursor = PageCursor(fingerprint: 9, keys: [.integer(Int64(limit))]).text
      #expect(
        try page(limit)
          == #"{"items":[\#(row(1...limit))],"nextCursor":"\#(cursor)","total":5}"#)
    }
    #expect(try page(5) == #"{"items":[\#(row(1...5))],"nextCursor":null,"total":5}"#)
    #expect(try page(6) == #"{"items":[\#(row(1...5))],"nextCursor":null,"total":5}"#)
  }
}
