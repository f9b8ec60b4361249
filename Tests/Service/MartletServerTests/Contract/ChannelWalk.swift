import Foundation
import TestSupport
import Testing

/// Requests for channels. What is sent goes to a port of this machine on which nothing listens.
extension ContractWalk {
  private static let target = "http://127.0.0.1:9/"

  /// Creates a channel and returns its path.
  private func made(
    _ kind: String, _ members: String, url: String = Self.target,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String {
    let body = #"{"kind":"\#(kind)","name":"C","url":"\#(url)"\#(members)}"#
    let answer = try walk.call(
      201, "POST", "/v1/channels", body: body, sourceLocation: sourceLocation)
    #expect(answer["ETag"] == nil)
    #expect((answer.json["secret"] != nil) == (kind == "webhook"))
    return try #require(answer["Location"])
  }

  /// Creates one of each kind. The first is disabled, so that it does not change by itself.
  func channels() throws {
    #expect(try made("webhook", #","isEnabled":false"#) == "/v1/channels/1")
    let phone = try made("ntfy", #","settings":{"topic":"home","token":"tk_1"},"lists":[1,2]"#)
    #expect(try walk.call(200, "GET", phone, of: Operation.channel).text.contains("***"))
    _ = try made(
      "template",
      #","settings":{"method":"PUT","headers":{"X-Key":"k"},"body":"{\"a\":\"{{title}}\"}"}"#)
    _ = try made(
      "mail", #","settings":{"from":"a@b.example","to":"c@d.example"},"isEnabled":false"#,
      url: "smtps://127.0.0.1:9")
    let tried = try walk.call(201, "POST", phone + "/test", of: Operation.testing)
    #expect(tried["Location"] == "/v1/deliveries/1" && tried["ETag"] != nil)
    try walk.call(
      200, "PATCH", phone, of: Operation.channel, body: #"{"isEnabled":false}"#)
    try walk.call(
      409, "POST", phone + "/test", of: Operation.testing, problem: "channel-disabled")
    try walk.call(409, "POST", phone + "/rotate", of: Operation.rotation, problem: "not-signed")
    try walk.call(
      409, "POST", "/v1/deliveries/1/retry", of: Operation.retry, problem: "channel-disabled")
    for place in ["/v1/channels/1/rotate", "/v1/deliveries/1/retry"] {
      let template = place.hasSuffix("rotate") ? Operation.rotation : Operation.retry
      try walk.call(
        412, "POST", place, of: template, [("If-Match", "\"0\"")], problem: "precondition-failed")
    }
    try walk.call(200, "POST", "/v1/channels/1/rotate", of: Operation.rotation)
    let key = [("Idempotency-Key", "8e03978e-40d5-43dd-bc93-6894a57f9325")]
    for _ in 0..<2 {
      try walk.call(200, "POST", "/v1/channels/1/rotate", of: Operation.rotation, key)
    }
    // An enabled one whose delivery is sent again, and waits.
    let other = try made("webhook", #","events":["*"]"#)
    let sent = try walk.call(201, "POST", other + "/test", of: Operation.testing)
    let again = try #require(sent["Location"]) + "/retry"
    try walk.call(200, "POST", again, of: Operation.retry)
    for query in ["state=waiting", "state=dead", "channelID=2&state=waiting", "limit=1&total=true"]
    {
      try walk.call(200, "GET", "/v1/deliveries?\(query)")
    }
    for query in ["state=lost", "channelID=0", "channelID=x", "limit=501"] {
      try walk.call(400, "GET", "/v1/deliveries?\(query)", problem: "invalid-parameter")
    }
    for path in ["/v1/channels?limit=1", "/v1/deliveries?limit=1"] {
      let page = try walk.call(200, "GET", path)
      let cursor = try #require(page.json["nextCursor"] as? String)
      try walk.call(200, "GET", "\(path)&cursor=\(cursor)")
      try walk.call(
        400, "GET",
        "\(path.hasPrefix("/v1/c") ? "/v1/deliveries" : "/v1/channels")?cursor=\(cursor)",
        problem: "invalid-cursor")
    }
    try walk.call(
      400, "GET", "/v1/deliveries?channelID=2&cursor=x", problem: "invalid-cursor")
    try walk.call(204, "DELETE", other, of: Operation.channel, [("If-Match", "*")])
    #expect(try walk.call(200, "GET", "/v1/deliveries?state=waiting&channelID=5").items.isEmpty)
  }

  func channelBodies() throws {
    for (path, good, bad) in [
      (
        "/v1/channels/1",
        [
          #"{"events":["reminder.created","list.deleted"],"lists":[1]}"#, #"{"lists":null}"#,
          #"{"settings":null}"#, #"{"settings":{}}"#, #"{"url":"https://example.com/a?b=c"}"#, "{}",
          #"{"after":"PT10M"}"#, #"{"quiet":{"from":"22:00","to":"07:00"}}"#,
          #"{"quiet":{"timeZone":"Europe/Vienna","to":"06:30"}}"#, #"{"after":null,"quiet":null}"#,
        ],
        [
          #"{"events":[]}"#, #"{"events":["*","*"]}"#, #"{"events":["channel.test"]}"#,
          #"{"events":"*"}"#, #"{"lists":[]}"#, #"{"lists":[99]}"#, #"{"lists":["1"]}"#,
          #"{"url":"ftp://example.com"}"#, #"{"url":"https://a@example.com"}"#, #"{"url":""}"#,
          #"{"name":""}"#, #"{"name":null}"#, #"{"name":"\u0000"}"#, #"{"isEnabled":1}"#,
          #"{"settings":{"topic":"a"}}"#, #"{"settings":[]}"#, #"{"secret":"whsec_x"}"#,
          #"{"kind":"ntfy"}"#, #"{"id":2}"#, #"{"failingSince":"2026-11-20T15:36:00Z"}"#,
          #"{"lastError":"x"}"#, #"{"brokenAt":"2026-11-20T15:36:00Z"}"#, #"{"after":"PT30S"}"#,
          #"{"after":"P1D"}"#, #"{"after":"-PT10M"}"#, #"{"after":10}"#, #"{"quiet":{}}"#,
          #"{"quiet":{"from":"22:00","to":"22:00"}}"#, #"{"quiet":{"from":"24:00","to":"07:00"}}"#,
          #"{"quiet":{"from":"22:00","to":"07:00","mode":"silently"}}"#,
          #"{"quiet":{"from":"22:00","to":"07:00","timeZone":"Nowhere"}}"#,
          #"{"quiet":{"from":"22:00","to":"07:00","x":1}}"#, #"{"quiet":"22:00"}"#,
          #"{"createdAt":"2026-11-20T15:36:00Z"}"#,
        ]
      ),
      (
        "/v1/channels/2",
        [
          #"{"settings":{"token":"***"}}"#, #"{"settings":{"topic":"a_b-1","token":null}}"#,
          #"{"quiet":{"from":"22:00","to":"07:00","mode":"silently"}}"#,
        ],
        [
          #"{"settings":null}"#, #"{"settings":{"topic":"a b"}}"#, #"{"settings":{"topic":null}}"#,
          #"{"settings":{"token":"***"}}"#, #"{"settings":{"token":"a b"}}"#,
          #"{"settings":{"body":"x"}}"#,
        ]
      ),
      (
        "/v1/channels/3",
        [
          #"{"settings":{"headers":{"x-key":"***","Content-Type":"text/plain"},"body":"{{id}}"}}"#,
          #"{"settings":{"headers":null,"method":null,"body":"{\"a\":\"{{url}}\"}"}}"#,
          #"{"settings":{"secret":"1:x","people":true,"headers":{"X-A":"Bearer {{secret}}"}}}"#,
          #"{"url":"http://127.0.0.1:9/{{secret}}/{{event}}"}"#, #"{"settings":{"secret":"***"}}"#,
          #"{"settings":{"secret":null,"people":null}}"#,
        ],
        [
          #"{"settings":{"method":"GET"}}"#, #"{"settings":{"body":null}}"#,
          #"{"settings":{"body":"{{title}}"}}"#, #"{"settings":{"body":"\"{{colour}}\""}}"#,
          #"{"settings":{"headers":{"Host":"x"}}}"#, #"{"settings":{"headers":{"X-New":"***"}}}"#,
          #"{"settings":{"headers":{"X":"a\nb"}}}"#, #"{"settings":{"headers":{"X":1}}}"#,
          #"{"settings":{"headers":{"X":"{{title}}"}}}"#, #"{"settings":{"secret":"***"}}"#,
          #"{"settings":{"people":1}}"#, #"{"settings":{"to":"a@b.example"}}"#,
          #"{"url":"https://{{secret}}.example/"}"#, #"{"url":"https://a.example/{{title}}"}"#,
          #"{"url":"smtps://a.example"}"#,
        ]
      ),
      (
        "/v1/channels/4",
        [
          #"{"settings":{"user":"a","password":"b ü","answers":true}}"#,
          #"{"settings":{"password":"***","security":"tls"}}"#,
          #"{"settings":{"user":null,"password":null,"security":null}}"#,
          #"{"url":"smtp://mail.example.com"}"#, #"{"settings":{"security":"starttls"}}"#,
          #"{"quiet":{"from":"22:00","to":"07:00","mode":"silently"}}"#,
        ],
        [
          #"{"settings":null}"#, #"{"settings":{"to":null}}"#, #"{"settings":{"from":"a"}}"#,
          #"{"settings":{"user":"a"}}"#, #"{"settings":{"password":"***"}}"#,
          #"{"settings":{"user":"a","password":"b\n"}}"#, #"{"settings":{"security":"ssl"}}"#,
          #"{"settings":{"security":"tls"}}"#, #"{"settings":{"topic":"a"}}"#,
          #"{"url":"https://mail.example.com"}"#, #"{"url":"smtp://mail.example.com/a"}"#,
          #"{"url":"smtps://mail.example.com"}"#, #"{"settings":{"people":true}}"#,
        ]
      ),
    ] {
      for body in good {
        try walk.call(200, "PATCH", path, of: Operation.channel, body: body)
      }
      for body in bad {
        try walk.call(
          422, "PATCH", path, of: Operation.channel, body: body, problem: "invalid-body")
      }
      let stored = try walk.call(200, "GET", path, of: Operation.channel)
      let same = try walk.call(
        200, "PATCH", path, of: Operation.channel, [("If-Match", stored["ETag"] ?? "")],
        body: stored.text)
      #expect(same["ETag"] == stored["ETag"])
    }
    for url in ["http://169.254.169.254/", "http://192.168.1.20/hook", "http://[fe80::1]/"] {
      try walk.call(
        422, "PATCH", "/v1/channels/1", of: Operation.channel, body: #"{"url":"\#(url)"}"#,
        problem: "target-not-allowed")
      try walk.call(
        422, "POST", "/v1/channels", body: #"{"kind":"webhook","name":"C","url":"\#(url)"}"#,
        problem: "target-not-allowed")
    }
    for body in [
      #"{"name":"C","url":"https://example.com"}"#, #"{"kind":"ntfy","url":"https://example.com"}"#,
      #"{"kind":"mail","name":"C","url":"https://example.com"}"#, #"{"kind":"webhook","name":"C"}"#,
      #"{"kind":"ntfy","name":"C","url":"https://example.com"}"#,
      #"{"kind":"template","name":"C","url":"https://example.com","settings":{"method":"PUT"}}"#,
    ] {
      try walk.call(422, "POST", "/v1/channels", body: body, problem: "invalid-body")
    }
  }

  func manyChannels() throws {
    while try walk.call(200, "GET", "/v1/channels?total=true").json["total"] as? Int != 50 {
      _ = try made("webhook", #","isEnabled":false"#)
    }
    try walk.call(
      409, "POST", "/v1/channels",
      body: #"{"kind":"webhook","name":"C","url":"\#(Self.target)"}"#, problem: "too-many-channels")
  }

  /// Answers by the token of a delivery whose alarm is gone.
  func answers(by token: String) throws {
    let path = "/v1/answers"
    let answer = try walk.call(
      200, "POST", path, body: #"{"token":"\#(token)","do":"done"}"#)
    #expect(answer.text == #"{"did":"nothing","because":"deleted","until":null}"#)
    try walk.call(
      422, "POST", path, body: #"{"token":"ma_1_0","do":"done"}"#, problem: "invalid-answer-token")
    try walk.call(422, "POST", path, body: #"{"do":"done"}"#, problem: "invalid-body")
    try walk.call(400, "POST", path, body: "{", problem: "malformed-json")
    try walk.raw(
      413, RawClient.head("POST", path, [("Content-Length", "2000000")]),
      problem: "payload-too-large")
  }
}
