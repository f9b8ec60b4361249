import HTTPServer
import JSON
import SQLite
import Testing
import Time

@testable import LiveAPI

@Suite("Answers that are kept") struct KeptAnswersTests {
  private func database() throws -> Connection {
    let connection = try Connection(location: .inMemory)
    try connection.execute(APITables.keptAnswers)
    return connection
  }
  private func key(_ name: String) throws -> IdempotencyKey {
    let fields = Fields(["Idempotency-Key": name])
    let peer = try #require(Peer(address: "192.0.2.1"))
    return try #require(
      try IdempotencyKey(Request(.post, target: "/notes", fields: fields, peer: peer)))
  }

  @Test("An answer is kept for a day, and then forgotten")
  func lifetime() throws {
    let connection = try database()
    let clock = TestClock()
    let day: Int64 = 24 * 3_600_000
    for number in 0..<20 {
      try KeptAnswers(connection, clock.clock, most: 20)
        .keep(WrittenAnswer(status: .created, location: "/\(number)"), try key("\(number)"))
    }
    clock.advance(milliseconds: day - 1)
    #expect(try KeptAnswers(connection, clock.clock, most: 20).find(try key("7"))?.location == "/7")
    clock.advance(milliseconds: 1)
    #expect(try KeptAnswers(connection, clock.clock, most: 20).find(try key("7")) == nil)
    try KeptAnswers(connection, clock.clock, most: 20)
      .keep(WrittenAnswer(status: .noContent), try key("7"))
    #expect(
      try KeptAnswers(connection, clock.clock, most: 20).find(try key("7"))?.status == .noContent)
    for number in 20..<22 {
      try KeptAnswers(connection, clock.clock, most: 20)
        .keep(WrittenAnswer(status: .created), try key("\(number)"))
    }
    #expect(try connection.value("SELECT count(*) FROM idempotentAnswers")?.integer == 3)
  }

  @Test("Of more than there may be, the oldest go")
  func most() throws {
    let connection = try database()
    let kept = KeptAnswers(connection, TestClock().clock, most: 3)
    for number in 0..<10 { try kept.keep(WrittenAnswer(status: .created), try key("\(number)")) }
    #expect(
      try connection.value("SELECT group_concat(key) FROM idempotentAnswers")?.text == "7,8,9")
  }

  @Test("A key stands for one caller, one path and one query")
  func scope() throws {
    let peer = try #require(Peer(address: "192.0.2.1"))
    func scope(_ target: String, of keyID: Int?) throws -> String? {
      var request = try Request(
        .post, target: target, fields: Fields(["Idempotency-Key": "a"]), peer: peer)
      request.caller = Access(Rights(.write), keyID: keyID)
      return try IdempotencyKey(request)?.scope
    }
    let scopes = try [
      scope("/notes", of: nil), scope("/notes", of: 1), scope("/notes", of: 2),
      scope("/notes?a=1", of: 1), scope("/notes?a=2", of: 1), scope("/others", of: 1),
    ]
    #expect(Set(scopes.compactMap(\.self)).count == scopes.count)
  }
}
