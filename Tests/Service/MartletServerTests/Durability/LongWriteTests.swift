import Dispatch
import Foundation
import TestSupport
import Testing

@testable import MartletServer

/// Other requests during a write that takes as long as allowed.
@Suite("A long write") struct LongWriteTests {
  /// Creates many reminders with a tag, and returns a batch that renames the tag for several
  /// seconds.
  private func attack(_ server: some ServedMartlet) throws -> String {
    let client = try RawClient(port: server.port, timeout: 60)
    func batch(_ operation: (Int) -> String, _ count: Int) -> String {
      #"{"operations":["# + (0..<count).map(operation).joined(separator: ",") + "]}"
    }
    let create =
      #"{"method":"POST","path":"/v1/lists/1/reminders","body":{"title":"r","tags":["b"]}}"#
    // In small batches, which a slow machine completes within the limit, too.
    for _ in 0..<25 {
      #expect(try client.post("/v1/batch", batch({ _ in create }, 40)).status == 200)
    }
    return batch(
      {
        #"{"method":"PATCH","path":"/v1/tags/b\#($0 % 2 == 0 ? "" : "1")","body":{"title":"b\#($0 % 2 == 0 ? "1" : "")"}}"#
      }, 400)
  }

  private func send(_ attack: String, to server: some ServedMartlet) throws -> RawClient {
    let client = try RawClient(port: server.port, timeout: 60)
    try client.send(RawClient.head("POST", "/v1/batch", body: attack) + attack)
    while try server.metric("martlet_writing_milliseconds") < 50 { usleep(1000) }
    return client
  }

  @Test("It is rolled back before the timeout of another write, which is then executed")
  func crowdedOut() throws {
    let server = try MartletInProcess(["--change-timeout", "1h", "--handler-timeout", "1h"]) {
      $0.store.writeQueueTimeout = .seconds(3)
    }
    let attack = try attack(server)
    let attacker = try send(attack, to: server)
    #expect(
      try RawClient(port: server.port, timeout: 60).post("/v1/lists", #"{"title":"x"}"#).status
        == 201)
    let answer = try attacker.response()
    #expect(answer.status == 503 && answer.problem == "overloaded", "\(answer.text)")
    #expect(answer.text.contains("Nothing was done"))
    let tags = try MartletProcess.sqlite3(
      server.database, "SELECT group_concat(title) FROM tags", in: server.folder)
    #expect(tags.trimmingCharacters(in: .whitespacesAndNewlines) == "b")
  }

  @Test("It is interrupted and rolled back, and a key can be created meanwhile")
  func bounded() throws {
    let server = try MartletProcess(["--change-timeout", "2s", "--log-level", "warning"])
    let attack = try attack(server)
    let attacker = try send(attack, to: server)
    let made = try MartletProcess.run([
      "key", "create", "--name", "a", "--scope", "admin", "--database", server.database,
    ])
    #expect(made.code == 0, "\(made.errors)")
    let answer = try attacker.response()
    #expect(answer.status == 503 && answer.problem == "query-timeout")
    let tags = try MartletProcess.sqlite3(
      server.database, "SELECT group_concat(title) FROM tags", in: server.folder)
    #expect(tags.trimmingCharacters(in: .whitespacesAndNewlines) == "b")
  }

  @Test("A shutdown does not wait for it, and it is rolled back")
  func shutdown() throws {
    let server = try MartletProcess([
      "--change-timeout", "1h", "--drain-timeout", "300ms", "--handler-timeout", "1h",
    ])
    let attack = try attack(server)
    _ = try send(attack, to: server)
    server.signal(SIGTERM)
    #expect(try server.wait(within: Deadline.hang).code == 0)
    let tags = try MartletProcess.sqlite3(
      server.database, "SELECT group_concat(title) FROM tags", in: server.folder)
    #expect(tags.trimmingCharacters(in: .whitespacesAndNewlines) == "b")
  }
}
