import Foundation
import MartletHTTP
import MartletJSON
import MartletTime
import Testing

@testable import MartletLiveAPI

@Suite("Decodable bodies and queries") struct RequestDecoderTests {
  enum Genre: String, Decodable, CaseIterable { case novel, essay }
  enum Size: Int, Decodable { case small = 1, large = 2 }

  /// Rejects values outside of 0 to 100.
  struct Percent: Decodable, Equatable {
    let value: Int
    init(value: Int) { self.value = value }
    init(from decoder: any Decoder) throws {
      value = try decoder.singleValueContainer().decode(Int.self)
      guard 0...100 ~= value else { throw FieldReason("is no percentage") }
    }
  }

  struct Author: Decodable, Equatable {
    var name: String
    var born: Int?
  }

  struct Book: Decodable, Equatable {
    var title: String
    var pages: Int
    var price: Double?
    var isRead: Bool?
    var genre: Genre?
    var authors: [Author]?
    var published: Date?
    var changed: Instant?
    var progress: Percent?
    var notes: [String: Int]?
  }

  private func decode<T: Decodable>(_ type: T.Type, _ text: String) throws -> T {
    let peer = try #require(Peer(address: "127.0.0.1"))
    let request = try Request(
      .post, target: "/", body: SharedBytes(Array(text.utf8)), peer: peer)
    return try Body.decode(type, from: request)
  }

  private func faults<T: Decodable>(_ type: T.Type, _ text: String) throws -> [String] {
    let problem = #expect(throws: APIProblem.self) { _ = try decode(type, text) }
    #expect(problem?.type == .invalidBody)
    return problem?.errors.map { error in
      guard case .pointer(let pointer) = error.place else { return "" }
      return "\(pointer) \(error.detail)"
    } ?? []
  }

  @Test("A valid body is decoded")
  func fits() throws {
    let book = try decode(
      Book.self,
      """
      {"title": "A", "pages": 7.0, "price": 9.5, "isRead": true, "genre": "essay", "authors": [{"name": "B"}],
       "published": "2026-11-20T15:36:00Z", "changed": "2026-11-20T15:36:00.5Z", "progress": 100, "notes": {"x": 1}}
      """)
    #expect(
      book
        == Book(
          title: "A", pages: 7, price: 9.5, isRead: true, genre: .essay,
          authors: [Author(name: "B")], published: Date(timeIntervalSince1970: 1_795_188_960),
          changed: try RFC3339.parse("2026-11-20T15:36:00.5Z"), progress: Percent(value: 100),
          notes: ["x": 1]))
    #expect(
      try decode(Book.self, #"{"title":"A","pages":1,"price":null}"#) == Book(title: "A", pages: 1))
  }

  @Test("All faults are reported, each with its pointer")
  func faults() throws {
    let text = """
      {"pages": "7", "price": true, "genre": "poem", "authors": [{"name": 1, "age": 3}, 4, {"born": 1.5}],
       "published": "today", "changed": 5, "progress": 101, "notes": {"a/b": null}, "tittle": "A", "isRead": true, "isRead": true}
      """
    let found = try faults(Book.self, text)
    let known =
      "authors, changed, genre, isRead, notes, pages, price, progress, published, title"
    let expected = [
      "/isRead appears 2 times", "/title is required",
      "/pages expected a whole number, got a string", "/price expected a number, got a boolean",
      #"/genre expected one of "novel", "essay", got "poem""#,
      "/authors/0/name expected a string, got a number",
      "/authors/0/age unknown; did you mean name? this route accepts: born, name",
      "/authors/1 expected an object, got a number", "/authors/2/name is required",
      "/authors/2/born expected a whole number, got a number",
      "/published expected an instant (2026-11-20T15:36:00Z): expected a year of four digits at byte 0",
      "/changed expected an instant (2026-11-20T15:36:00Z), got a number",
      "/progress is no percentage", "/notes/a~1b expected a whole number, got null",
      "/tittle unknown; did you mean title? this route accepts: \(known)",
    ]
    #expect(found == expected)
  }

  @Test("A type without a placeholder ends decoding, and its fault is reported")
  func stops() throws {
    struct Shirt: Decodable {
      var name: String
      var size: Size
      var price: Int
    }
    #expect(
      try faults(Shirt.self, #"{"size":3,"price":"x"}"#)
        == ["/name is required", "/size is not one of the known values, got a number"])
    #expect(try decode(Shirt.self, #"{"name":"a","size":2,"price":1}"#).size == .large)
  }

  @Test(
    "The body may be a value other than an object",
    arguments: [
      ("[]", " expected an object, got an array"), ("null", " expected an object, got null"),
      ("{}", "/name is required"),
    ])
  func whole(_ text: String, _ fault: String) throws {
    #expect(try faults(Author.self, text) == [fault])
    #expect(try decode([Int].self, "[1,2]") == [1, 2])
    #expect(try faults([Int].self, "{}") == [" expected an array, got an object"])
  }

