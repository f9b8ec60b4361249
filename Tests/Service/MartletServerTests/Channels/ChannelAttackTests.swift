import Foundation
import MartletSQLite
import TestSupport
import Testing

extension ProcessTests {
  /// Channels as a tool of attack: nothing inside is reached, and nothing else gets slower.
  @Suite(.timeLimit(.minutes(10))) struct ChannelAttackTests {
    private func make(
      _ client: RawClient, _ url: String, _ events: String = #"["alarm.ringing"]"#
    ) throws -> RawResponse {
      try client.post(
        "/v1/channels",
        #"{"kind":"webhook","name":"a","url":"\#(url)","events":\#(events)}"#)
    }

    /// Sends a test message, and waits for what becomes of the first attempt.
    private func attempt(_ client: RawClient, _ channel: Int) throws -> RawResponse {
      let made = try client.request("POST", "/v1/channels/\(channel)/test")
      let location = try #require(made["Location"], "\(made.text)")
      while true {
        let read = try client.get(location)
        if read.json["attempts"] as? Int != 0 { return read }
        usleep(2_000)
      }
    }

    @Test(
      "No notation of an address inside is connected to, also if it was stored by another program")
    func inside() throws {
      let receiver = try Receiver()
      let server = try MartletProcess()
      let client = try RawClient(port: server.port)
      let hosts = [
        "127.0.0.1", "127.1", "0x7f000001", "2130706433", "0177.0.0.1", "localhost", "LOCALHOST.",
        "a.localhost", "[::1]", "[::ffff:127.0.0.1]", "[0:0:0:0:0:ffff:7f00:1]", "0.0.0.0", "0",
        "[::]", "[::127.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]",
      ]
      for host in hosts {
        let refused = try make(client, "http://\(host):\(receiver.port)/")
        #expect(refused.status == 422, "\(host): \(refused.text)")
      }
      // The check of the URL is a courtesy; the one of the connection decides.
      for (index, host) in hosts.enumerated() {
        #expect(try make(client, "https://example.com/").status == 201)
        _ = try MartletProcess.sqlite3(
          server.database,
          """
          UPDATE channels SET url = 'http://\(host):\(receiver.port)/', isEnabled = 1 \
          WHERE id = \(index + 1)
          """, in: server.folder)
        let result = try attempt(client, index + 1)
        #expect(result.json["lastStatus"] is NSNull, "\(host): \(result.text)")
        #expect(result.json["lastError"] as? String != nil)
      }
      #expect(receiver.requests == [])
      try server.stop()
    }

    @Test("The server itself is never reached, even where its address is allowed")
    func itself() throws {
      let server = try MartletProcess([
        "--outgoing-to", "127.0.0.0/8", "--outgoing-to", "localhost",
      ])
      let client = try RawClient(port: server.port)
      for (index, host) in ["127.0.0.1", "localhost", "127.0.0.2"].enumerated() {
        let made = try make(client, "http://\(host):\(server.port)/v1/lists")
        // The port is known when the server listens.
        if made.status == 422 { continue }
        let result = try attempt(client, index + 1)
        #expect(
          (result.json["lastError"] as? String)?.contains("this server itself") == true,
          "\(result.text)")
      }
      #expect(try client.get("/v1/lists").items.count == 1)
      try server.stop()
    }

    @Test("A redirect is a failure and is not followed")
    func redirect() throws {
      let inside = try Receiver()
      let target = inside.url()
      let receiver = try Receiver {
        $0.send(
          "HTTP/1.1 307 Temporary Redirect\r\nLocation: \(target)\r\nContent-Length: 0\r\n\r\n")
      }
      let server = try MartletProcess(["--outgoing-to", "127.0.0.1"])
      let client = try RawClient(port: server.port)
      #expect(try make(client, receiver.url()).status == 201)
      let result = try attempt(client, 1)
      #expect(result.json["lastStatus"] as? Int == 307)
      #expect(result.json["state"] as? String == "waiting")
      #expect(inside.requests == [])
      try server.stop()
    }

    @Test(
      "Endless and silent answers, and 10,000 dead deliveries, hold up neither alarms nor clients")
    func slow() throws {
      let silent = try Receiver { $0.waitForEnd() }
      let endless = try Receiver { exchange in
        guard exchange.send("HTTP/1.1 200 OK\r\nX: ") else { return }
        while exchange.send(String(repeating: "x", count: 1_000)) { usleep(20_000) }
      }
      let good = try Receiver()
      let server = try MartletProcess(["--outgoing-to", "127.0.0.1"])
      let client = try RawClient(port: server.port)
      for url in [silent.url(), endless.url(), silent.url(), good.url()] {
        #expect(try make(client, url).status == 201)
      }
      _ = try MartletProcess.sqlite3(
        server.database,
        """
        INSERT INTO deliveries (channelID, eventID, type, body, state, createdAt, expiresAt, endedAt)
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000),
        t (now) AS (SELECT strftime('%Y-%m-%d %H:%M:%f', 'now'))
        SELECT 1, 'dead-' || i, 'alarm.ringing', '{}', 2, now, now, now FROM n, t
        """, in: server.folder)
      // Each alarm goes to all channels; the slow ones have two open requests each.
      for number in 1...30 {
        let due = RFC3339Now.text
        let made = try client.post(
          "/v1/lists/1/reminders", #"{"title":"\#(number)","dueDate":"\#(due)"}"#)
        #expect(made.status == 201)
      }
      while good.requests.count < 30 { usleep(2_000) }
      #expect(silent.requests.count <= 4)
      // Reads as well, while requests hang.
      #expect(
        try client.get("/v1/deliveries?state=dead&total=true").text.contains(#""total":10000"#))
      // The last one is counted after its receiver has answered.
      let delivered = #"martlet_deliveries_total{kind="webhook",result="delivered"} 30"#
      var metrics = try client.get("/metrics").text
      for _ in 0..<1_000 where !metrics.contains(delivered) {
        usleep(2_000)
        metrics = try client.get("/metrics").text
      }
      #expect(metrics.contains(delivered))
      #expect(metrics.contains(#"martlet_deliveries_total{kind="webhook",result="dead"} 0"#))
      try server.stop()
    }
  }
}

private enum RFC3339Now {
  /// The present, as a client writes it.
  static var text: String {
    let formatter = ISO8601DateFormatter()
    return formatter.string(from: Date())
  }
}
