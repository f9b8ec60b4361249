import MartletReminders
import TestSupport
import Testing

@Suite("Channels over HTTP") struct ChannelRoutesTests {
  let service: RemindersService
  let client: RawClient

  init() throws {
    service = try RemindersService()
    client = try service.client()
  }

  private let hook = #"{"kind":"webhook","name":"Hook","url":"https://example.com/hook"}"#
  private let ntfy =
    #"{"kind":"ntfy","name":"P","url":"https://ntfy.sh/","settings":{"topic":"t","token":"tk_1"}}"#

  private func template(_ settings: String) -> String {
    #"{"kind":"template","name":"Chat","url":"https://example.com/chat","settings":{\#(settings)}}"#
  }

  private func credentials(_ id: Int = 1) throws -> String {
    try service.database.read {
      try $0.value("SELECT credentials FROM channels WHERE id = \(id)")?.text ?? ""
    }
  }

  // MARK: Creating

  @Test("A webhook is created; its secret is shown once and never read")
  func creating() throws {
    let made = try client.post("/v1/channels", hook)
    #expect(made.status == 201 && made["Location"] == "/v1/channels/1")
    // The representation is not the one of GET, so it has no ETag.
    #expect(made["ETag"] == nil)
    let secret = try #require(made.json["secret"] as? String)
    #expect(secret.wholeMatch(of: /whsec_[A-Za-z0-9+\/]{43}=/) != nil)
    let read = try client.get("/v1/channels/1")
    #expect(
      read.text
        == #"{"id":1,"kind":"webhook","name":"Hook","url":"https://example.com/hook","#
        + #""events":["alarm.ringing"],"lists":null,"settings":{},"isEnabled":true,"#
        + #""failingSince":null,"lastError":null,"brokenAt":null,"after":null,"quiet":null,"createdAt":"2026-11-20T12:00:00.000Z"}"#
    )
    #expect(made.text == "\(read.text.dropLast()),\"secret\":\"\(secret)\"}")
    #expect(try credentials() == #"{"secret":"\#(secret)"}"#)
    #expect(try !client.get("/v1/channels").text.contains("whsec"))
    #expect(try !client.patch("/v1/channels/1", #"{"name":"B"}"#).text.contains("whsec"))
  }

  @Test("Tokens and header values are masked, and a client that sends back what it read keeps them")
  func masks() throws {
    #expect(try client.post("/v1/channels", ntfy).json["secret"] == nil)
    let read = try client.get("/v1/channels/1").text
    #expect(read.contains(#""settings":{"topic":"t","token":"***"}"#))
    let same = try client.patch("/v1/channels/1", read)
    #expect(same.status == 200 && same.text == read)
    #expect(try credentials() == #"{"token":"tk_1"}"#)
    #expect(try client.patch("/v1/channels/1", #"{"settings":{"token":"tk_2"}}"#).text == read)
    #expect(try credentials() == #"{"token":"tk_2"}"#)
    _ = try client.patch("/v1/channels/1", #"{"settings":{"token":null}}"#)
    #expect(try credentials() == "{}")
    let none = try client.patch("/v1/channels/1", #"{"settings":{"token":"***"}}"#)
    #expect(none.faults == ["/settings/token": "expected the token, because none is stored"])

    let made = try client.post(
      "/v1/channels", template(#""headers":{"X-Key":"a","Accept":"b"},"body":"[\"{{title}}\"]""#))
    #expect(
      made.text.contains(
        #""settings":{"method":"POST","headers":{"Accept":"***","X-Key":"***"},"body":"[\"{{title}}\"]"}"#
      ), "\(made.text)")
    // A name in another case is the same field.
    let changed = try client.patch(
      "/v1/channels/2", #"{"settings":{"headers":{"x-key":"***","Accept":null,"New":"c"}}}"#)
    #expect(changed.text.contains(#""headers":{"New":"***","x-key":"***"}"#), "\(changed.text)")
    #expect(try credentials(2) == #"{"headers":{"New":"c","x-key":"a"}}"#)
  }

  @Test(
    "What is invalid is named, and nothing is stored",
    arguments: [
      (#"{}"#, ["/kind", "/name", "/url"]),
      (#"{"kind":"email","name":"a","url":"https://example.com"}"#, ["/kind"]),
      (#"{"kind":"webhook","name":"","url":"example.com"}"#, ["/name", "/url"]),
      (#"{"kind":"webhook","name":"a","url":"ftp://example.com"}"#, ["/url"]),
      (#"{"kind":"webhook","name":"a","url":"https://u:p@example.com"}"#, ["/url"]),
      (#"{"kind":"webhook","name":"a","url":"https://example.com","events":[]}"#, ["/events"]),
      (
        #"{"kind":"webhook","name":"a","url":"https://example.com","events":["x","*","test"]}"#,
        ["/events/0", "/events/2"]
      ),
      (
        #"{"kind":"webhook","name":"a","url":"https://example.com","events":["*","*"]}"#,
        ["/events"]
      ),
      (#"{"kind":"webhook","name":"a","url":"https://example.com","lists":[1,77]}"#, ["/lists/1"]),
      (#"{"kind":"webhook","name":"a","url":"https://example.com","lists":[]}"#, ["/lists"]),
      (#"{"kind":"webhook","name":"a","url":"https://example.com","lists":"1"}"#, ["/lists"]),
      (#"{"kind":"webhook","name":"a","url":"https://example.com","secret":"x"}"#, ["/secret"]),
      (
        #"{"kind":"webhook","name":"a","url":"https://example.com","settings":{"topic":"t"}}"#,
        ["/settings/topic"]
      ),
      (#"{"kind":"ntfy","name":"a","url":"https://ntfy.sh"}"#, ["/settings/topic"]),
      (
        #"{"kind":"ntfy","name":"a","url":"https://ntfy.sh","settings":{"topic":"a b"}}"#,
        ["/settings/topic"]
      ),
      (
        #"{"kind":"ntfy","name":"a","url":"https://ntfy.sh","settings":{"topic":"a","token":""}}"#,
        ["/settings/token"]
      ),
      (
        #"{"kind":"ntfy","name":"a","url":"https://ntfy.sh/mytopic","settings":{"topic":"a"}}"#,
        ["/url"]
      ),
      (#"{"kind":"template","name":"a","url":"https://example.com"}"#, ["/settings/body"]),
    ])
  func faults(_ body: String, _ places: [String]) throws {
    let answer = try client.post("/v1/channels", body)
    #expect(answer.status == 422 && answer.problem == "invalid-body", "\(answer.text)")
    #expect(answer.faults.keys.sorted() == places, "\(answer.text)")
    #expect(try client.get("/v1/channels").items.isEmpty)
  }

  @Test(
    "Templates that cannot be sent",
    arguments: [
      (#""body":"{{titel}}""#, "/settings/body"),
      (#""body":"{\"a\":{{title}}}""#, "/settings/body"),
      (#""body":"","method":"POST""#, "/settings/body"),
      (#""body":"x","headers":{"Content-Type":"text/plain","A":"***"}"#, "/settings/headers"),
      (#""body":"\"\"","headers":{"Host":"x"}"#, "/settings/headers"),
      (#""body":"\"\"","headers":{"a b":"x"}"#, "/settings/headers"),
      (#""body":"\"\"","headers":{"A":"x\r\nB: y"}"#, "/settings/headers"),
      (#""body":"\"\"","headers":{"webhook-id":"x"}"#, "/settings/headers"),
      (#""body":"\"\"","method":"GET""#, "/settings/method"),
      (#""body":"\"\"","token":"GET""#, "/settings/token"),
    ])
  func templates(_ settings: String, _ place: String) throws {
    let answer = try client.post("/v1/channels", template(settings))
    #expect(answer.status == 422 && Array(answer.faults.keys) == [place], "\(answer.text)")
  }

  @Test(
    "Where messages may not go",
    arguments: [
      "http://127.0.0.1/", "http://0x7f.1/", "http://2130706433/", "http://[::1]/",
      "http://localhost:8080/", "http://10.1.2.3/", "http://192.168.0.1/", "http://172.16.0.1/",
      "http://169.254.169.254/latest/meta-data/", "http://[::ffff:10.0.0.1]/", "http://[fd00::1]/",
      "http://0.0.0.0/", "http://100.64.0.1/", "http://[64:ff9b::a00:1]/",
    ])
  func targets(_ url: String) throws {
    let body = #"{"kind":"webhook","name":"a","url":"\#(url)"}"#
    let answer = try client.post("/v1/channels", body)
    #expect(answer.status == 422 && answer.problem == "target-not-allowed", "\(answer.text)")
    #expect(answer.faults["/url"] != nil)
    #expect(try client.post("/v1/channels", hook).status == 201)
    let changed = try client.patch("/v1/channels/1", #"{"url":"\#(url)"}"#)
    #expect(changed.status == 422 && changed.problem == "target-not-allowed")
    #expect(try client.get("/v1/channels/1").json["url"] as? String == "https://example.com/hook")
  }

  @Test("There are at most 50 channels")
  func most() throws {
    for _ in 0..<50 { #expect(try client.post("/v1/channels", hook).status == 201) }
    let more = try client.post("/v1/channels", hook)
    #expect(more.status == 409 && more.problem == "too-many-channels")
    #expect(try client.delete("/v1/channels/7").status == 204)
    #expect(try client.post("/v1/channels", hook).status == 201)
    let page = try client.get("/v1/channels?limit=3&total=true")
    #expect(page.items.count == 3 && page.text.contains(#""total":50"#), "\(page.text)")
  }

  // MARK: Changing

  @Test("Fields are changed, others stay, and read-only ones must be equal")
  func changing() throws {
    _ = try client.post("/v1/channels", hook)
    _ = try client.post("/v1/lists", #"{"title":"b"}"#)
    let changed = try client.patch(
      "/v1/channels/1", #"{"events":["*"],"lists":[2,1],"isEnabled":false,"settings":null}"#)
    #expect(
      changed.text.contains(#""events":["*"],"lists":[1,2],"settings":{},"isEnabled":false"#),
      "\(changed.text)")
    // A list that was deleted since can be sent back.
    _ = try client.delete("/v1/lists/2")
    #expect(try client.patch("/v1/channels/1", changed.text).status == 200)
    #expect(try client.patch("/v1/channels/1", #"{"lists":null}"#).text.contains(#""lists":null"#))
    for body in [#"{"kind":"ntfy"}"#, #"{"createdAt":"2020-01-01T00:00:00Z"}"#, #"{"id":2}"#] {
      #expect(try client.patch("/v1/channels/1", body).status == 422)
    }
    let tag = try #require(try client.get("/v1/channels/1")["ETag"])
    _ = try client.patch("/v1/channels/1", #"{"name":"c"}"#)
    let old = try client.request(
      "PATCH", "/v1/channels/1", [("If-Match", tag)], body: #"{"name":"d"}"#)
    #expect(old.status == 412)
    #expect(try client.patch("/v1/channels/9", #"{"name":"d"}"#).status == 404)
    #expect(try client.delete("/v1/channels/9").status == 404)
  }

  @Test("A rotation shows a new secret, and only webhooks have one")
  func rotation() throws {
    let first = try client.post("/v1/channels", hook).json["secret"] as? String
    let rotated = try client.request("POST", "/v1/channels/1/rotate")
    #expect(rotated.status == 200 && rotated["ETag"] == nil)
    let second = rotated.json["secret"] as? String
    #expect(second != nil && second != first)
    _ = try client.post("/v1/channels", ntfy)
    let none = try client.request("POST", "/v1/channels/2/rotate")
    #expect(none.status == 409 && none.problem == "not-signed")
    #expect(try client.request("POST", "/v1/channels/9/rotate").status == 404)
  }

  // MARK: Deliveries

  @Test("A test makes a delivery, which is found by channel and state, and can be sent again")
  func deliveries() throws {
    for _ in 0..<2 { _ = try client.post("/v1/channels", hook) }
    let made = try client.request("POST", "/v1/channels/2/test")
    #expect(made.status == 201 && made["Location"] == "/v1/deliveries/1")
    #expect(try client.get("/v1/deliveries/1").text == made.text)
    #expect(
      made.text.contains(
        #""type":"channel.test","state":"waiting","createdAt":"2026-11-20T12:00:00.000Z","#
          + #""expiresAt":"2026-11-21T12:00:00.000Z","nextAt":"2026-11-20T12:00:00.000Z","#
          + #""attempts":0,"endedAt":null,"lastStatus":null,"lastError":null}"#), "\(made.text)")
    _ = try client.request("POST", "/v1/channels/1/test")
    func ids(_ query: String) throws -> [Int] {
      try client.get("/v1/deliveries\(query)").items.compactMap { $0["id"] as? Int }
    }
    #expect(try ids("") == [2, 1])
    #expect(try ids("?channelID=2") == [1])
    #expect(try ids("?state=waiting&channelID=1") == [2])
    #expect(try ids("?state=dead") == [])
    #expect(try client.get("/v1/deliveries?state=lost").status == 400)
    try service.database.write {
      try $0.execute(
        "UPDATE deliveries SET state = 2, nextAt = NULL, endedAt = createdAt WHERE id = 1")
    }
    #expect(try ids("?state=dead") == [1])
    let again = try client.request("POST", "/v1/deliveries/1/retry")
    #expect(again.status == 200 && again.json["state"] as? String == "waiting")
    #expect(again["ETag"] == (try client.get("/v1/deliveries/1"))["ETag"])
    _ = try client.patch("/v1/channels/2", #"{"isEnabled":false}"#)
    for target in ["/v1/deliveries/1/retry", "/v1/channels/2/test"] {
      let refused = try client.request("POST", target)
      #expect(refused.status == 409 && refused.problem == "channel-disabled")
    }
    #expect(try client.request("POST", "/v1/deliveries/9/retry").status == 404)
    #expect(try client.delete("/v1/channels/2").status == 204)
    #expect(try ids("") == [2])
  }

  @Test("Channels and deliveries are live")
  func live() throws {
    _ = try client.post("/v1/channels", hook)
    let stream = StreamClient(port: service.port)
    try stream.open("/v1/deliveries")
    #expect(stream.event(after: 0)?.data == #"{"items":[],"nextCursor":null}"#)
    _ = try client.request("POST", "/v1/channels/1/test")
    #expect(stream.event(after: 1)?.data.contains(#""state":"waiting""#) == true)
    stream.close(0)
  }
}

extension RawResponse {
  /// The faults of a problem, by pointer.
  fileprivate var faults: [String: String] {
    var faults: [String: String] = [:]
    for error in json["errors"] as? [[String: Any]] ?? [] {
      if let pointer = error["pointer"] as? String { faults[pointer] = error["detail"] as? String }
    }
    return faults
  }
}
