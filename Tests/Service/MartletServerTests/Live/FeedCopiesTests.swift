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
    var copies = FeedCopy.all(admin: admin, own: own)
    func start() throws {
      server = try MartletProcess(in: folder)
      client = try RawClient(port: server.port)
    }
    try start()
    for round in 0..<48 {
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        switch Int.random(in: 0...13, using: &random) {
        case 0...8:
          let answer = try FeedTraffic.write(client, admin, &random)
          #expect(answer.status < 500, "\(answer.text)")
        case 9, 10: try shell(server, &random)
        case 11: #expect(try FeedTraffic.importFile(client, admin).status == 200)
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

  private func shell(_ server: MartletProcess, _ random: inout SeededRandom) throws {
    let id = Int.random(in: 1...30, using: &random)
    let sql = random.pick([
      "UPDATE reminders SET title = 'shell', status = 1 WHERE id = \(id)",
      "UPDATE reminders SET remindersListID = (SELECT min(id) FROM remindersLists) WHERE id = \(id)",
      "DELETE FROM reminders WHERE id = \(id)",
      "INSERT INTO reminders (remindersListID, title) SELECT max(id), 'shell' FROM remindersLists",
      """
      INSERT INTO reminders (id, remindersListID, title)
      SELECT \(id), min(id), 'upserted' FROM remindersLists WHERE true
      ON CONFLICT (id) DO UPDATE SET title = excluded.title, remindersListID = excluded.remindersListID
      """,
      "DELETE FROM trash",
    ])
    _ = try MartletProcess.sqlite3(server.database, sql, in: server.folder)
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
