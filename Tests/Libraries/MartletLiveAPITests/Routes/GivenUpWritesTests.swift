import Dispatch
import Foundation
import MartletHTTP
import MartletLiveAPI
import MartletStore
import Synchronization
import TestSupport
import Testing

/// The response to a write is correct even if the request timed out.
@Suite("Writes that time out", .timeLimit(.minutes(10))) struct GivenUpWritesTests {
  private let isHeld = DispatchSemaphore(value: 0)
  private let mayGoOn = DispatchSemaphore(value: 0)

  private func held(_ service: inout NotesService?) throws -> NotesService {
    let (isHeld, mayGoOn) = (isHeld, mayGoOn)
    let route = Route.write(.post, "/held") { _, _ in
      WriteRoute.Work { db in
        try db.run("INSERT INTO notes (title) VALUES ('held')")
        isHeld.signal()
        mayGoOn.wait()
        return .done
      }
    }
    var limits = Limits()
    limits.handlerTimeout = .milliseconds(200)
    service = try NotesService(limits: limits, routes: [route])
    return try #require(service)
  }

  @Test("A write that times out while it runs is not done, and its 503 says so")
  func running() throws {
    var kept: NotesService?
    let service = try held(&kept)
    let client = try service.client()
    try client.send(RawClient.head("POST", "/held", body: ""))
    isHeld.wait()
    let answer = try client.response()
    #expect(answer.status == 503 && answer.problem == "overloaded")
    #expect((answer.json["detail"] as? String)?.contains("Nothing was done") == true)
    mayGoOn.signal()
    #expect(try service.client().post("/notes", #"{"title":"next"}"#).status == 201)
    #expect(try service.client().get("/notes").text == #"{"items":[{"id":1,"title":"next"}]}"#)
    #expect(service.failures.list.isEmpty)
  }

  @Test("A write that times out while it is being committed has an unknown outcome")
  func committing() throws {
    var kept: NotesService?
    let service = try held(&kept)
    let holder = try service.client()
    try holder.send(RawClient.head("POST", "/held", body: ""))
    isHeld.wait()
    // The next group commit: a write that has run waits for one that is still running.
    let first = try service.client()
    let body = #"{"title":"first"}"#
    try first.send(RawClient.head("POST", "/notes", body: body) + body)
    while service.database.waitingWrites < 1 { usleep(100) }
    let second = try service.client()
    try second.send(RawClient.head("POST", "/held", body: ""))
    while service.database.waitingWrites < 2 { usleep(100) }
    mayGoOn.signal()
    isHeld.wait()
    let answer = try first.response()
    #expect(answer.status == 500 && answer.problem == "outcome-unknown")
    mayGoOn.signal()
    #expect(try service.client().post("/notes", #"{"title":"next"}"#).status == 201)
    #expect(try service.client().get("/notes").text.contains("first"))
  }

  @Test("An upload is parsed before its transaction, and other requests go on")
  func uploads() throws {
    let (isHeld, mayGoOn) = (isHeld, mayGoOn)
    let route = Route.upload("/file", needs: .admin) { request, _ in
      isHeld.signal()
      mayGoOn.wait()
      let size = request.body.count
      return WriteRoute.Work { db in
        try db.run("INSERT INTO notes (title) VALUES (?)", .integer(Int64(size)))
        return .done
      }
    }
    let service = try NotesService(routes: [route])
    let clients = try (0..<12).map { _ in try service.client() }
    for client in clients {
      try client.send(RawClient.head("POST", "/file", body: "abc") + "abc")
    }
    isHeld.wait()
    // One is being parsed, eight wait, the others are refused, and nothing else is delayed. Which
    // ones these are depends on the order in which the server received them.
    let answers = Answers()
    for client in clients { answers.read(client) }
    let refused = try #require(answers.wait(for: 3))
    #expect(refused.allSatisfy { $0.status == 503 && $0.problem == "overloaded" })
    #expect(try service.client().post("/notes", #"{"title":"quick"}"#).status == 201)
    #expect(try service.client().get("/notes").status == 200)
    for _ in 0..<9 { mayGoOn.signal() }
    let done = try #require(answers.wait(for: 9)).dropFirst(3)
    #expect(done.allSatisfy { $0.status == 204 })
    #expect(try service.client().get("/notes").items.count == 10)
  }

  /// Collects the responses of several clients in the order in which they arrive.
  private final class Answers: Sendable {
    private let all = Mutex<[RawResponse]>([])
    private let arrived = DispatchSemaphore(value: 0)

    func read(_ client: RawClient) {
      // Only this thread reads from the client.
      nonisolated(unsafe) let client = client
      Thread.detachNewThread {
        guard let response = try? client.response() else { return }
        self.all.withLock { $0.append(response) }
        self.arrived.signal()
      }
    }

    /// All responses so far, once `count` more have arrived; `nil` after a minute.
    func wait(for count: Int) -> [RawResponse]? {
      for _ in 0..<count where arrived.wait(timeout: .now() + Deadline.hang) == .timedOut {
        return nil
      }
      return all.withLock { $0 }
    }
  }

  @Test("An upload is parsed when the one before it has been written")
  func oneAtATime() throws {
    let steps = Mutex<[String]>([])
    let isUnderstood = DispatchSemaphore(value: 0)
    let route = Route.upload("/file", needs: .admin) { _, _ in
      steps.withLock { $0.append("understood") }
      isUnderstood.signal()
      return WriteRoute.Work { _ in
        steps.withLock { $0.append("written") }
        return .done
      }
    }
    let service = try NotesService(routes: [route])
    let (isHeld, mayGoOn) = (isHeld, mayGoOn)
    try service.database.submit { _ in
      isHeld.signal()
      mayGoOn.wait()
    } completion: { _ in
    }
    isHeld.wait()
    let clients = try (0..<2).map { _ in try service.client() }
    for client in clients { try client.send(RawClient.head("POST", "/file", body: "abc") + "abc") }
    isUnderstood.wait()
    // The first upload waits for the writer, which leaves time for the second one.
    let other = try service.client()
    for _ in 0..<50 { #expect(try other.get("/notes").status == 200) }
    mayGoOn.signal()
    for client in clients { #expect(try client.response().status == 204) }
    #expect(steps.withLock { $0 } == ["understood", "written", "understood", "written"])
  }

  @Test("An upload that timed out while it waited is not parsed")
  func givenUpUpload() throws {
    let (isHeld, mayGoOn) = (isHeld, mayGoOn)
    let bodies = Mutex<[String]>([])
    let route = Route.upload("/file", needs: .admin) { request, _ in
      let body = String(decoding: request.body.bytes, as: UTF8.self)
      bodies.withLock { $0.append(body) }
      if body == "first" {
        isHeld.signal()
        mayGoOn.wait()
      }
      return WriteRoute.Work { _ in .done }
    }
    var limits = Limits()
    limits.handlerTimeout = .milliseconds(300)
    let service = try NotesService(limits: limits, routes: [route])
    func send(_ body: String) throws -> RawClient {
      let client = try service.client()
      try client.send(RawClient.head("POST", "/file", body: body) + body)
      return client
    }
    let first = try send("first")
    isHeld.wait()
    let second = try send("second")
    for client in [first, second] {
      let answer = try client.response()
      #expect(answer.status == 503)
      #expect((answer.json["detail"] as? String)?.contains("Nothing was done") == true)
    }
    mayGoOn.signal()
    // Retry until an upload that was sent later succeeds.
    while try send("third").response().status != 204 {}
    #expect(bodies.withLock { !$0.contains("second") })
  }
}
