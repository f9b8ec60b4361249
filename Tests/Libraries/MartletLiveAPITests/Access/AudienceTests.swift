import Foundation
import MartletHTTP
import MartletLiveQueries
import MartletSQLite
import MartletStore
import MartletTime
import TestSupport
import Testing

@testable import MartletLiveAPI

/// Results are shared within the audience of their route and never beyond it.
@Suite("Audiences") struct AudienceTests {
  private func create(
    _ service: NotesService, _ rights: Rights
  ) throws -> [(String, String)] {
    let key = try service.database.write {
      try APIKeys.create("key", rights, expiresAt: nil, now: Clock.system.now(), in: $0)
    }
    return [("Authorization", "Bearer \(key.text)")]
  }

  /// A route that declares no audience and returns what it knows about the caller.
  private static func route(_ pattern: String, on place: ReadRoute.Place = .loop) -> Route {
    .read(pattern, on: place, parts: .respected) { request, _ in
      let who = [
        request.access.keyID.map(String.init) ?? "-", request.access.rights.scope.rawValue,
        request.fields["X-User"] ?? "-", request.fields["Cookie"] ?? "-",
        request.fields["Accept-Language"] ?? "-",
      ].joined(separator: " ")
      return LiveSource(request) { _, body in
        body.append(utf8: "{\"who\":\"\(who)\"}")
        return true
      }
    }
  }

  @Test(
    "Without an audience each caller gets its own result",
    arguments: [ReadRoute.Place.loop, .worker])
  func keys(_ place: ReadRoute.Place) throws {
    let service = try NotesService(keys: Gate.Settings(), routes: [Self.route("/me", on: place)])
    let client = try service.client()
    var callers: [(fields: [(String, String)], who: String)] = []
    for (place, scope) in [Rights.Scope.read, .read, .write, .write, .admin, .admin].enumerated() {
      let fields = try create(service, Rights(scope))
      callers.append((fields, "\(place + 1) \(scope.rawValue) - - -"))
    }
    for _ in 0..<2 {
      for (fields, who) in callers {
        for _ in 0..<3 {
          #expect(try client.get("/me", fields).json["who"] as? String == who)
        }
      }
    }
    // The third of three responses in a row came from the cache, and later all of them did.
    #expect(service.kept.count >= callers.count * 4)
    let streams = StreamClient(port: service.port)
    for (fields, _) in callers {
      try streams.open("/me", fields)
      try streams.open("/live?me=/me", fields)
    }
    #expect(streams.wait { $0.allSatisfy { $0.events.count == 1 } })
    for (place, caller) in callers.enumerated() {
      #expect(streams.streams[2 * place].last?.data == "{\"who\":\"\(caller.who)\"}")
      #expect(streams.streams[2 * place + 1].last?.data == "{\"me\":{\"who\":\"\(caller.who)\"}}")
    }
  }

  @Test("Without keys callers are distinguished by their header fields")
  func fields() throws {
    let service = try NotesService(routes: [Self.route("/me")])
    let client = try service.client()
    let callers: [([(String, String)], String)] = [
      ([], "- admin - - -"), ([("X-User", "ada")], "- admin ada - -"),
      ([("X-User", "bob")], "- admin bob - -"), ([("Cookie", "id=1")], "- admin - id=1 -"),
      ([("Cookie", "id=2")], "- admin - id=2 -"), ([("Accept-Language", "de")], "- admin - - de"),
      // The same letters in another field.
      ([("X-Use", "rada")], "- admin - - -"),
    ]
    for _ in 0..<4 {
      for (fields, who) in callers {
        #expect(try client.get("/me", fields).json["who"] as? String == who)
      }
    }
    #expect(service.kept.count == 2 * callers.count)
  }

