import Foundation
import MartletReminders
import TestSupport
import Testing

@Suite("Deleting a list that is too large for one transaction") struct LargeListTests {
  private let service: RemindersService
  private let client: RawClient
  private var list: Int { 2 }

  init() throws {
    service = try RemindersService()
    client = try service.client()
    #expect(try client.post("/v1/lists", #"{"title":"large"}"#).status == 201)
    try fill(6_200)
  }

  private func fill(_ count: Int) throws {
    try service.database.write { db in
      try db.run(
        """
        WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ?) \
        INSERT INTO reminders (remindersListID, title) SELECT 2, 'r' || i FROM n
        """, .integer(Int64(count)))
    }
  }

  /// The number of reminders of the large list in each event; `nil` if the list is missing.
  private func counts(_ streams: StreamClient) -> [Int?] {
    streams.streams[0].events.map { event in
      let lists = event.json["items"] as? [[String: Any]]
      let large = lists?.first { $0["id"] as? Int == list }
      return (large?["reminders"] as? [String: Any])?["all"] as? Int
    }
  }

  @Test("It is deleted in portions from its end, between other writes")
  func portions() throws {
    let streams = StreamClient(port: service.port)
    try streams.open("/v1/lists")
    #expect(streams.wait { $0[0].events.count == 1 })
    let tag = try #require(try client.get("/v1/lists/2")["ETag"])
    let answer = try client.request("DELETE", "/v1/lists/2", [("If-Match", tag)])
    #expect(answer.status == 204, "\(answer.text)")
    #expect(streams.wait { $0[0].last.map { !$0.data.contains("\"large\"") } ?? false })
    let told = counts(streams)
    #expect(told.first == 6_200 && told.last == .some(nil))
    let sizes = told.compactMap { $0 }
    #expect(sizes == sizes.sorted(by: >) && sizes.allSatisfy { $0 == 6_200 || $0 <= 5_700 })
    #expect(try client.get("/v1/lists/2").status == 404)
    #expect(try client.get("/v1/stats").json["all"] as? Int == 0)
    #expect(try client.get("/v1/search?q=r1").items.isEmpty)
    #expect(try client.delete("/v1/lists/2").status == 404)
  }

  @Test("With a failed precondition nothing is deleted")
  func precondition() throws {
    let answer = try client.request("DELETE", "/v1/lists/2", [("If-Match", "\"x\"")])
    #expect(answer.status == 412)
    #expect(try client.get("/v1/stats").json["all"] as? Int == 6_200)
  }

  @Test("Portions are deleted until the rest fits into one transaction")
  func shrink() throws {
    var portions = 0
    while try service.database.write({ try ListRepository.shrink(2, in: $0) }) { portions += 1 }
    #expect(portions == 3)
    let left = try service.database.read { db in
      try db.query("SELECT count(*), max(position), max(id) FROM reminders").first
    }
    #expect(left?[0].integer == 4_700 && left?[1].integer == 4_699 * 65_536)
  }

  @Test("In a batch it is deleted in one transaction")
  func batch() throws {
    let operations = #"{"operations":[{"method":"DELETE","path":"/v1/lists/2"}]}"#
    let streams = StreamClient(port: service.port)
    try streams.open("/v1/lists")
    #expect(streams.wait { $0[0].events.count == 1 })
    #expect(try client.post("/v1/batch", operations).status == 200)
    #expect(streams.wait { $0[0].events.count == 2 })
    #expect(counts(streams) == [6_200, nil])
  }
}
