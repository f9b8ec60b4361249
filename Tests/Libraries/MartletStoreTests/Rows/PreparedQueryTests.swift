import MartletJSON
import MartletQueryBuilder
import MartletSQLite
import Testing

@testable import MartletStore

@Suite("Queries printed once")
struct PreparedQueryTests {
  private static let between = PreparedQuery<Int, Int> { low, high in
    Word.where { $0.id >= low && $0.id <= high && $0.text != "left out" }
      .order(by: \.id).limit(2).select(\.text)
  }

  private func words() throws -> Connection {
    try Word.connection(["a", "left out", "c", "d", "e"])
  }

  @Test("Values are bound in their places between constant ones")
  func values() throws {
    let db = try words()
    #expect(try Word.texts(Self.between(1, 3), db) == ["a", "c"])
    #expect(try Word.texts(Self.between(2, 9), db) == ["c", "d"])
    let query = Self.between(1, 3)
    #expect(query.printed === Self.between(2, 9).printed)
    #expect(query.values.count == 4)
  }

  @Test("It prints like any other query, and its rows as JSON")
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

  @Test("It can be part of other statements, with its values")
  func inside() throws {
    let db = try words()
    let query = Self.between(3, 5)
    #expect(
      try Word.texts(Query("SELECT group_concat(text) FROM (\(query.fragment))"), db) == ["c,d"])
  }

  @Test("With other columns it is a different query, whichever runs first")
  func otherColumns() throws {
    let db = try words()
    func json(_ query: Query) throws -> String {
      let buffer = ByteBuffer()
      #expect(try db.writeJSONObject(query, into: buffer))
      return String(decoding: buffer.bytes, as: UTF8.self)
    }
    for changedFirst in [true, false] {
      let byID = PreparedQuery<Int> { id in Word.find(id) }
      var changed = byID(4)
      changed.columns[0].kind = .hidden
      if !changedFirst { #expect(try json(byID(3)) == #"{"id":3,"text":"c"}"#) }
      #expect(try json(changed) == #"{"text":"d"}"#)
      #expect(try json(byID(5)) == #"{"id":5,"text":"e"}"#)
    }
  }
}
