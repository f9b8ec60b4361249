import Foundation
import MartletSQLite
import TestSupport
import Testing

extension ProcessTests {
  /// The server is killed while it rings alarms and sends them. The kills depend on its progress,
  /// not on time.
  @Suite(.timeLimit(.minutes(10))) struct ChannelKillTests {
    /// The messages that a receiver got, by their IDs. What a kill has cut off is no message.
    private static func messages(_ receiver: Receiver) -> [(id: String, body: String)] {
      receiver.requests.compactMap { request in
        guard let id = request.firstMatch(of: /\r\nwebhook-id: ([^\r]+)\r\n/),
          let length = request.firstMatch(of: /\r\nContent-Length: (\d+)\r\n/),
          let head = request.firstRange(of: "\r\n\r\n")
        else { return nil }
        let body = String(request[head.upperBound...])
        return body.utf8.count == Int(length.1) ? (String(id.1), body) : nil
      }
    }

    @Test(
      "Each alarm reaches the webhook at least once under one ID, whenever the server is killed")
    func kill() throws {
      let seed = UInt64.random(in: 0..<1_000_000)
      print("webhooks and kill -9: seed \(seed)")
      var random = SeededRandom(seed: seed)
      let count = 1_000
      let folder = try TemporaryFolder()
      let receiver = try Receiver()
      let first = try MartletProcess(["--outgoing-to", "127.0.0.1"], in: folder)
      let made = try RawClient(port: first.port).post(
        "/v1/channels", #"{"kind":"webhook","name":"a","url":"\#(receiver.url())"}"#)
      #expect(made.status == 201, "\(made.text)")
      try first.stop()
      _ = try MartletProcess.sqlite3(
        first.database,
        """
        INSERT INTO reminders (remindersListID, title)
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
        SELECT 1, i FROM n;
        INSERT INTO alarms (reminderID, at, isStale, fireAt)
        SELECT id, time, 0, time FROM (SELECT id,
          strftime('%Y-%m-%d %H:%M:%f', 'now', '-' || (id % 60) || ' seconds') AS time FROM reminders);
        """, in: folder)
      let db = try Connection(location: .file(first.database), options: .readOnly)
      defer { db.close() }
      db.setBusyTimeout(.seconds(5))
      func waiting() throws -> Int {
        let sql = "SELECT count(*) FROM deliveries WHERE state = 0"
        return Int(try db.value(sql)?.integer ?? 0)
      }
      func rung() throws -> Int { Int(try db.value("SELECT count(*) FROM firings")?.integer ?? 0) }
      var kills = 0
      while kills < 30, try rung() < count || waiting() > 0 {
        let before = receiver.requests.count
        let more = Int.random(in: 1...50, using: &random)
        let server = try MartletProcess(["--outgoing-to", "127.0.0.1"], in: folder)
        while receiver.requests.count < before + more, try rung() < count || waiting() > 0 {
          usleep(500)
        }
        try server.kill9()
        kills += 1
      }
      #expect(kills >= 10)
      let last = try MartletProcess(["--outgoing-to", "127.0.0.1"], in: folder)
      while try rung() < count || waiting() > 0 { usleep(1_000) }
      try last.stop()
      let messages = Self.messages(receiver)
      let ids = messages.map(\.id)
      let epoch = try #require(try db.value("SELECT epoch FROM feedState")?.text)
      let firings = try db.rows("SELECT id FROM firings").compactMap { $0[0].integer }
      #expect(firings.count == count)
      #expect(try db.value("SELECT count(DISTINCT alarmID) FROM firings")?.integer == Int64(count))
      #expect(Set(ids) == Set(firings.map { "\(epoch)-alarm-\($0)" }))
      // What was being sent at a kill is sent again, and nothing else.
      #expect(ids.count <= count + 2 * kills, "\(ids.count)")
      #expect(
        try db.value("SELECT count(*) FROM deliveries WHERE state = 1")?.integer == Int64(count))
      // The same ID is always the same event.
      var bodies: [String: String] = [:]
      for (id, body) in messages {
        #expect(bodies.updateValue(body, forKey: id).map { $0 == body } != false)
      }
    }
  }
}
