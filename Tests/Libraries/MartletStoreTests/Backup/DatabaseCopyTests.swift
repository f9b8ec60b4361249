import Dispatch
import Foundation
import MartletSQLite
import MartletStore
import Synchronization
import Testing

@Suite("Copies of a database", .timeLimit(.minutes(10))) struct DatabaseCopyTests {
  private func make(_ path: String, rows: Int) throws {
    let db = try Connection(location: .file(path))
    try db.execute(
      """
      PRAGMA journal_mode = WAL;
      CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
      INSERT INTO t SELECT i, 'text ' || i FROM n;
      """)
    db.close()
  }

  private func count(_ path: String) throws -> Int64? {
    let db = try Connection(location: .file(path), options: [.readOnly])
    defer { db.close() }
    return try db.value("SELECT count(*) FROM t")?.integer
  }

  @Test("A database that is being replaced cannot be opened until the copy is in place")
  func claim() throws {
    let source = try TemporaryFile("source.db")
    let target = try TemporaryFile("target.db")
    try make(source.path, rows: 50_000)
    try make(target.path, rows: 3)
    let shares = Mutex<[Double]>([])
    let opened = Mutex(0)
    // Called while the pages are copied and while the copy is checked.
    let report = try DatabaseCopy.make(
      of: source.path, at: target.path,
      progress: { share in
        shares.withLock { $0.append(share) }
        if (try? count(target.path)) != nil { opened.withLock { $0 += 1 } }
      })
    #expect(report.rows == 50_000)
    #expect(shares.withLock { $0.count(where: { $0 == 1 }) } > 1)
    #expect(opened.withLock { $0 } == 0)
    #expect(try count(target.path) == 50_000)
  }

  @Test("A change of the copy may add and delete rows")
  func changed() throws {
    let source = try TemporaryFile("source.db")
    let target = try TemporaryFile("target.db")
    try make(source.path, rows: 10)
    let db = try Connection(location: .file(source.path))
    try SchemaPart.counters(of: ["t"]).install(in: db)
    db.close()
    func restore(_ sql: String) throws -> Int {
      try DatabaseCopy.restore(
        source.path, to: target.path, replaces: true, change: { try $0.execute(sql) }
      ).rows
    }
    #expect(try restore("UPDATE t SET b = 'changed'") == 10)
    #expect(try restore("DELETE FROM t WHERE a = 1") == 9)
    #expect(try count(target.path) == 9)
    #expect(try count(source.path) == 10)
  }

  @Test("A canceled copy leaves the database unchanged and unlocked, and no other files")
  func givenUp() throws {
    struct Enough: Error {}
    let source = try TemporaryFile("source.db")
    let target = try TemporaryFile("target.db")
    try make(source.path, rows: 10)
    try make(target.path, rows: 3)
    #expect(throws: Enough.self) {
      try DatabaseCopy.make(
        of: source.path, at: target.path, progress: { (_: Double) in throw Enough() })
    }
    #expect(try count(target.path) == 3)
    #expect(target.files == ["target.db"])
  }

  @Test("A WAL left at the destination by another database is not applied to the copy")
  func leftLog() throws {
    let source = try TemporaryFile("source.db")
    let target = try TemporaryFile("target.db")
    try make(source.path, rows: 10)
    // What remains of a database of which only the main file was deleted.
    let former = try Connection(location: .file(target.path))
    try former.execute("PRAGMA journal_mode = WAL; CREATE TABLE t(a); INSERT INTO t VALUES (1)")
    let log = target.path + "-wal"
    try FileManager.default.copyItem(atPath: log, toPath: log + ".kept")
    former.close()
    try FileManager.default.removeItem(atPath: target.path)
    try FileManager.default.moveItem(atPath: log + ".kept", toPath: log)
    for ending in ["-shm", "-journal"] {
      #expect(FileManager.default.createFile(atPath: target.path + ending, contents: nil))
    }
    try DatabaseCopy.restore(source.path, to: target.path, replaces: false)
    #expect(target.files == ["target.db"])
    #expect(try count(target.path) == 10)
  }

  @Test("A database that is in use is not replaced")
  func inUse() throws {
    let source = try TemporaryFile("source.db")
    let target = try TemporaryFile("target.db")
    try make(source.path, rows: 10)
    try make(target.path, rows: 3)
    let user = try Connection(location: .file(target.path))
    #expect(try user.value("SELECT count(*) FROM t")?.integer == 3)
    #expect(throws: CopyError.self) { try DatabaseCopy.make(of: source.path, at: target.path) }
    #expect(try user.value("SELECT count(*) FROM t")?.integer == 3)
    user.close()
    try DatabaseCopy.make(of: source.path, at: target.path)
    #expect(try count(target.path) == 10)
  }
}
