import Dispatch
import MartletSQLite
import Synchronization
import TestSupport
import Testing

@testable import MartletStore

/// Many threads and many kinds of failure: every acknowledged write is stored exactly once, no
/// failed one is stored, and the notifications agree.
@Suite(.timeLimit(.minutes(10))) struct GroupCommitTests {
  struct Refusal: Error {}

  @Test(arguments: [1, 2, 3] as [UInt64])
  func nothingIsLostAndNothingIsThereTwice(seed: UInt64) throws {
    let file = try TemporaryFile()
    try Connection(location: .file(file.path)).execute(
      """
      CREATE TABLE t(a INTEGER PRIMARY KEY, n DEFAULT 1);
      CREATE TABLE parent(id INTEGER PRIMARY KEY);
      CREATE TABLE child(p REFERENCES parent DEFERRABLE INITIALLY DEFERRED);
      CREATE TRIGGER martlet_stop AFTER INSERT ON t WHEN new.a % 10 = 3
        BEGIN SELECT RAISE(ROLLBACK, 'three'); END;
      """)
    let database = try EmbeddedDatabase(path: file.path)
    let told = Collected<CommitNotification>()
    database.onCommit { told.add($0) }
    let acknowledged = Collected<Int64>()
    let refused = Collected<Int64>()
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      var random = seed &* 7_919 &+ UInt64(thread)
      let pending = DispatchGroup()
      for index in 0..<100 {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        // The last digit of the key determines what the write does.
        let key = Int64(thread * 100 + index) * 10 + Int64((random >> 33) % 10)
        let write: @Sendable (Connection) throws -> Void = { connection in
          try connection.run(
            "INSERT INTO t(a) VALUES (?) ON CONFLICT DO UPDATE SET n = n + 1", .integer(key))
          switch key % 10 {
          case 4: try connection.run("INSERT INTO child VALUES (?)", .integer(key))
          case 5: throw Refusal()
          case 6: try connection.execute("ROLLBACK")
          case 7: try connection.run("INSERT OR ROLLBACK INTO t(a) VALUES (?)", .integer(key))
          default: break
          }
        }
        let note: @Sendable (Bool) -> Void = { $0 ? acknowledged.add(key) : refused.add(key) }
        if index % 10 == 0 {
          note((try? database.write(write)) != nil)
        } else {
          pending.enter()
          do {
            try database.submit(write: write) { result in
              note((try? result.get()) != nil)
              pending.leave()
            }
          } catch {
            note(false)
            pending.leave()
          }
        }
      }
      pending.wait()
    }
    database.close()
    #expect(acknowledged.now.count + refused.now.count == 800)
    #expect(acknowledged.now.allSatisfy { !(3...7).contains($0 % 10) })
    #expect(refused.now.allSatisfy { (3...7).contains($0 % 10) })
    let rows = try Connection(location: .file(file.path)).rows("SELECT a, n FROM t")
    #expect(rows.allSatisfy { $0[1] == 1 }, "seed \(seed)")
    #expect(Set(rows.compactMap { $0[0].integer }) == Set(acknowledged.now), "seed \(seed)")
    let noticed = told.now.flatMap { $0.tables["t"]?.rows ?? [] }.map(\.newRowID)
    #expect(noticed.sorted() == acknowledged.now.sorted(), "seed \(seed)")
    #expect(told.now.count < acknowledged.now.count)
  }
}

@Suite(.timeLimit(.minutes(10))) struct DurabilityTests {
  @Test func logThatCannotBeMadeIsAnError() throws {
    // SQLite returns the mode that stays in effect.
    let memory = try Connection(location: .inMemory)
    let error = #expect(throws: SQLiteError.self) { try memory.makeDurable() }
    #expect(error?.code == SQLITE_CANTOPEN)
    #expect(error?.message.contains("memory") == true)
  }

  @Test func changeOfTheModeThatIsNotCommittedIsAnError() throws {
    let file = try TemporaryFile()
    let connection = try Connection(location: .file(file.path))
    connection.onCommit { false }
    #expect(throws: SQLiteError.self) { try connection.makeDurable() }
    connection.onCommit(nil)
    try connection.makeDurable()
    #expect(try connection.pragma("journal_mode") == "wal")
  }
}
