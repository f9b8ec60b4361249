import Foundation
import MartletSQLite
import MartletTime
import Synchronization
import TestSupport
import Testing

@testable import MartletRemindersAPI

/// The rows that statements of write routes read without an index, triggers included. A scan of a
/// table that grows makes each write slower than the one before, and no test of results detects it.
@Suite("Cost of writes") struct WriteCostTests {
  /// A request. Its ID is stored under `name`, and `{name}` is replaced by it in later requests.
  private struct Request {
    let method: String
    let target: String
    let body: String?
    let name: String?

    init(_ line: String, _ body: String? = nil, as name: String? = nil) {
      let pieces = line.split(separator: " ", maxSplits: 1)
      (method, target) = (String(pieces[0]), String(pieces[1]))
      (self.body, self.name) = (body, name)
    }
  }

  private static let requests = [
    Request("POST /v1/lists", #"{"title":"Garden"}"#, as: "list"),
    Request("PATCH /v1/lists/{list}", #"{"title":"Yard"}"#),
    Request("PUT /v1/lists/order", #"{"ids":[{list},1]}"#),
    Request("PUT /v1/lists/{list}/position", #"{"before":null}"#),
    Request(
      "POST /v1/reminders",
      #"{"listID":{list},"title":"Mow","tags":["a","b"],"dueDate":"2026-11-21T08:00:00Z"}"#,
      as: "mow"),
    Request(
      "POST /v1/lists/{list}/reminders", #"{"title":"Rake","parentID":{mow}}"#, as: "rake"),
    Request("POST /v1/quick-add", #"{"text":"Water tomorrow #b","listID":{list}}"#, as: "water"),
    Request("PUT /v1/lists/{list}/reminders/order", #"{"ids":[{water},{mow},{rake}]}"#),
    Request("PUT /v1/reminders/{mow}/position", #"{"before":null}"#),
    Request("PATCH /v1/reminders/{mow}", #"{"title":"Mow it","tags":["b","c"],"listID":1}"#),
    Request("PUT /v1/reminders/{water}/tags/d"),
    Request("DELETE /v1/reminders/{water}/tags/d"),
    Request("POST /v1/tags", #"{"title":"x"}"#),
    Request("PATCH /v1/tags/x", #"{"title":"y"}"#),
    Request("PATCH /v1/tags/c?merge=true", #"{"title":"b"}"#),
    Request("DELETE /v1/tags/b"),
    Request("POST /v1/smart-lists", #"{"title":"Soon","filter":{"due":"today"}}"#, as: "smart"),
    Request("PATCH /v1/smart-lists/{smart}", #"{"title":"Later"}"#),
    Request("PUT /v1/smart-lists/order", #"{"ids":[{smart}]}"#),
    Request("PUT /v1/smart-lists/{smart}/position", #"{"after":null}"#),
    Request("DELETE /v1/smart-lists/{smart}"),
    Request("PATCH /v1/reminders/{mow}", #"{"status":"completed"}"#),
    Request("PATCH /v1/reminders/{mow}", #"{"status":"incomplete"}"#),
    Request(
      "PATCH /v1/reminders/{water}",
      #"{"dueDate":"2026-11-20","recurrence":{"rule":"FREQ=DAILY"}}"#),
    Request("POST /v1/reminders/{water}/skip"),
    Request("PATCH /v1/reminders/{water}", #"{"status":"completed"}"#),
    Request("POST /v1/reminders/{water}/reopen"),
    Request("DELETE /v1/completions/{completion}"),
    Request("POST /v1/reminders/{mow}/alarms", #"{"offset":"-PT10M"}"#, as: "alarm"),
    Request("PATCH /v1/alarms/{alarm}", #"{"snoozedUntil":"2026-11-20T13:00:00Z"}"#),
    Request("DELETE /v1/alarms/{alarm}"),
    Request(
      "POST /v1/channels", #"{"kind":"webhook","name":"c","url":"https://example.com/"}"#,
      as: "channel"),
    Request("PATCH /v1/channels/{channel}", #"{"name":"d"}"#),
    Request("POST /v1/channels/{channel}/test"),
    Request("POST /v1/channels/{channel}/rotate"),
    Request("DELETE /v1/channels/{channel}"),
    Request("DELETE /v1/reminders/{mow}"),
    Request("POST /v1/trash/{trash}/restore"),
    Request("DELETE /v1/reminders/{mow}"),
    Request("DELETE /v1/trash/{trash}"),
    Request("DELETE /v1/lists/{list}"),
    Request("POST /v1/trash/{trash}/restore"),
    Request(
      "POST /v1/batch",
      #"{"operations":[{"method":"POST","path":"/v1/reminders","body":{"listID":1,"title":"a"}}]}"#
    ),
    Request("POST /v1/import", #"{"type":"tag","title":"z"}"#),
    Request("POST /v1/live/sessions"),
    Request("POST /v1/keys", #"{"name":"k","scope":"admin"}"#),
  ]

  /// Routes that delete rows in portions, or that need a dead delivery or a key.
  private static let others: Set = [
    "DELETE /v1/trash", "POST /v1/deliveries/{id}/retry", "DELETE /v1/keys/{id}",
    "POST /v1/pairing-codes", "POST /v1/pairings", "PATCH /v1/settings", "POST /v1/answers",
    "POST /v1/push/key", "DELETE /v1/push/key", "PUT /v1/push/subscriptions",
    "PATCH /v1/push/subscriptions/{id}",
    "POST /v1/push/subscriptions/{id}/test", "DELETE /v1/push/subscriptions/{id}",
  ]

  @Test("No statement of a write reads all rows of a table that grows")
  func scans() throws {
    let service = try RemindersService()
    let most: Int32 = 100
    let log = try service.database.write { db in
      // Each kind of row that accumulates, far more than `most`.
      try db.execute(
        """
        WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 600)
        INSERT INTO reminders (remindersListID, title, dueDate, parentID)
        SELECT 1, 'filler ' || i, '2026-11-25', CASE WHEN i % 3 = 2 THEN i - 1 END FROM n;
        INSERT INTO tags (title) SELECT 'tag' || id FROM reminders;
        INSERT INTO remindersTags (reminderID, tagID) SELECT id, 'tag' || id FROM reminders;
        INSERT INTO alarms (reminderID, at) SELECT id, '2027-01-01 00:00:00.000' FROM reminders;
        INSERT INTO calendarObjects (reminderID, name)
        SELECT id, id || '.ics' FROM reminders WHERE true
        ON CONFLICT (reminderID) DO UPDATE SET name = excluded.name;
        INSERT INTO firings (alarmID, reminderID, dueAt, rung, firedAt)
        SELECT id, reminderID, at, 0, at FROM alarms;
        INSERT INTO idempotentAnswers (scope, key, fingerprint, status, createdAt)
        SELECT 'filler', id, 0, 200, unixepoch() * 1000 FROM reminders;
        INSERT INTO channels (kind, name, url, events, isEnabled, createdAt)
        VALUES (0, 'filler', 'https://example.com/', '[]', 0, '2026-11-20 00:00:00.000');
        INSERT INTO deliveries (channelID, eventID, type, body, state, createdAt, expiresAt, endedAt)
        SELECT channels.id, reminders.id, 'channel.test', '{}', 1, createdAt, createdAt, createdAt
        FROM channels, (SELECT id FROM reminders) AS reminders;
        UPDATE reminders SET status = 1 WHERE id % 2 = 0;
        DELETE FROM reminders WHERE id > 300;
        """)
      return ScanLog(db, most: most)
    }
    let client = try service.client()
    var ids: [String: Int] = [:]
    for request in Self.requests {
      for (name, sql) in [
        ("trash", "SELECT max(id) FROM trash WHERE entryID IS NULL"),
        ("completion", "SELECT max(id) FROM completions"),
      ] {
        ids[name] = try service.database.read { try $0.value(sql)?.integer.map(Int.init) }
      }
      func filled(_ text: String) -> String {
        ids.reduce(text) { $0.replacingOccurrences(of: "{\($1.key)}", with: "\($1.value)") }
      }
      let target = filled(request.target)
      let answer = try client.request(
        request.method, target, [("Idempotency-Key", UUID().uuidString)],
        body: request.body.map(filled))
      #expect(answer.status < 300, "\(request.method) \(target): \(answer.status) \(answer.text)")
      if let name = request.name {
        let row = answer.json["reminder"] as? [String: Any] ?? answer.json
        ids[name] = try #require(row["id"] as? Int, "\(answer.text)")
      }
      for scan in log.take() { Issue.record("\(request.method) \(request.target): \(scan)") }
    }
    let count = try service.database.write { log.end($0) }
    #expect(count > 200)
  }

  @Test("The requests use every route that writes")
  func complete() {
    let routes = Set(
      RemindersAPI.routes.filter { $0.method != .get }.map { "\($0.method) \($0.pattern)" })
    let used = routes.filter { route in Self.requests.contains { Self.matches($0, route) } }
    #expect(routes.subtracting(used) == Self.others)
  }

  private static func matches(_ request: Request, _ route: String) -> Bool {
    let pieces = "\(request.method) \(request.target)".prefix { $0 != "?" }.split(separator: "/")
    let pattern = route.split(separator: "/")
    return pieces.count == pattern.count
      && zip(pieces, pattern).allSatisfy { $0 == $1 || $1.hasPrefix("{") }
  }
}

/// Records the statements of a connection that step through more than `most` rows of a table
/// without an index, or make an index for themselves
/// (https://sqlite.org/c3ref/c_stmtstatus_counter.html).
private final class ScanLog: Sendable {
  private let most: Int32
  private let state = Mutex<(count: Int, scans: [String])>((0, []))

  init(_ db: Connection, most: Int32) {
    self.most = most
    sqlite3_trace_v2(
      db.handle, UInt32(SQLITE_TRACE_PROFILE),
      { _, context, statement, _ in
        guard let context, let statement else { return 0 }
        Unmanaged<ScanLog>.fromOpaque(context).takeUnretainedValue()
          .add(OpaquePointer(statement))
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func add(_ statement: OpaquePointer) {
    let steps = sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_FULLSCAN_STEP, 1)
    let indexed = sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_AUTOINDEX, 1)
    let sql = sqlite3_sql(statement).map { String(cString: $0) } ?? ""
    state.withLock {
      $0.count += 1
      if steps > most { $0.scans.append("\(steps) rows in \(sql)") }
      if indexed > 0 { $0.scans.append("an index for \(indexed) rows in \(sql)") }
    }
  }

  /// The statements since the last call.
  func take() -> [String] {
    state.withLock { state in
      defer { state.scans = [] }
      return state.scans
    }
  }

  /// Ends the recording. Returns how many statements have run.
  func end(_ db: Connection) -> Int {
    sqlite3_trace_v2(db.handle, 0, nil, nil)
    return state.withLock { $0.count }
  }
}