  @Test(
    "Whole numbers have the range of their type",
    arguments: [
      (#"{"a":256}"#, "/a expected a whole number from 0 to 255, got 256"),
      (#"{"a":-1}"#, "/a expected a whole number from 0 to 255, got -1"),
      (#"{"b":-1}"#, "/b expected a whole number from 0, got -1"),
      (#"{"b":18446744073709551616}"#, "/b expected a whole number from 0, got a number"),
      (#"{"c":9223372036854775808}"#, "/c expected a whole number, got a number"),
      (#"{"d":1e999}"#, "/d expected a number, got a number"),
    ])
  func ranges(_ text: String, _ fault: String) throws {
    struct Numbers: Decodable {
      var a: UInt8?
      var b: UInt64?
      var c: Int?
      var d: Float?
    }
    #expect(try faults(Numbers.self, text) == [fault])
    #expect(try decode(Numbers.self, #"{"b":18446744073709551615}"#).b == .max)
  }

  @Test("Unknown members of nested containers are reported, too")
  func nested() throws {
    struct Place: Decodable {
      enum Outer: String, CodingKey { case at }
      enum Inner: String, CodingKey { case x, y }
      var x: Int
      init(from decoder: any Decoder) throws {
        let outer = try decoder.container(keyedBy: Outer.self)
        x = try outer.nestedContainer(keyedBy: Inner.self, forKey: .at).decode(
          Int.self, forKey: .x)
      }
    }
    #expect(try decode(Place.self, #"{"at":{"x":1}}"#).x == 1)
    #expect(
      try faults(Place.self, #"{"at":{"x":1,"long":2}}"#) == [
        "/at/long unknown; this route accepts: x"
      ])
    #expect(try faults(Place.self, "{}") == ["/at is required"])
  }

  @Test("At most a hundred faults are reported, and decoding stops there")
  func most() throws {
    let text = "[" + [String](repeating: "true", count: 5_000).joined(separator: ",") + "]"
    #expect(try faults([Int].self, text).count == 100)
    let members = (0..<5_000).map { "\"m\($0)\":1" }.joined(separator: ",")
    #expect(try faults(Author.self, "{\"name\":\"a\",\(members)}").count == 100)
  }

  @Test("A body that is not JSON is malformed, and errors of the program are rethrown")
  func others() throws {
    struct Broken: Error {}
    struct Fails: Decodable {
      init(from decoder: any Decoder) throws { throw Broken() }
    }
    let problem = #expect(throws: APIProblem.self) { _ = try decode(Book.self, "{") }
    #expect(problem?.type == .malformedJSON)
    #expect(throws: Broken.self) { _ = try decode(Fails.self, "{}") }
  }

  struct Filter: Decodable, Equatable {
    var author: String?
    var limit: Int?
    var read: Bool?
    var genre: [Genre]?
    var after: Instant?
  }

  private func query<T: Decodable>(_ type: T.Type, _ query: String) throws -> T {
    let request = try Request(.get, target: "/" + query, peer: #require(Peer(address: "127.0.0.1")))
    return try QueryParameters.ofRead(request).decode(type)
  }

  @Test("A query can be decoded, too")
  func parameters() throws {
    #expect(try query(Filter.self, "") == Filter())
    #expect(
      try query(Filter.self, "?author=7&limit=3&read=true&genre=essay&genre=novel&deltas=false")
        == Filter(author: "7", limit: 3, read: true, genre: [.essay, .novel]))
  }

  @Test("A + in the URL, which is a space, is named if a plus was meant")
  func plus() throws {
    struct When: Decodable { var at: Instant }
    let problem = #expect(throws: APIProblem.self) {
      _ = try query(When.self, "?at=2026-11-20T15:36:00+01:00")
    }
    let hint = "; in a URL a + is a space: write %2B for it"
    #expect(problem?.errors.first?.detail.hasSuffix(hint) == true, "\(problem?.errors ?? [])")
    #expect(throws: Never.self) { try query(When.self, "?at=2026-11-20T15:36:00%2B01:00") }
  }

  @Test(
    "Faults of a query name their parameters",
    arguments: [
      ("?limit=03", "limit", #"expected a whole number, got "03""#, ProblemType.invalidParameter),
      ("?read=1&limit=1", "read", #"expected true or false, got "1""#, .invalidParameter),
      ("?author=a&author=b", "author", "expected a string, got 2 values", .invalidParameter),
      (
        "?genre=essay&genre=x", "genre", #"expected one of "novel", "essay", got "x""#,
        .invalidParameter
      ),
      (
        "?autor=a", "autor",
        "unknown; did you mean author? this route accepts: after, author, genre, limit, read",
        .unknownParameter
      ),
    ])
  func wrongQuery(_ text: String, _ name: String, _ detail: String, _ type: ProblemType) throws {
    let problem = #expect(throws: APIProblem.self) { _ = try query(Filter.self, text) }
    #expect(problem?.type == type && problem?.errors == [FieldError(.parameter(name), detail)])
  }
}
