import Dispatch
import Foundation
import HTTPServer
import LiveAPI
import Store
import TestSupport
import Testing

/// What a client was told of a write is true, also where its time was over.
@Suite("Writes whose time is over") struct GivenUpWritesTests {
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
    limits.handlerTimeout = 200
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
    let refused = try clients.suffix(3).map { try $0.response() }
    #expect(refused.allSatisfy { $0.status == 503 && $0.problem == "overloaded" })
    #expect(try service.client().post("/notes", #"{"title":"quick"}"#).status == 201)
    #expect(try service.client().get("/notes").status == 200)
    for _ in 0..<9 { mayGoOn.signal() }
    for client in clients.prefix(9) { #expect(try client.response().status == 204) }
    #expect(try service.client().get("/notes").items.count == 10)
  }
}
