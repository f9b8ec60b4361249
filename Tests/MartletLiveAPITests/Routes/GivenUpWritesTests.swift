import Dispatch
import Foundation
import MartletHTTP
import MartletLiveAPI
import MartletStore
import Synchronization
import TestSupport
import Testing

/// What a client was told of a write is true, also where its time was over.
@Suite("Writes whose time is over", .timeLimit(.minutes(1))) struct GivenUpWritesTests {
  private let isHeld = DispatchSemaphore(value: 0)
  private let mayGoOn = DispatchSemaphore(value: 0)

  private func held(_ service: inout NotesService?) throws -> NotesService {
    let (isHeld, mayGoOn) = (isHeld, mayGoOn)
    let route = Route.write(.post, "/held") { _, _ in
      WriteRoute.Change { db in
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

  @Test("A write that is given up while it runs is not done: 503 says so")
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

  @Test("A write that is given up while it waits for its commit has an unknown outcome")
  func committing() throws {
    var kept: NotesService?
    let service = try held(&kept)
    let holder = try service.client()
    try holder.send(RawClient.head("POST", "/held", body: ""))
    isHeld.wait()
    // The next group: a write that has run waits for one that runs.
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

  @Test("An upload is understood before the transaction begins, and beside other requests")
  func uploads() throws {
    let (isHeld, mayGoOn) = (isHeld, mayGoOn)
    let route = Route.upload("/file", needs: .admin) { request, _ in
      isHeld.signal()
      mayGoOn.wait()
      let size = request.body.count
      return WriteRoute.Change { db in
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
    // One is being understood, eight wait; others are refused, and nothing else is held up.
    // Which ones these are, the order decides in which the server saw them.
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

  /// What comes to several clients, in the order in which it comes.
  private final class Answers: Sendable {
    private let all = Mutex<[RawResponse]>([])
    private let arrived = DispatchSemaphore(value: 0)

    func read(_ client: RawClient) {
      // Only that thread reads from it.
      nonisolated(unsafe) let client = client
      Thread.detachNewThread {
        guard let response = try? client.response() else { return }
        self.all.withLock { $0.append(response) }
        self.arrived.signal()
      }
    }

    /// All so far, when `count` more have come; `nil` where that takes longer than a minute.
    func wait(for count: Int) -> [RawResponse]? {
      for _ in 0..<count where arrived.wait(timeout: .now() + 60) == .timedOut { return nil }
      return all.withLock { $0 }
    }
  }

  @Test("The next upload is understood when the one before it is written")
  func oneAtATime() throws {
    let steps = Mutex<[String]>([])
    let isUnderstood = DispatchSemaphore(value: 0)
    let route = Route.upload("/file", needs: .admin) { _, _ in
      steps.withLock { $0.append("understood") }
      isUnderstood.signal()
      return WriteRoute.Change { _ in
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
    // The first one waits for the writer, and there is time for the second one.
    let other = try service.client()
    for _ in 0..<50 { #expect(try other.get("/notes").status == 200) }
    mayGoOn.signal()
    for client in clients { #expect(try client.response().status == 204) }
    #expect(steps.withLock { $0 } == ["understood", "written", "understood", "written"])
  }

  @Test("An upload that was given up while it waited is not understood any more")
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
      return WriteRoute.Change { _ in .done }
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
    // Until one comes through that was sent behind it.
    while try send("third").response().status != 204 {}
    #expect(bodies.withLock { !$0.contains("second") })
  }
}
