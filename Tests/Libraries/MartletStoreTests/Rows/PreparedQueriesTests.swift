import MartletQueryBuilder
import MartletSQLite
import Testing

@testable import MartletStore

@Suite("Queries printed once per shape")
struct PreparedQueriesTests {
  private struct Shape: Hashable {
    var text: String?
    var isDescending = false
  }

  private func query(
    _ queries: PreparedQueries<Shape, Int, Int>, _ shape: Shape, _ from: Int, _ limit: Int
  ) -> Query {
    let prepared = queries(shape) { from, limit in
      Word.where { word in
        word.id >= from
        if let text = shape.text { word.text != text }
      }
      .order { if shape.isDescending { $0.id.desc() } else { $0.id } }
      .limit { _ in limit }
      .select(\.text).query
    }
    return prepared(from, limit)
  }

  private func words() throws -> Connection { try Word.connection(["a", "b", "c", "d"]) }

  @Test("Each shape has its own SQL, and each call its own values")
  func shapes() throws {
    let db = try words()
    let queries = PreparedQueries<Shape, Int, Int>()
    #expect(try Word.texts(query(queries, Shape(), 2, 2), db) == ["b", "c"])
    #expect(try Word.texts(query(queries, Shape(text: "c"), 2, 9), db) == ["b", "d"])
    #expect(try Word.texts(query(queries, Shape(text: "b"), 2, 9), db) == ["c", "d"])
    #expect(try Word.texts(query(queries, Shape(isDescending: true), 1, 2), db) == ["d", "c"])
    #expect(try Word.texts(query(queries, Shape(), 1, 1), db) == ["a"])
    let one = query(queries, Shape(text: "c"), 1, 1)
    #expect(one.printed === query(queries, Shape(text: "c"), 3, 2).printed)
    #expect(one.printed !== query(queries, Shape(text: "b"), 1, 1).printed)
  }

  @Test("The cache is cleared when it is full")
  func bound() throws {
    let db = try words()
    let queries = PreparedQueries<Shape, Int, Int>(most: 2)
    let first = query(queries, Shape(), 1, 1)
    _ = query(queries, Shape(text: "a"), 1, 1)
    #expect(first.printed === query(queries, Shape(), 2, 1).printed)
    for text in ["b", "c", "d"] {
      #expect(try Word.texts(query(queries, Shape(text: text), 1, 1), db) == ["a"])
    }
    #expect(first.printed !== query(queries, Shape(), 1, 1).printed)
    #expect(try Word.texts(query(queries, Shape(), 3, 1), db) == ["c"])
  }

  @Test("If two threads print a shape at once, the first text is used")
  func twice() throws {
    let queries = PreparedQueries<Shape, Int, Int>()
    var meanwhile: Query?
    // A call by another thread that finishes before this one.
    let prepared = queries(Shape()) { from, limit in
      meanwhile = query(queries, Shape(), 1, 2)
      return Word.where { $0.id >= from }.limit { _ in limit }.select(\.text).query
    }
    #expect(prepared(1, 2).printed === meanwhile?.printed)
    #expect(query(queries, Shape(), 1, 2).printed === meanwhile?.printed)
  }
}
