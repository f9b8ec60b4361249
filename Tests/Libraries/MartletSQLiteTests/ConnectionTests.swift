import Foundation
import MartletSQLite
import Testing

@Suite struct ConnectionTests {
  let connection: Connection

  init() throws {
    connection = try Connection(location: .inMemory)
    try connection.execute("CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT)")
  }

  @Test func executesSeveralStatementsWithCommentsBetween() throws {
    try connection.execute(
      """
      INSERT INTO t VALUES (1, 'one; not the end'); -- a comment;
      /* ; */ INSERT INTO t VALUES (2, 'two')
      ;;
      """)
    #expect(
      try connection.rows("SELECT * FROM t").map(\.values) == [
        [1, "one; not the end"], [2, "two"],
      ])
  }

  @Test func executeStopsAtTheFirstError() throws {
    #expect(throws: SQLiteError.self) {
      try connection.execute("INSERT INTO t VALUES (1, ''); nonsense; INSERT INTO t VALUES (2, '')")
    }
    #expect(try connection.value("SELECT count(*) FROM t") == 1)
  }

  @Test func prepareRefusesASecondStatementAndNone() throws {
    let error = #expect(throws: SQLiteError.self) {
      try connection.prepare(sql: "SELECT 1; SELECT 2")
    }
    #expect(error?.code == SQLITE_MISUSE)
    #expect(error?.offset == 9)
    #expect(throws: SQLiteError.self) { try connection.prepare(sql: " -- nothing\n") }
    let statement = try connection.prepare(sql: "SELECT 1; -- and no more ")
    #expect(try statement.rows().map(\.values) == [[1]])
  }

  @Test(
    "A NUL in the SQL text is an error and does not loop", .timeLimit(.minutes(10)),
    arguments: ["SELECT 1\0", "SELECT 1 \0 SELECT 2", "\0", " \0", "SELECT 1; \0;", "SELECT '\0'"])
  func nulInTheText(_ sql: String) {
    #expect(throws: SQLiteError.self) { try connection.execute(sql) }
    #expect(throws: SQLiteError.self) { try connection.prepare(sql: sql) }
  }

  @Test func anErrorNamesThePlaceInTheSQL() throws {
    let error = #expect(throws: SQLiteError.self) {
      try connection.prepare(sql: "SELECT a, missing FROM t")
    }
    #expect(error?.code == SQLITE_ERROR)
    #expect(error?.message == "no such column: missing")
    #expect(error?.offset == 10)
    #expect(
      error.map(String.init(describing:))
        == "no such column: missing (SQLITE_ERROR) in: SELECT a, ⟶missing FROM t")
  }

  @Test func aConstraintErrorCarriesExtendedCodeAndBindings() throws {
    try connection.run("INSERT INTO t VALUES (?, ?)", 7, "x")
    let error = #expect(throws: SQLiteError.self) {
      try connection.run("INSERT INTO t VALUES (?, ?)", 7, "secret")
    }
    #expect(error?.code == SQLITE_CONSTRAINT)
    #expect(error?.extendedCode == SQLITE_CONSTRAINT | (6 << 8))
    #expect(error?.bindings == [7, "secret"])
    #expect(error?.sql == "INSERT INTO t VALUES (?, ?)")
    #expect(error.map { !"\($0)".contains("secret") } == true)
  }

  @Test func aFileThatIsMissingIsNamed() throws {
    let path = NSTemporaryDirectory() + "no-such-folder-\(UUID())/x.db"
    let error = #expect(throws: SQLiteError.self) {
      try Connection(location: .file(path), options: [.readWrite])
    }
    #expect(error?.code == SQLITE_CANTOPEN)
    #expect(error?.message.contains(path) == true)
  }

  @Test func aReadOnlyConnectionRefusesWrites() throws {
    let path = NSTemporaryDirectory() + "read-only-\(UUID()).db"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let writer = try Connection(location: .file(path))
    try writer.execute("CREATE TABLE t(a)")
    let reader = try Connection(location: .file(path), options: [.readOnly])
    #expect(reader.isReadOnly && !writer.isReadOnly)
    let error = #expect(throws: SQLiteError.self) { try reader.execute("INSERT INTO t VALUES (1)") }
    #expect(error?.code == SQLITE_READONLY)
  }

  @Test func aColonInAFileNameIsPartOfTheName() throws {
    // The location makes it a file, so the path is not one of SQLite's special names.
    let folder = NSTemporaryDirectory() + "colon-\(UUID())/"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let connection = try Connection(location: .file(folder + ":memory:"))
    try connection.execute("CREATE TABLE t(a)")
    #expect(FileManager.default.fileExists(atPath: folder + ":memory:"))
    #expect(try Connection(location: .temporary).path == nil)
  }

  @Test func aWrappedHandleStaysOpenWithoutItsHooks() throws {
    var handle: OpaquePointer?
    #expect(sqlite3_open(":memory:", &handle) == SQLITE_OK)
    let raw = try #require(handle)
    defer { sqlite3_close_v2(raw) }
    var seen = 0
    do {
      let wrapped = try Connection(wrapping: raw, owned: false)
      wrapped.onPreupdate { _ in seen += 1 }
      wrapped.authorizer.decide = { $0.action == SQLITE_PRAGMA ? .deny("no pragmas") : .allow }
      try wrapped.addFunction("twice", argumentCount: 1) { ($0[0] as Int?).map { $0 * 2 } }
      try wrapped.execute("CREATE TABLE t(a)")
      try wrapped.run("INSERT INTO t VALUES (twice(4))")
      #expect(throws: SQLiteError.self) { try wrapped.execute("PRAGMA user_version") }
    }
    #expect(seen == 1)
    #expect(sqlite3_exec(raw, "PRAGMA user_version", nil, nil, nil) == SQLITE_OK)
    // The function is still registered; it does not access the deallocated connection.
    #expect(sqlite3_exec(raw, "INSERT INTO t VALUES (twice(1))", nil, nil, nil) == SQLITE_OK)
    #expect(seen == 1)
    #expect(sqlite3_next_stmt(raw, nil) == nil)
  }

  @Test func aStatementOutlivesTheVariableOfItsConnection() throws {
    let statement = try Connection(location: .inMemory).prepare(sql: "SELECT 41 + 1")
    #expect(try statement.rows().map(\.values) == [[42]])
  }

  @Test func dataVersionMovesForOtherConnectionsOnly() throws {
    let path = NSTemporaryDirectory() + "version-\(UUID()).db"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let one = try Connection(location: .file(path))
    let other = try Connection(location: .file(path))
    let before = try one.dataVersion()
    try one.execute("CREATE TABLE t(a)")
    #expect(try one.dataVersion() == before)
    try other.execute("INSERT INTO t VALUES (1)")
    #expect(try one.dataVersion() != before)
  }

  @Test func aTextIsDescribedAsALiteralOfSQLites() throws {
    let text = "a'\u{301}b'\u{200D}"
    let literal = Value.text(text).description
    #expect(literal.utf8.elementsEqual("'a''\u{301}b''\u{200D}'".utf8))
    let db = try Connection(location: .inMemory)
    #expect(try db.value("SELECT \(literal)")?.text?.utf8.elementsEqual(text.utf8) == true)
  }

  @Test func theVersionIsTheLibrarys() {
    #expect(Version.library >= Version.oldestSupported)
    #expect(Version.library.description == String(cString: sqlite3_libversion()))
  }
}
