import Foundation
import TestSupport
import Testing

/// Clients keep copies by the change feed while everything else happens: writes and batches over
/// HTTP, imports, a `sqlite3` shell, restarts, kills and restores.
@Suite("Copies that follow the change feed equal what GET gives")
struct FeedCopiesTests {
  private static let seed =
    ProcessInfo.processInfo.environment["MARTLET_SEED"].flatMap { UInt64($0) }
    ?? .random(in: 0 ... .max)

  /// The copy of one client.
  private struct Copy {
    let name: String
    let fields: [(String, String)]
    /// The filters of its feed, and what `GET` gives of the same.
    let filter: String
    let truth: [String]
    var token: String?
    var items: [String: String] = [:]

    mutating func follow(_ client: RawClient, limit: Int) throws {
      for _ in 0..<500 {
        let since = token.map { "&since=\($0)" } ?? ""
        let page = try client.get("/v1/changes?limit=\(limit)\(filter)\(since)", fields)
        if page.status == 410 {
          (token, items) = (nil, [:])
          continue
        }
        try #require(page.status == 200, "\(name): \(page.text)")
        for change in page.items {
          let key = "\(change["kind"] ?? "") \(change["id"] ?? "")"
          items[key] = change["deleted"] == nil ? FeedCopiesTests.text(change["item"]) : nil
        }
        token = page.json["next"] as? String
        if page.json["more"] as? Bool == false { return }
      }
      Issue.record("\(name): the feed does not end")
    }

    /// What the copy should have.
    func expected(_ client: RawClient) throws -> [String: String] {
      var items: [String: String] = [:]
      for target in truth {
        var cursor = ""
        repeat {
          let page = try client.get("\(target)limit=500\(cursor)", fields)
          try #require(page.status == 200, "\(name): \(page.text)")
          for var item in page.items {
            let isList = item["color"] != nil
            // The feed's lists have no counts.
            if isList { item["reminders"] = nil }
            items["\(isList ? "list" : "reminder") \(item["id"] ?? "")"] = FeedCopiesTests.text(
              item)
          }
          cursor = (page.json["nextCursor"] as? String).map { "&cursor=\($0)" } ?? ""
        } while !cursor.isEmpty
      }
      return items
    }
  }

  private static func text(_ item: Any?) -> String {
    let data = try? JSONSerialization.data(
      withJSONObject: item ?? NSNull(), options: [.sortedKeys, .fragmentsAllowed])
    return String(decoding: data ?? Data(), as: UTF8.self)
  }

