import MartletSQLite
import TestSupport
import Testing

/// Journals of statements and savepoints that are too large for memory.
@Suite struct SpilledJournalTests {
  private let folder: TemporaryFolder
  private let connection: Connection

  init() throws {
    folder = try TemporaryFolder()
    connection = try Connection(location: .file(folder.file("test.db")))
    // One page per row, so that the journal has 12 MB.
    try connection.execute(
      """
      PRAGMA journal_mode = WAL;
      CREATE TABLE t(id INTEGER PRIMARY KEY, a BLOB NOT NULL CHECK (length(a) < 3900));
      WITH RECURSIVE ids(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM ids WHERE id < 3000)
      INSERT INTO t SELECT id, zeroblob(3800) FROM ids;
      """)
  }

  private func expect(lengths: ClosedRange<Int>) throws {
    let row = try connection.rows("SELECT min(length(a)), max(length(a)), count(*) FROM t")[0]
    #expect(row[0] == .integer(Int64(lengths.lowerBound)))
    #expect(row[1] == .integer(Int64(lengths.upperBound)))
    #expect(row[2] == .integer(3000))
    #expect(try connection.rows("PRAGMA integrity_check")[0][0] == .text("ok"))
  }

  @Test func aLargeStatementInASavepoint() throws {
    try connection.savepoint {
      try connection.savepoint { try connection.run("UPDATE t SET a = zeroblob(3801)") }
    }
    try expect(lengths: 3801...3801)
  }

  @Test func ofATemporaryTable() throws {
    try connection.execute("CREATE TEMP TABLE s AS SELECT id, a FROM t")
    try connection.execute("UPDATE s SET a = zeroblob(3801)")
    #expect(
      try connection.value("SELECT count(*) FROM s WHERE length(a) = 3801") == .integer(3000))
  }

  @Test func itIsUndone() throws {
    try connection.savepoint {
      try connection.run("UPDATE t SET a = zeroblob(3802) WHERE id <= 10")
      // The last row violates the CHECK, so the whole statement fails.
      #expect(throws: SQLiteError.self) {
        try connection.run("UPDATE t SET a = zeroblob(CASE id WHEN 3000 THEN 3900 ELSE 3803 END)")
      }
      struct Refusal: Error {}
      #expect(throws: Refusal.self) {
        try connection.savepoint {
          try connection.run("DELETE FROM t WHERE id > 10")
          throw Refusal()
        }
      }
    }
    try expect(lengths: 3800...3802)
  }
}
