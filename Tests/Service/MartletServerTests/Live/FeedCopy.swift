import Foundation
import TestSupport
import Testing

/// The copy that a client keeps by the change feed.
struct FeedCopy {
  let name: String
  let fields: [(String, String)]
  /// The filters of its feed, and what `GET` gives of the same.
  let filter: String
  let truth: [String]
  private var token: String?
  private(set) var items: [String: String] = [:]

  private init(name: String, fields: [(String, String)], filter: String, truth: [String]) {
    (self.name, self.fields, self.filter, self.truth) = (name, fields, filter, truth)
  }

  /// Copies of everything, of the lists of a key, and of the open reminders.
  static func all(admin: [(String, String)], own: [(String, String)]) -> [FeedCopy] {
    [
      FeedCopy(
        name: "everything", fields: admin, filter: "", truth: ["/v1/lists?", "/v1/reminders?"]),
      FeedCopy(
        name: "own lists", fields: own, filter: "", truth: ["/v1/lists?", "/v1/reminders?"]),
      FeedCopy(
        name: "open ones", fields: admin, filter: "&open=true",
        truth: ["/v1/lists?", "/v1/reminders?completed=false&"]),
    ]
  }

  /// Reads the feed to its end.
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
        items[key] = change["deleted"] == nil ? FeedCopy.text(change["item"]) : nil
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
          items["\(isList ? "list" : "reminder") \(item["id"] ?? "")"] = FeedCopy.text(
            item)
        }
        cursor = (page.json["nextCursor"] as? String).map { "&cursor=\($0)" } ?? ""
      } while !cursor.isEmpty
    }
    return items
  }

  private static func text(_ item: Any?) -> String {
    let data = try? JSONSerialization.data(
      withJSONObject: item ?? NSNull(), options: [.sortedKeys, .fragmentsAllowed])
    return String(decoding: data ?? Data(), as: UTF8.self)
  }
}

/// Random changes of what the copies have.
enum FeedTraffic {
  /// Sends a request. Many are refused, which changes nothing.
  static func write(
    _ client: RawClient, _ fields: [(String, String)], _ random: inout SeededRandom
  ) throws -> RawResponse {
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
    return try client.request(method, target, fields, body: content)
  }

  /// Imports a list.
  static func importFile(
    _ client: RawClient, _ fields: [(String, String)]
  ) throws -> RawResponse {
    let lines = """
      {"type":"list","id":1,"title":"imported"}
      {"type":"reminder","id":1,"listID":1,"title":"one","parentID":2}
      {"type":"reminder","id":2,"listID":1,"title":"two","status":"completed"}

      """
    return try client.request("POST", "/v1/import", fields, body: lines)
  }
}
