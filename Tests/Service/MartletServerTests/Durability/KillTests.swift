import Foundation
import MartletSQLite
import Synchronization
import TestSupport
import Testing

extension ProcessTests {
  @Suite struct KillTests {
    private static let writers = 8
    private static let rounds = 3

    @Test("Acknowledged writes survive kill -9, once, and in the search index")
    func kill() throws {
      let seed = UInt64.random(in: 0..<1_000_000)
      print("kill -9: seed \(seed)")
      var random = SeededRandom(seed: seed)
      let folder = try TemporaryFolder()
      var journals: [WriteJournal] = []
      for round in 0..<Self.rounds {
        let server = try MartletProcess(in: folder)
        let most = Int.random(in: 100...500, using: &random)
        journals += try Self.writeAndKill(
          server, round: round, acknowledgements: most, seed: random.next())
        // Compares the data that the next start serves.
        let restarted = try MartletProcess(in: folder)
        try Self.check(restarted, journals, round: round)
        try restarted.stop()
      }
    }

    /// Lets clients write until a number of writes is acknowledged, and kills the server during
    /// further writes.
    private static func writeAndKill(
      _ server: MartletProcess, round: Int, acknowledgements most: Int, seed: UInt64
    ) throws -> [WriteJournal] {
      let count = Atomic<Int>(0)
      let enough = DispatchSemaphore(value: 0)
      let group = DispatchGroup()
      let surprises = Mutex<[String]>([])
      let clients = (0..<writers).map { index in
        JournalingWriter(
          port: server.port, name: "r\(round)w\(index)", seed: seed &+ UInt64(index)
        ) { if count.add(1, ordering: .relaxed).newValue == most { enough.signal() } }
      }
      for client in clients {
        group.enter()
        Thread {
          let unexpected = client.run()
          surprises.withLock { $0 += unexpected }
          group.leave()
        }.start()
      }
      #expect(
        enough.wait(timeout: .now() + Deadline.hang) == .success, "the writers make no progress")
      try server.kill9()
      #expect(
        group.wait(timeout: .now() + Deadline.hang) == .success,
        "a writer does not notice that the server was killed")
      #expect(surprises.withLock { $0 } == [])
      return clients.map(\.result)
    }

    private static func check(
      _ server: MartletProcess, _ journals: [WriteJournal], round: Int
    ) throws {
      let db = try Connection(location: .file(server.database), options: .readOnly)
      defer { db.close() }
      let rows = try db.rows("SELECT id, title FROM reminders")
      let titles = rows.compactMap { $0[1].text }
      #expect(Set(titles).count == titles.count, "a write was applied twice")

      let stored = Dictionary(
        uniqueKeysWithValues: rows.compactMap { row in
          row[0].integer.map { (Int($0), row[1].text ?? "") }
        })
      for journal in journals { #expect(journal.contradictions(stored) == []) }
      let acknowledged = Set(journals.flatMap(\.entries.keys))
      let open = journals.reduce(into: Set<String>()) { $0.formUnion($1.openTitles) }
      let strangers = stored.filter { !acknowledged.contains($0.key) && !open.contains($0.value) }
      #expect(strangers.isEmpty, "no client requested these")
      #expect(acknowledged.count > 50)

      #expect(try db.rows("PRAGMA integrity_check").map { $0[0].text } == ["ok"])
      #expect(try db.rows("PRAGMA foreign_key_check").isEmpty)
      try checkSearch(server, db)
      // The server counts the same rows.
      let all = try RawClient(port: server.port).get("/v1/lists/1").json["reminders"]
      #expect((all as? [String: Int])?["all"] == stored.count)
    }

    /// Checks that the full-text index matches the tables and is internally consistent.
    private static func checkSearch(_ server: MartletProcess, _ db: Connection) throws {
      let tables = """
        SELECT reminders.id, reminders.title, reminders.notes, coalesce(
          (SELECT group_concat(tagID, ' ') FROM remindersTags WHERE reminderID = reminders.id), '')
        FROM reminders
        """
      let texts = "SELECT rowid, title, notes, tags FROM reminderTexts"
      #expect(
        try db.rows("\(tables) EXCEPT \(texts)").isEmpty, "rows are missing in the search index")
      #expect(try db.rows("\(texts) EXCEPT \(tables)").isEmpty, "the search index has stale rows")
      let check = "INSERT INTO reminderTexts(reminderTexts) VALUES('integrity-check')"
      #expect(try MartletProcess.sqlite3(server.database, check, in: server.folder) == "")
    }
  }
}