  @Test("With the audience parts, keys with the same parts share one result")
  func parts() throws {
    let mine = Route.read("/mine", parts: .respected, audience: .parts) { request, _ in
      let parts = request.access.rights.parts
      return LiveSource(request) { _, body in
        body.append(utf8: "{\"parts\":\"\(parts?.description ?? "all")\"}")
        return true
      }
    }
    let service = try NotesService(keys: Gate.Settings(), routes: [mine])
    let client = try service.client()
    let streams = StreamClient(port: service.port)
    let limits: [[Int]?] = [nil, [1], [2], [1, 2], [], [12], [2, 1], nil]
    var keys: [[(String, String)]] = []
    for limit in limits {
      keys.append(
        try create(service, limit.map { Rights(.write, parts: $0) } ?? Rights(.write)))
    }
    for _ in 0..<3 {
      for (limit, key) in zip(limits, keys) {
        let answer = try client.get("/mine", key).json["parts"] as? String
        #expect(answer == limit.map { $0.sorted().description } ?? "all")
      }
    }
    // Each of the six results is cached from the third request on, and none replaces another.
    #expect(service.kept.count == 3 * limits.count - 2 * 6)
    // A live session sees what its key sees.
    for key in keys {
      let made = try client.request("POST", "/sessions", key)
      let access = try #require(made.json["access"] as? String, "\(made.text)")
      try streams.open("/mine", key)
      try streams.open("/mine?access=\(access)")
      try streams.open("/live?mine=/mine&access=\(access)")
    }
    #expect(streams.wait { $0.allSatisfy { $0.events.count == 1 } })
    for (place, limit) in limits.enumerated() {
      let parts = "{\"parts\":\"\(limit.map { $0.sorted().description } ?? "all")\"}"
      #expect(streams.streams[3 * place].last?.data == parts)
      #expect(streams.streams[3 * place + 1].last?.data == parts)
      #expect(streams.streams[3 * place + 2].last?.data == "{\"mine\":\(parts)}")
    }
    // One live query for each of the six audiences.
    #expect(service.live.count == 6)
  }

  @Test("With the audience everyone, all callers share one result")
  func everyone() throws {
    let all = Route.read("/all", parts: .respected, audience: .everyone) { request, _ in
      LiveSource(request) { db, body in
        body.append(utf8: "\(try db.value("SELECT count(*) FROM notes")?.integer ?? -1)")
        return true
      }
    }
    let service = try NotesService(keys: Gate.Settings(), routes: [all])
    let client = try service.client()
    let keys = try [Rights(.read), Rights(.write, parts: [1]), Rights(.admin)].map {
      try create(service, $0)
    }
    for key in keys { #expect(try client.get("/all", key).text == "0") }
    #expect(service.kept.count == 1)
    let streams = StreamClient(port: service.port)
    for key in keys { try streams.open("/all", key) }
    #expect(streams.wait { $0.allSatisfy { $0.events.count == 1 } })
    #expect(service.live.count == 1)
  }

  @Test("A live session is limited to the parts of its key")
  func sessions() throws {
    let mine = Route.read("/mine", parts: .respected, audience: .parts) { request, _ in
      let parts = request.access.rights.parts
      return LiveSource(request) { _, body in
        body.append(utf8: "\"\(parts?.description ?? "all")\"")
        return true
      }
    }
    let service = try NotesService(keys: Gate.Settings(), routes: [mine])
    let client = try service.client()
    let streams = StreamClient(port: service.port)
    let rights = [Rights(.read), Rights(.write, parts: [1]), Rights(.read, parts: [1, 2])]
    for rights in rights {
      let key = try create(service, rights)
      try streams.open("/mine", key)
      // A live session of the key has the same limits.
      let session = try client.request("POST", "/sessions", key).json["access"] as? String
      try streams.open("/mine?access=\(try #require(session))")
    }
    #expect(streams.wait { $0.allSatisfy { $0.events.count == 1 } })
    #expect(
      streams.streams.map { $0.last?.data } == [
        "\"all\"", "\"all\"", "\"[1]\"", "\"[1]\"", "\"[1, 2]\"", "\"[1, 2]\"",
      ])
  }

  @Test("A result for one caller is not shared with another address or other fields")
  func callers() throws {
    func audience(
      _ address: String, _ fields: Fields = Fields(), _ audience: Audience = .caller
    ) throws -> ResultKey.Audience {
      let peer = try #require(Peer(address: address))
      return try audience.members(Request(.get, target: "/me", fields: fields, peer: peer))
    }
    let one = try audience("192.0.2.1")
    #expect(try audience("192.0.2.1") == one)
    #expect(try audience("192.0.2.1", Fields(["Accept": "text/event-stream"])) == one)
    #expect(try audience("192.0.2.2") != one)
    #expect(try audience("192.0.2.1", Fields(["Cookie": "a"])) != one)
    for shared in [Audience.everyone, .parts] {
      #expect(
        try audience("192.0.2.1", Fields(), shared) == audience("192.0.2.2", Fields(), shared))
    }
  }
}
