import MartletSQLite
import Testing

@Suite struct HookTests {
  let connection: Connection

  init() throws { connection = try Connection(location: .inMemory) }

  @Test func preupdateSeesEveryKindOfChange() throws {
    var seen: [String] = []
    connection.onPreupdate { change in
      let values = (0..<change.columnCount).map { column in
        "\(change.old(column)?.description ?? "·")→\(change.new(column)?.description ?? "·")"
      }
      seen.append(
        "\(change.operation) \(change.database).\(change.table) \(change.oldRowID) "
          + "\(change.newRowID) \(change.depth) \(values.joined(separator: " "))")
    }
    try connection.execute(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT UNIQUE);
      CREATE TABLE log(a);
      CREATE TRIGGER r AFTER UPDATE ON t BEGIN INSERT INTO log VALUES (new.a); END;
      CREATE TABLE w(k TEXT PRIMARY KEY) WITHOUT ROWID;
      """)
    seen = []
    try connection.execute("INSERT INTO t VALUES (1, 'x')")
    #expect(seen == ["insert main.t 1 1 0 ·→1 ·→'x'"])
    seen = []
    try connection.execute("UPDATE t SET id = 5, a = 'y'")
    #expect(seen == ["update main.t 1 5 0 1→5 'x'→'y'", "insert main.log 1 1 1 ·→'y'"])
    seen = []
    try connection.execute("REPLACE INTO t VALUES (6, 'y')")
    #expect(seen == ["delete main.t 5 5 0 5→· 'y'→·", "insert main.t 6 6 0 ·→6 ·→'y'"])
    seen = []
    try connection.execute("DELETE FROM t")
    #expect(seen == ["delete main.t 6 6 0 6→· 'y'→·"])
    seen = []
    try connection.execute("INSERT INTO w VALUES ('k')")
    #expect(seen.count == 1 && seen[0].hasPrefix("insert main.w"))
    connection.onPreupdate(nil)
    seen = []
    try connection.execute("DELETE FROM w")
    #expect(seen == [])
  }

  @Test func theAuthorizerCollectsWhatAStatementTouches() throws {
    try connection.execute(
      """
      CREATE TABLE t(a, b, c); CREATE TABLE u(d); CREATE VIEW v AS SELECT a FROM t;
      CREATE TRIGGER r AFTER DELETE ON t BEGIN INSERT INTO u VALUES (old.c); END;
      """)
    connection.authorizer.collects = true
    let select = try connection.prepare(
      sql: "SELECT lower(a) FROM v WHERE EXISTS (SELECT d FROM u)")
    #expect(
      select.accesses?.reads == [
        .init(name: "t"): ["a"], .init(name: "u"): ["d"],
        .init(name: "v"): ["a"],
      ])
    #expect(select.accesses?.functions == ["lower"])
    #expect(select.accesses?.writes == [])
    let count = try connection.cached("SELECT count(*) FROM t")
    #expect(count.accesses?.reads == [.init(name: "t"): []])
    let delete = try connection.prepare(sql: "DELETE FROM t WHERE b = 1")
    #expect(delete.accesses?.writes == [.init(name: "t"), .init(name: "u")])
    connection.authorizer.collects = false
    #expect(try connection.prepare(sql: "SELECT 1 FROM t").accesses == nil)
  }

  @Test func theAuthorizerDeniesWithItsReason() throws {
    try connection.execute("CREATE TABLE t(a, secret); INSERT INTO t VALUES (1, 2)")
    connection.authorizer.decide = { request in
      if request.action == SQLITE_PRAGMA { return .deny("pragmas are not for you") }
      if request.action == SQLITE_READ, request.second == "secret" { return .ignore }
      return .allow
    }
    let error = #expect(throws: SQLiteError.self) {
      try connection.execute("PRAGMA user_version = 3")
    }
    #expect(error?.code == SQLITE_AUTH)
    #expect(error?.message == "pragmas are not for you")
    #expect(try connection.rows("SELECT * FROM t").map(\.values) == [[1, nil]])
    connection.authorizer.decide = nil
    #expect(try connection.pragma("user_version") == 0)
  }

  @Test func theProgressHandlerInterrupts() throws {
    var calls = 0
    connection.onProgress(every: 100) {
      calls += 1
      return calls < 5
    }
    let error = #expect(throws: SQLiteError.self) {
      try connection.value(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) FROM n")
    }
    #expect(error?.isInterrupt == true)
    #expect(calls == 5)
    connection.onProgress(nil)
    #expect(try connection.value("SELECT 1") == 1)
  }

  @Test func theCommitHookCanRefuse() throws {
    try connection.execute("CREATE TABLE t(a)")
    var events: [String] = []
    var allows = true
    connection.onCommit {
      events.append("commit")
      return allows
    }
    connection.onRollback { events.append("rollback") }
    try connection.execute("INSERT INTO t VALUES (1)")
    allows = false
    #expect(throws: SQLiteError.self) { try connection.execute("INSERT INTO t VALUES (2)") }
    #expect(events == ["commit", "commit", "rollback"])
    #expect(try connection.rows("SELECT a FROM t").map { $0[0] } == [1])
  }

  @Test func profile() throws {
    let db = try Connection(location: .inMemory)
    var seen: [(sql: String, nanoseconds: UInt64)] = []
    db.onProfile { seen.append(($0, $1)) }
    try db.execute("CREATE TABLE t (x)")
    try db.run("INSERT INTO t VALUES (?)", .integer(1))
    db.onProfile(nil)
    try db.run("DELETE FROM t")
    #expect(seen.map(\.sql) == ["CREATE TABLE t (x)", "INSERT INTO t VALUES (?)"])
    #expect(seen.allSatisfy { $0.nanoseconds < 1_000_000_000 })
  }
}
