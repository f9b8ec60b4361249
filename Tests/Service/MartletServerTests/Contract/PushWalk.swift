import Foundation
import TestSupport
import Testing

/// Requests for push subscriptions. Nothing listens at their endpoint.
extension ContractWalk {
  private static let path = "/v1/push/subscriptions"

  private func body(_ change: (String, String) = ("", "")) -> String {
    Operation.subscriptionBody.replacingOccurrences(of: change.0, with: change.1)
  }

  /// A page of this server with `https`, as behind a proxy.
  private var secure: [(String, String)] { [("Origin", "https://localhost")] }

  /// Makes the subscription 5.
  func subscriptions() throws {
    #expect(
      try walk.call(200, "GET", "/v1/settings").json["applicationServerKey"] as? NSNull != nil)
    let key = try walk.call(200, "POST", Operation.pushKey).json["applicationServerKey"]
    #expect(
      try walk.call(200, "POST", Operation.pushKey, body: "{}").json as? [String: String]
        == ["applicationServerKey": key as? String ?? "?"])
    let settings = try walk.call(200, "GET", "/v1/settings").json
    #expect(settings["applicationServerKey"] as? String == key as? String)
    try walk.call(400, "POST", Operation.pushKey, body: "{", problem: "malformed-json")
    try walk.call(
      422, "PUT", Self.path, body: body(), problem: "push-contact-missing")
    let made = try walk.call(201, "PUT", Self.path, secure, body: body())
    #expect(made["Location"] == "\(Self.path)/6")
    #expect(!made.text.contains("BGsX") && !made.text.contains("127.0.0.1:9/a"))
    #expect(made.json["host"] as? String == "127.0.0.1:9")
    try walk.call(
      200, "PUT", Self.path, secure, body: body((#""name""#, #""expirationTime":null,"name""#)))
    for change in [
      ("http:", "ftp:"), (#""keys""#, #""kees""#), ("BGsX", "AGsX"),
      (#""AAAAAAAAAAAAAAAAAAAAAA""#, #""AAAA""#), (#""Phone""#, #""""#),
      (#""Phone""#, #""Phone","lists":[99]"#),
    ] {
      try walk.call(
        422, "PUT", Self.path, secure, body: body(change), problem: "invalid-body")
    }
    for address in ["https://1.1.1.1:444", "http://1.1.1.1", "https://192.168.1.20"] {
      try walk.call(
        422, "PUT", Self.path, secure, body: body(("http://127.0.0.1:9", address)),
        problem: "target-not-allowed")
    }
    let place = "\(Self.path)/6"
    try walk.call(
      200, "PATCH", place, of: Operation.subscription, body: #"{"name":"Tablet","lists":[1]}"#)
    for body in [#"{"lists":[]}"#, #"{"host":"x"}"#, #"{"endpoint":"https://push.example/b"}"#] {
      try walk.call(
        422, "PATCH", place, of: Operation.subscription, body: body, problem: "invalid-body")
    }
    let test = place + "/test"
    for query in ["after=PT61S", "after=P1D", "after=10", "after=-PT1S"] {
      try walk.call(
        400, "POST", "\(test)?\(query)", of: Operation.subscriptionTest,
        problem: "invalid-parameter")
    }
    for _ in 0..<6 {
      try walk.call(201, "POST", "\(test)?after=PT60S", of: Operation.subscriptionTest)
    }
    try walk.call(429, "POST", test, of: Operation.subscriptionTest, problem: "too-many-tests")
    let page = try walk.call(200, "GET", "\(Self.path)?limit=1&total=true")
    #expect(page.items.count == 1 && page.json["total"] as? Int == 1)
    try walk.call(400, "GET", "\(Self.path)?cursor=x", problem: "invalid-cursor")
  }

  /// More subscriptions than there can be. The last one is deleted.
  func manySubscriptions() throws {
    for number in 1..<200 {
      try walk.call(201, "PUT", Self.path, secure, body: body((":9/a", ":9/\(number)")))
    }
    try walk.call(
      409, "PUT", Self.path, secure, body: body((":9/a", ":9/b")),
      problem: "too-many-subscriptions")
    let last = try #require(try walk.call(200, "GET", Self.path).items.last?["id"] as? Int)
    try walk.call(204, "DELETE", "\(Self.path)/\(last)", of: Operation.subscription)
  }

  /// The subscription that its push service has ended.
  func lostSubscription() throws {
    let lost = try #require(try walk.call(200, "GET", Self.path).items.first?["id"] as? Int)
    try walk.call(
      409, "POST", "\(Self.path)/\(lost)/test", of: Operation.subscriptionTest,
      problem: "subscription-lost")
    try walk.call(204, "DELETE", "/v1/push/key", of: Operation.pushKey)
    let all = try walk.call(200, "GET", Self.path).items
    #expect(!all.isEmpty && all.allSatisfy { $0["lostAt"] is String })
  }
}
