import Foundation
import TestSupport
import Testing

/// A server with two own lists, one foreign list, and keys of every kind.
///
/// All texts in the foreign list contain a word that occurs nowhere else.
final class KeyedService {
  static let secret = "xyzzy"
  /// The lists 2 and 3 are granted to the limited keys, 4 is foreign.
  static let ownList = 2
  static let foreignList = 4
  static let ownReminder = 1
  static let foreignReminder = 3
  static let ownTag = "mine"
  static let foreignTag = "xyzzytag"
  /// A key that tests may revoke.
  static let spareKey = 6

  let server: MartletProcess
  /// The keys by name: read, write, admin, and readOwn and writeOwn, which are limited to the own
  /// lists.
  private(set) var keys: [String: String] = [:]

  init(_ arguments: [String] = []) throws {
    server = try MartletProcess(
      arguments.isEmpty ? ["--max-key-failures", "0", "--heartbeat", "500ms"] : arguments)
    let client = try RawClient(port: server.port)
    for title in ["Home", "Work", "Others' \(KeyedService.secret)"] {
      try post(client, "/v1/lists", #"{"title":"\#(title)"}"#)
    }
    for (list, title, tag) in [
      (2, "Milk", "mine"), (3, "Report", "mine"), (4, "Their \(KeyedService.secret)", "xyzzytag"),
    ] {
      let body =
        #"{"listID":\#(list),"title":"\#(title)","notes":"\#(title) more","tags":["\#(tag)","both"]}"#
      try post(client, "/v1/reminders", body)
    }
    // Their entries in the trash have the IDs 1 and 2.
    for (list, title) in [(2, "Own waste"), (4, "Their \(KeyedService.secret) waste")] {
      try post(client, "/v1/reminders", #"{"listID":\#(list),"title":"\#(title)"}"#)
    }
    for id in [4, 5] {
      let fields = [("X-Forwarded-For", "127.0.0.1")]
      try #require(client.request("DELETE", "/v1/reminders/\(id)", fields).status == 204)
    }
    // Recurring ones, with the IDs 6 and 7. Their completions have the IDs 1 and 2.
    for (list, title) in [(3, "Own chore"), (4, "Their \(KeyedService.secret) chore")] {
      try post(
        client, "/v1/reminders",
        #"{"listID":\#(list),"title":"\#(title)","dueDate":"2026-11-20","recurrence":{"rule":"FREQ=DAILY"}}"#
      )
    }
    for id in [6, 7] {
      let body = #"{"status":"completed"}"#
      let fields = [("X-Forwarded-For", "127.0.0.1")]
      try #require(
        client.request("PATCH", "/v1/reminders/\(id)", fields, body: body).status == 200)
    }
    // Their alarms have the IDs 1 and 2.
    for id in [KeyedService.ownReminder, KeyedService.foreignReminder] {
      try post(client, "/v1/reminders/\(id)/alarms", #"{"at":"2099-01-01T00:00:00Z"}"#)
    }
    try post(
      client, "/v1/smart-lists", #"{"title":"\#(KeyedService.secret)","filter":{"listID":4}}"#)
    // A channel and a delivery, both with the ID 1. Nothing is sent.
    try post(
      client, "/v1/channels",
      """
      {"kind":"webhook","name":"\(KeyedService.secret)","isEnabled":false,
      "url":"https://example.com/"}
      """
    )
    _ = try MartletProcess.sqlite3(
      server.database,
      """
      INSERT INTO deliveries (channelID, eventID, type, body, state, createdAt, expiresAt, endedAt)
      SELECT id, '\(KeyedService.secret)', 'channel.test', '{}', 2, createdAt, createdAt, createdAt
      FROM channels
      """, in: server.folder)
    for scope in ["read", "write", "admin"] {
      keys[scope] = try create(["--name", scope, "--scope", scope])
    }
    for scope in ["read", "write"] {
      keys[scope + "Own"] = try create([
        "--name", scope + "Own", "--scope", scope, "--list", "2", "--list", "3",
      ])
    }
    keys["spare"] = try create(["--name", "spare", "--scope", "read"])
    // The push subscription of another key, with the ID 2.
    _ = try MartletProcess.sqlite3(
      server.database,
      """
      INSERT INTO channels (kind, name, url, events, settings, isEnabled, createdAt, keyID)
      SELECT 3, '\(KeyedService.secret)', 'https://push.example/a', '[]',
        '{"host":"\(KeyedService.secret)"}', 0, '2026-01-01 00:00:00.000', id
      FROM apiKeys WHERE name = 'spare'
      """, in: server.folder)
    try waitFor401([])
  }

  /// Posts as a local client, even if the server trusts a proxy on this machine.
  private func post(_ client: RawClient, _ target: String, _ body: String) throws {
    let fields = [("X-Forwarded-For", "127.0.0.1")]
    try #require(client.request("POST", target, fields, body: body).status == 201)
  }

  func key(_ name: String) -> [(String, String)] {
    [("Authorization", "Bearer \(keys[name] ?? "")")]
  }

  func create(_ arguments: [String]) throws -> String {
    let made = try run(["create"] + arguments)
    try #require(made.code == 0, "\(made.errors)")
    return made.output.trimmingCharacters(in: .newlines)
  }

  func run(_ arguments: [String]) throws -> ChildProcess.Result {
    try MartletProcess.run(["key"] + arguments + ["--database", server.database])
  }

  /// Returns when the server has noticed a change of its keys by another process.
  func waitFor401(_ fields: [(String, String)]) throws {
    let deadline = Date(timeIntervalSinceNow: 10)
    while try RawClient(port: server.port).get("/v1/lists", fields).status != 401 {
      try #require(Date() < deadline, "the server does not notice the change of its keys")
    }
  }

  /// All rows that do not belong to the own lists, as text.
  func foreignRows() throws -> String {
    try MartletProcess.sqlite3(
      server.database,
      """
      SELECT * FROM remindersLists WHERE id NOT IN (2, 3); \
      SELECT * FROM reminders WHERE remindersListID NOT IN (2, 3); \
      SELECT * FROM remindersTags WHERE reminderID NOT IN \
      (SELECT id FROM reminders WHERE remindersListID IN (2, 3)); \
      SELECT rowid, title, notes, tags FROM reminderTexts WHERE rowid NOT IN \
      (SELECT id FROM reminders WHERE remindersListID IN (2, 3)); \
      SELECT * FROM trash WHERE listID NOT IN (2, 3); \
      SELECT * FROM completions WHERE reminderID NOT IN \
      (SELECT id FROM reminders WHERE remindersListID IN (2, 3)); \
      SELECT * FROM alarms WHERE reminderID NOT IN \
      (SELECT id FROM reminders WHERE remindersListID IN (2, 3)); \
      SELECT id, name, url, isEnabled, credentials FROM channels; \
      SELECT id, eventID FROM deliveries; \
      SELECT * FROM tags
      """, in: server.folder)
  }

  /// All rows, as text.
  func allRows() throws -> String {
    try foreignRows()
      + MartletProcess.sqlite3(
        server.database,
        """
        SELECT * FROM remindersLists; SELECT * FROM reminders; SELECT * FROM remindersTags;
        SELECT * FROM completions; SELECT * FROM alarms
        """,
        in: server.folder)
  }
}
