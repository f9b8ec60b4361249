import Foundation
import MartletSQLite
import Testing

@Suite struct BackupTests {
  private func database(_ rows: Int) throws -> Connection {
    let db = try Connection(location: .inMemory)
    try db.execute(
      """
      CREATE TABLE t (x TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
      INSERT INTO t SELECT printf('%0500d', i) FROM n
      """)
    return db
  }

  @Test func inSteps() throws {
    let db = try database(1_000)
    let copy = try Connection(location: .inMemory)
    try copy.execute("CREATE TABLE other (y)")
    var seen: [Connection.BackupProgress] = []
    try db.backup(to: copy, pagesPerStep: 16) { seen.append($0) }
    #expect(seen.count > 4 && seen.last?.isDone == true)
    #expect(try copy.value("SELECT count(*) FROM t") == 1_000)
    #expect(try !copy.tableExists("other"))
    #expect(try copy.value("PRAGMA integrity_check") == "ok")
  }

  /// Changes made between two steps are part of the copy.
  @Test func whileOthersWrite() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "a.db").path
    let db = try Connection(location: .file(path))
    try database(500).backup(to: db)
    let writer = try Connection(location: .file(path))
    let copy = try Connection(location: .inMemory)
    var steps = 0
    try db.backup(to: copy, pagesPerStep: 8) { _ in
      steps += 1
      if steps == 2 { try writer.run("INSERT INTO t VALUES ('late')") }
    }
    #expect(try copy.value("SELECT count(*) FROM t WHERE x = 'late'") == 1)
  }

  @Test func whatProgressThrowsEndsIt() throws {
    struct Enough: Error {}
    let copy = try Connection(location: .inMemory)
    #expect(throws: Enough.self) {
      try database(1_000).backup(to: copy, pagesPerStep: 1) { _ in throw Enough() }
    }
  }

  @Test func vacuum() throws {
    let db = try database(1_000)
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "b.db").path
    try db.execute("DELETE FROM t WHERE rowid > 10")
    try db.vacuum()
    #expect(try db.value("PRAGMA freelist_count") == 0)
    try db.vacuum(into: path)
    #expect(try Connection(location: .file(path)).value("SELECT count(*) FROM t") == 10)
    #expect(throws: SQLiteError.self) { try db.vacuum(into: path) }
  }
}
