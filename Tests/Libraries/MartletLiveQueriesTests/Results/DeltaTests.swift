import MartletJSON
import TestSupport
import Testing

@testable import MartletLiveQueries

@Suite("The difference between two results")
struct DeltaTests {
  private func bytes(_ text: String) -> SharedBytes { SharedBytes(Array(text.utf8)) }

  /// A collection of rows by ID, as the service writes it.
  private func collection(_ rows: [(Int, String)], cursor: String = "null") -> String {
    let items = rows.map { #"{"id":\#($0.0),"title":"\#($0.1)","notes":"some words to be kept"}"# }
    return #"{"items":[\#(items.joined(separator: ","))],"nextCursor":\#(cursor)}"#
  }

  private func check(_ old: String, _ new: String) throws -> String? {
    guard let delta = Delta.between(bytes(old), bytes(new)) else { return nil }
    let applied = try StreamedResult.applying(
      JSONValue.parse(delta.string), to: JSONValue.parse(old))
    #expect(applied.description == (try JSONValue.parse(new)).description)
    #expect(delta.count < new.utf8.count)
    return delta.string
  }

  @Test("Each operation has its documented form")
  func operations() throws {
    let old = collection([(1, "a"), (2, "b"), (3, "c"), (4, "d")])
    #expect(
      try check(old, collection([(1, "a"), (2, "b"), (3, "c")])) == #"{"ops":[["-",4]]}"#)
    #expect(
      try check(old, collection([(1, "a"), (2, "x"), (3, "c"), (4, "d")]))
        == #"{"ops":[["~",2,{"title":"x"}]]}"#)
    #expect(
      try check(old, collection([(4, "d"), (1, "a"), (2, "b"), (3, "c")]))
        == #"{"ops":[[">",4,null]]}"#)
    #expect(
      try check(old, collection([(1, "a"), (9, "n"), (2, "b"), (3, "c"), (4, "d")]))
        == #"{"ops":[["+",9,{"id":9,"title":"n","notes":"some words to be kept"},1]]}"#)
    #expect(
      try check(old, collection([(1, "a"), (2, "b"), (3, "c"), (4, "d")], cursor: #""x""#))
        == #"{"ops":[],"set":{"nextCursor":"x"}}"#)
  }

  @Test("The difference of objects contains the changed members")
  func objects() throws {
    let old = #"{"id":1,"title":"a long enough title","dueDate":"2026-11-20","tags":["x"]}"#
    let new = #"{"id":1,"title":"a long enough title","dueDate":null,"tags":["x"]}"#
    #expect(try check(old, new) == #"{"set":{"dueDate":null}}"#)
  }

  @Test("There is no difference if it is not smaller or cannot be expressed")
  func fallbacks() throws {
    #expect(try check(#"{"a":1}"#, #"{"a":2}"#) == nil)
    #expect(try check(collection([(1, "a")]), collection([(2, "b")])) == nil)
    #expect(try check(#"{"a":1,"items":[]}"#, #"{"a":1}"#) == nil)
    #expect(try check("[1]", "[2]") == nil)
    let twice = collection([(1, "a"), (1, "a"), (2, "b")])
    #expect(Delta.between(bytes(twice), bytes(collection([(1, "a"), (2, "b")]))) == nil)
  }

  @Test("Applying the difference to any result gives the next result", arguments: 0..<40)
  func anything(_ seed: UInt64) throws {
    var generator = SeededRandom(seed: seed &* 0x9e37_79b9_7f4a_7c15 &+ 1)
    var rows = (0..<Int.random(in: 0...30, using: &generator)).map { ($0, "row \($0)") }
    var next = 1000
    for _ in 0..<25 {
      let old = rows
      for _ in 0..<Int.random(in: 1...5, using: &generator) {
        let place = rows.isEmpty ? 0 : Int.random(in: 0..<rows.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
          next += 1
          rows.insert((next, #"new \"\u00e9\" [{"#), at: place)
        case 1 where !rows.isEmpty: rows.remove(at: place)
        case 2 where !rows.isEmpty: rows[place].1 += "!"
        case 3 where rows.count > 1:
          let row = rows.remove(at: place)
          rows.insert(row, at: Int.random(in: 0...rows.count, using: &generator))
        default: break
        }
      }
      _ = try check(collection(old), collection(rows))
    }
  }
}