  @Test func everything() throws {
    var random = SeededRandom(seed: Self.seed)
    let folder = try TemporaryFolder()
    var server = try MartletProcess(in: folder)
    var client = try RawClient(port: server.port)
    for title in ["two", "three"] { _ = try client.post("/v1/lists", #"{"title":"\#(title)"}"#) }
    try server.stop()
    func key(_ arguments: [String]) throws -> [(String, String)] {
      let made = try MartletProcess.run(
        ["key", "create", "--name", "k"] + arguments + ["--database", server.database])
      try #require(made.code == 0, "\(made.errors)")
      return [("Authorization", "Bearer \(made.output.trimmingCharacters(in: .newlines))")]
    }
    let admin = try key(["--scope", "admin"])
    let own = try key(["--scope", "read", "--list", "2", "--list", "3"])
    var copies = [
      Copy(
        name: "everything", fields: admin, filter: "", truth: ["/v1/lists?", "/v1/reminders?"]),
      Copy(name: "own lists", fields: own, filter: "", truth: ["/v1/lists?", "/v1/reminders?"]),
      Copy(
        name: "open ones", fields: admin, filter: "&open=true",
        truth: ["/v1/lists?", "/v1/reminders?completed=false&"]),
    ]
    func start() throws {
      server = try MartletProcess(in: folder)
      client = try RawClient(port: server.port)
    }
    try start()
    for round in 0..<48 {
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        switch Int.random(in: 0...13, using: &random) {
        case 0...8: try write(client, admin, &random)
        case 9, 10: try shell(server, &random)
        case 11: try importFile(client, admin, &random)
        case 12:
          if random.once(in: 2) { try server.stop() } else { try server.kill9() }
          try start()
        default:
          guard round % 3 == 0 else { continue }
          try restore(server, &random)
          try start()
        }
      }
      for index in copies.indices where random.once(in: 2) {
        try copies[index].follow(client, limit: random.pick([1, 3, 500]))
      }
      guard round % 8 == 7 else { continue }
      for index in copies.indices {
        // A commit of another program is noticed a moment later, and what it has completed moves on
        // after that. So both are compared until they are of the same moment.
        let deadline = Date(timeIntervalSinceNow: 10)
        var isEqual = false
        repeat {
          try copies[index].follow(client, limit: 100)
          isEqual = try copies[index].items == copies[index].expected(client)
        } while !isEqual && Date() < deadline
        #expect(isEqual, "\(copies[index].name), seed \(Self.seed), round \(round)")
      }
    }
  }

  private func write(
    _ client: RawClient, _ fields: [(String, String)], _ random: inout SeededRandom
  ) throws {
    let id = Int.random(in: 1...30, using: &random)
    let list = Int.random(in: 1...3, using: &random)
    let body = random.pick([
      #"{"title":"t"}"#, #"{"status":"completed"}"#, #"{"status":"incomplete"}"#,
      #"{"listID":\#(list)}"#, #"{"parentID":\#(id / 2)}"#, #"{"parentID":null}"#,
      #"{"dueDate":"2027-01-01","recurrence":{"rule":"FREQ=DAILY"}}"#, #"{"tags":["a","b"]}"#,
    ])
    let (method, target, content): (String, String, String?) =
      switch Int.random(in: 0...10, using: &random) {
      case 0...2:
        ("POST", "/v1/reminders", #"{"listID":\#(list),"title":"new","tags":["a"]}"#)
      case 3...5: ("PATCH", "/v1/reminders/\(id)", body)
      case 6: ("DELETE", "/v1/reminders/\(id)\(random.once(in: 2) ? "?permanently=true" : "")", nil)
      case 7: ("POST", "/v1/trash/\(Int.random(in: 1...12, using: &random))/restore", nil)
      case 8: ("POST", "/v1/reminders/\(id)/\(random.pick(["skip", "reopen"]))", nil)
      case 9:
        (
          "POST", "/v1/batch",
          #"{"operations":[{"method":"POST","path":"/v1/reminders","body":{"listID":\#(list),"title":"a"}},{"method":"PATCH","path":"/v1/reminders/\#(id)","body":\#(body)}]}"#
        )
      default:
        random.once(in: 3)
          ? ("DELETE", "/v1/lists/\(list)", nil)
          : ("PATCH", "/v1/lists/\(list)", #"{"title":"renamed \#(id)"}"#)
      }
    let answer = try client.request(method, target, fields, body: content)
    // Many of these are refused, which changes nothing.
    #expect(answer.status < 500, "\(method) \(target): \(answer.text)")
  }

  private func shell(_ server: MartletProcess, _ random: inout SeededRandom) throws {
    let id = Int.random(in: 1...30, using: &random)
    let sql = random.pick([
      "UPDATE reminders SET title = 'shell', status = 1 WHERE id = \(id)",
      "UPDATE reminders SET remindersListID = (SELECT min(id) FROM remindersLists) WHERE id = \(id)",
      "DELETE FROM reminders WHERE id = \(id)",
      "INSERT INTO reminders (remindersListID, title) SELECT max(id), 'shell' FROM remindersLists",
      """
      INSERT OR REPLACE INTO reminders (id, remindersListID, title)
      SELECT \(id), min(id), 'replaced' FROM remindersLists
      """,
      "UPDATE OR IGNORE reminders SET id = id + 100 WHERE id = \(id)", "DELETE FROM trash",
    ])
    _ = try MartletProcess.sqlite3(server.database, sql, in: server.folder)
  }

  private func importFile(
    _ client: RawClient, _ fields: [(String, String)], _ random: inout SeededRandom
  ) throws {
    let lines = """
      {"type":"list","id":1,"title":"imported"}
      {"type":"reminder","id":1,"listID":1,"title":"one","parentID":2}
      {"type":"reminder","id":2,"listID":1,"title":"two","status":"completed"}

      """
    #expect(try client.request("POST", "/v1/import", fields, body: lines).status == 200)
  }

  /// Makes a backup, or restores the last one.
  private func restore(_ server: MartletProcess, _ random: inout SeededRandom) throws {
    let file = server.folder.file("backup.db")
    let isThere = FileManager.default.fileExists(atPath: file)
    let backup = ["backup", file, "--database", server.database]
    try server.stop()
    guard isThere, random.once(in: 2) else {
      try? FileManager.default.removeItem(atPath: file)
      let made = try MartletProcess.run(backup)
      try #require(made.code == 0, "\(made.errors)")
      return
    }
    let done = try MartletProcess.run(["restore", file, "--force", "--database", server.database])
    try #require(done.code == 0, "\(done.errors)")
  }
}
