import Testing

@testable import MartletHTTP

@Suite("All request bodies together are limited (item 88)", .timeLimit(.minutes(10)))
struct BodyBudgetTests {
  private func harness(
    _ configure: (inout HTTPServer.Configuration) -> Void = { _ in }
  ) throws -> Harness {
    try Harness(loops: 1, configure: configure) { $0.addBasics() }
  }

  @Test("Beyond the limit a request gets 503 with Retry-After; answered requests free their bytes")
  func budget() throws {
    let harness = try harness {
      $0.limits.bodyBytes = 1 << 20
      $0.limits.body = 400_000
    }
    let part = String(repeating: "x", count: 349_999)
    let clients = try (0..<2).map { _ in try harness.client() }
    for client in clients {
      client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 350000\r\n\r\n" + part)
    }
    while harness.server.bodyBytes < 2 * 349_999 { harness.settle() }
    // The head already shows that this body does not fit.
    let third = try harness.client()
    third.send(
      "POST /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 400000\r\n\r\n")
    let refused = third.answer()
    #expect(refused.status == 503 && refused.field("Retry-After") == "5")
    #expect(refused.field("Connection") == "close")
    #expect(refused.text.contains("/problems/overloaded"))
    // A chunked body exceeds the limit only while it is read.
    let fourth = try harness.client()
    fourth.send(
      "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n57e3f\r\n")
    fourth.send(String(repeating: "x", count: 0x57E3F))
    #expect(fourth.answer().status == 503)
    while harness.server.bodyBytes > 2 * 349_999 { harness.settle() }
    // Accepted bodies are answered and return their bytes.
    for client in clients {
      client.send("x")
      #expect(client.answer().body.count == 350_000)
    }
    while harness.server.bodyBytes > 0 { harness.settle() }
    #expect(clients[0].get("/").text == "OK")
  }

  @Test("A client that disconnects within its body returns the bytes")
  func gone() throws {
    let harness = try harness()
    var client: RawClient? = try harness.client()
    client?.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 50000\r\n\r\n")
    client?.send(String(repeating: "x", count: 40_000))
    while harness.server.bodyBytes < 40_000 { harness.settle() }
    client = nil
    while harness.server.bodyBytes > 0 { harness.settle() }
    #expect(try harness.client().get("/").text == "OK")
  }

  @Test("A single body always fits, whatever the limit")
  func largest() {
    var limits = Limits()
    limits.bodyBytes = 10
    #expect(Budgets(limits).bodies.most == limits.body)
    #expect(Budgets(limits, largestBody: 5 << 20).bodies.most == 5 << 20)
  }

  @Test("One client gets a quarter, large pieces three; a client's only piece always fits")
  func shares() throws {
    let budget = ByteBudget(most: 1_000_000)
    let one = try #require(Peer(address: "192.0.2.1"))
    let other = try #require(Peer(address: "192.0.2.2"))
    #expect(budget.take(200_000, for: one))
    #expect(!budget.take(60_000, for: one) && !budget.hasRoom(for: 60_000, of: one))
    #expect(budget.count == 200_000)
    #expect(budget.take(50_000, for: one) && budget.take(60_000, for: other))
    budget.give(60_000, of: other)
    // A large piece that grows, of a client that holds nothing else.
    #expect(budget.take(100_000, for: other))
    #expect(budget.take(400_000, onTopOf: 100_000, for: other))
    #expect(!budget.take(1, onTopOf: 500_000, for: other))
    // With three quarters in use, small pieces still fit if their client's share has room.
    #expect(!budget.hasRoom(for: 70_000, of: nil) && budget.hasRoom(for: 60_000, of: nil))
    #expect(!budget.take(1, for: other) && budget.take(60_000))
    budget.give(500_000, of: other)
    budget.give(250_000, of: one)
    budget.give(60_000)
    #expect(budget.count == 0)
    #expect(budget.take(1_000_000, for: one))
    budget.give(1_000_000, of: one)
    #expect(budget.take(1_000_000) && !budget.take(1))
  }

  @Test("Large uploads leave room for the client's small bodies and for other clients")
  func flood() throws {
    let harness = try harness {
      $0.limits.bodyBytes = 4 << 20
      $0.isCounted = { _ in true }
    }
    let part = String(repeating: "x", count: 900_000)
    let first = try harness.client()
    first.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 900001\r\n\r\n" + part)
    while harness.server.bodyBytes < 900_000 { harness.settle() }
    let second = try harness.client()
    second.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 900001\r\n\r\n")
    #expect(second.answer().status == 503)
    let small = try harness.client()
    small.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nsmall")
    #expect(small.answer().text == "small")
    first.send("x")
    #expect(first.answer().body.count == 900_001)
  }

  @Test("Bytes count until the last reference to the request is released")
  func held() {
    let budget = ByteBudget(most: 10)
    var storage: RequestStorage? = RequestStorage()
    #expect(storage?.hold(4, of: budget, for: nil) == true)
    #expect(storage?.hold(10, of: budget, for: nil) == true)
    #expect(budget.count == 10 && !budget.take(1) && budget.count == 10)
    #expect(storage?.hold(11, of: budget, for: nil) == false && budget.count == 10)
    storage = nil
    #expect(budget.count == 0)
    #expect(budget.hasRoom(for: 10, of: nil) && !budget.hasRoom(for: 11, of: nil))
  }
}
