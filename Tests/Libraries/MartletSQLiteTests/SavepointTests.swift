import MartletSQLite
import Testing

@Suite struct SavepointTests {
  struct Refusal: Error {}
  let connection: Connection

  init() throws {
    connection = try Connection(location: .inMemory)
    try connection.execute("CREATE TABLE t(a)")
  }

  private func values() throws -> [Value] { try connection.rows("SELECT a FROM t").map { $0[0] } }

  @Test func anInnerFailureUndoesTheInnerAlone() throws {
    try connection.savepoint {
      try connection.run("INSERT INTO t VALUES (1)")
      #expect(throws: Refusal.self) {
        try connection.savepoint {
          try connection.run("INSERT INTO t VALUES (2)")
          throw Refusal()
        }
      }
      try connection.savepoint { try connection.run("INSERT INTO t VALUES (3)") }
    }
    #expect(try values() == [1, 3])
    #expect(connection.isAutocommit)
  }

  @Test func aRollbackByATriggerKeepsItsOwnError() throws {
    try connection.execute(
      "CREATE TRIGGER no BEFORE INSERT ON t WHEN new.a < 0 BEGIN SELECT RAISE(ROLLBACK, 'no'); END")
    let error = #expect(throws: SQLiteError.self) {
      try connection.savepoint {
        try connection.run("INSERT INTO t VALUES (1)")
        try connection.savepoint { try connection.run("INSERT INTO t VALUES (-1)") }
      }
    }
    #expect(error?.message == "no")
    #expect(connection.isAutocommit)
    #expect(try values() == [])
  }

  @Test func aFailedCommitRollsBack() throws {
    try connection.execute(
      """
      PRAGMA foreign_keys = ON;
      CREATE TABLE p(id INTEGER PRIMARY KEY);
      CREATE TABLE c(p REFERENCES p DEFERRABLE INITIALLY DEFERRED);
      """)
    for body in [{ try connection.transaction(.immediate, $0) }, { try connection.savepoint($0) }]
      as [(() throws -> Void) throws -> Void]
    {
      let error = #expect(throws: SQLiteError.self) {
        try body {
          try connection.run("INSERT INTO c VALUES (1)")
          #expect(connection.hasDeferredForeignKeyViolations)
        }
      }
      #expect(error?.code == SQLITE_CONSTRAINT)
      #expect(connection.isAutocommit)
      #expect(try connection.value("SELECT count(*) FROM c") == 0)
    }
  }

  @Test func actionsAfterCommitFollowTheirSavepoint() throws {
    var done: [Int] = []
    try connection.transaction {
      connection.afterCommit { done.append(1) }
      #expect(throws: Refusal.self) {
        try connection.savepoint {
          connection.afterCommit { done.append(2) }
          throw Refusal()
        }
      }
      try connection.savepoint { connection.afterCommit { done.append(3) } }
      #expect(done == [])
    }
    #expect(done == [1, 3])
    #expect(throws: Refusal.self) {
      try connection.transaction {
        connection.afterCommit { done.append(4) }
        throw Refusal()
      }
    }
    connection.afterCommit { done.append(5) }
    #expect(done == [1, 3, 5])
  }
}
