import MartletSQLite
import Testing

@Suite struct StatementTests {
  let connection: Connection

  init() throws { connection = try Connection(location: .inMemory) }

  @Test(
    arguments: [
      .integer(.min), .integer(.max), .real(-0.1), .real(.infinity), .text(""), .text("naïve 𝄞"),
      .text("nul\0inside"), .blob([]), .blob([0, 255]), .null,
    ] as [Value])
  func aValueGoesInAndOut(value: Value) throws {
    let statement = try connection.prepare(sql: "SELECT ?1, typeof(?1)")
    try statement.bind(value, at: 1)
    #expect(try statement.step())
    #expect(statement.value(at: 0) == value)
    let type =
      switch value {
      case .integer: "integer"
      case .real: "real"
      case .text: "text"
      case .blob: "blob"
      case .null: "null"
      }
    #expect(statement.text(at: 1) == type)
    #expect(try !statement.step())
  }

  @Test func bindingOutOfRangeThrows() throws {
    let statement = try connection.prepare(sql: "SELECT ?")
    let error = #expect(throws: SQLiteError.self) { try statement.bind(int64: 1, at: 2) }
    #expect(error?.code == SQLITE_RANGE)
  }

  @Test func namedParametersHavePositions() throws {
    let statement = try connection.prepare(sql: "SELECT :b - :a")
    try statement.bind(10, at: #require(statement.position(of: ":b")))
    try statement.bind(4, at: #require(statement.position(of: ":a")))
    #expect(try statement.rows().map(\.values) == [[6]])
    #expect(statement.position(of: ":c") == nil)
    #expect(statement.parameterCount == 2)
  }

  @Test func aCachedStatementComesBackClean() throws {
    let sql = "SELECT ?, a FROM (SELECT 1 AS a UNION ALL SELECT 2)"
    var handle: OpaquePointer?
    do {
      let statement = try connection.cached(sql)
      handle = statement.handle
      try statement.bind(text: "left over", at: 1)
      #expect(try statement.step())
    }
    let again = try connection.cached(sql)
    #expect(again.handle == handle)
    #expect(!again.isBusy)
    #expect(try again.rows().map(\.values) == [[nil, 1], [nil, 2]])
  }

  @Test func aCachedStatementInUseIsNotShared() throws {
    let outer = try connection.cached("SELECT 1 UNION ALL SELECT 2")
    #expect(try outer.step())
    let inner = try connection.cached("SELECT 1 UNION ALL SELECT 2")
    #expect(inner.handle != outer.handle)
    #expect(try inner.rows().count == 2)
    #expect(try outer.step())
    #expect(outer.int64(at: 0) == 2)
  }

  @Test func theCacheCanBeFinalizedWhileOneIsInUse() throws {
    let statement = try connection.cached("SELECT 1 UNION ALL SELECT 2")
    _ = try connection.value("SELECT 3")
    #expect(try statement.step())
    connection.finalizeCachedStatements()
    #expect(sqlite3_next_stmt(connection.handle, nil) == statement.handle)
    #expect(sqlite3_next_stmt(connection.handle, statement.handle) == nil)
    #expect(try statement.step())
  }

  @Test func theCacheForgetsTheLeastRecentlyUsed() throws {
    _ = try connection.value("SELECT 'kept'")
    let kept = try connection.cached("SELECT 'kept'").handle
    for number in 0..<300 {
      _ = try connection.value("SELECT \(number)")
      #expect(try connection.cached("SELECT 'kept'").handle == kept)
    }
    var count = 0
    var next = sqlite3_next_stmt(connection.handle, nil)
    while let statement = next {
      count += 1
      next = sqlite3_next_stmt(connection.handle, statement)
    }
    #expect(count == 256)
  }

  @Test func columnsTellTheirNamesAndKinds() throws {
    let statement = try connection.prepare(sql: "SELECT 1 AS one, NULL AS none, x'00ff' AS bytes")
    #expect(statement.columnNames == ["one", "none", "bytes"])
    #expect(statement.isReadOnly && !statement.isExplain)
    #expect(try statement.step())
    #expect(statement.storage(at: 0) == .integer)
    #expect(statement.isNull(at: 1) && statement.textBytes(at: 1) == nil)
    #expect(Array(statement.blobBytes(at: 2)) == [0, 255])
    #expect(statement.value(at: 0, as: String.self) == nil)
    #expect(try connection.prepare(sql: "EXPLAIN SELECT 1").isExplain)
  }

  /// SQLite prepares a statement again after a schema change. The column names follow.
  @Test func columnNamesFollowTheSchema() throws {
    try connection.execute("CREATE TABLE t(old, id, title); INSERT INTO t VALUES (0, 7, 'a')")
    func row() throws -> Row? { try connection.rows("SELECT * FROM t").first }
    #expect(try row()?["id"] == .integer(7))
    try connection.execute("ALTER TABLE t DROP COLUMN old")
    let shorter = try #require(try row())
    #expect(shorter.columnNames == ["id", "title"] && shorter["id"] == .integer(7))
    // The same number of columns with other names, and a counter that is reset in between.
    try connection.execute("ALTER TABLE t RENAME COLUMN id TO number")
    let statement = try connection.cached("SELECT * FROM t")
    #expect(statement.columnNames == ["id", "title"])
    #expect(try statement.step())
    #expect(statement.columnNames == ["number", "title"])
    statement.reset()
    #expect(statement.status(.reprepare, reset: true) == 2)
    try connection.execute("ALTER TABLE t RENAME COLUMN number TO key")
    #expect(statement.columnNames == ["number", "title"])
    #expect(try statement.rows().first?["key"] == .integer(7))
  }

  @Test func countersShowAFullScan() throws {
    try connection.execute("CREATE TABLE t(a); INSERT INTO t VALUES (1), (2), (3)")
    let statement = try connection.prepare(sql: "SELECT * FROM t WHERE a = ?")
    try statement.bind(2, at: 1)
    #expect(try statement.rows().count == 1)
    #expect(statement.status(.fullScanStep, reset: true) == 2)
    #expect(statement.status(.fullScanStep) == 0)
    #expect(statement.expandedSQL == "SELECT * FROM t WHERE a = 2")
  }
}
