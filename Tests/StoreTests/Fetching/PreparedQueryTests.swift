import JSON
import QueryBuilder
import SQLite
import Testing

@testable import Store

@Table("words")
private struct Word {
  let id: Int
  var text: String
}

@Suite("Queries that are printed once")
struct PreparedQueryTests {
  private static let between = PreparedQuery<Int, Int> { low, high in
    Word.where { $0.id >= low && $0.id <= high && $0.text != "left out" }
      .order(by: \.id).limit(2).select(\.text)
  }

  private func words() throws -> Connection {
    let db = try Connection(location: .inMemory)
    try db.execute(
      """
      CREATE TABLE words (id INTEGER PRIMARY KEY, text TEXT NOT NULL);
      INSERT INTO words VALUES (1, 'a'), (2, 'left out'), (3, 'c'), (4, 'd'), (5, 'e');
      """)
    return db
  }

  private func texts(_ query: Query, _ db: Connection) throws -> [String?] {
    let statement = try db.statement(for: query)
    return try statement.rows().map { $0[0].text }
  }

  @Test("Values go where they stand, between those that are always the same")
  func values() throws {
    let db = try words()
    #expect(try texts(Self.between(1, 3), db) == ["a", "c"])
    #expect(try texts(Self.between(2, 9), db) == ["c", "d"])
    let query = Self.between(1, 3)
    #expect(query.printed === Self.between(2, 9).printed)
    #expect(query.values.count == 4)
  }

  @Test("It prints as any other, and its rows as JSON")
  func json() throws {
    let db = try words()
    let byID = PreparedQuery<Int> { id in Word.find(id) }
    for id in [3, 4] {
      let buffer = ByteBuffer()
      #expect(try db.writeJSONObject(byID(id), into: buffer))
      let text = id == 3 ? "c" : "d"
      #expect(
        String(decoding: buffer.bytes, as: UTF8.self) == #"{"id":\#(id),"text":"\#(text)"}"#)
    }
    #expect(byID(1).printed?.sql == Word.find(1).query.fragment.prepare().sql)
  }

  @Test("It can stand inside other statements, with its values")
  func inside() throws {
    let db = try words()
    let query = Self.between(3, 5)
    #expect(try texts(Query("SELECT group_concat(text) FROM (\(query.fragment))"), db) == ["c,d"])
  }
}
