import Foundation
import MartletSQLite
import TestSupport
import Testing

@testable import MartletStore

@Suite("Digests of what nodes contain", .timeLimit(.minutes(10)))
struct ContentDigestTests {
  private static let schema = """
    CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a);
    CREATE TABLE w (a TEXT, b, PRIMARY KEY (b, a)) WITHOUT ROWID;
    CREATE INDEX wholeT ON t (a, id);
    CREATE VIRTUAL TABLE texts USING fts5(body);
    INSERT INTO t (a) VALUES (1), ('x'), (2.5), (NULL), (x'00');
    INSERT INTO w VALUES ('a', 1), ('b', 2);
    INSERT INTO texts VALUES ('one two'), ('three');
    """

  private func nodes() throws -> ClusterNodes {
    try ClusterNodes(create: { try RowImageTests.create($0, Self.schema) })
  }

  private func digest(_ database: EmbeddedDatabase, at seq: Int64) throws -> ContentDigest {
    for _ in 0..<10_000 {
      if case .finished(let digest)? = database.contentCheck(at: seq) { return digest }
      if case .failed(let reason)? = database.contentCheck(at: seq) {
        throw ChildProcess.Failure(description: reason)
      }
      usleep(1_000)
    }
    throw ChildProcess.Failure(description: "no digest at \(seq)")
  }

  @Test("Nodes have the same digest of the same entry, whatever is written afterwards")
  func same() throws {
    let nodes = try nodes()
    try nodes.lead(0)
    try nodes[0].write { try $0.execute("INSERT INTO t (a) VALUES (9); DELETE FROM texts") }
    let first = try nodes[0].checkContent()
    let before = try digest(nodes[0], at: first)
    #expect(first == 2 && before.seq == 2)
    #expect(before.tables["t"]?.rows == 6 && before.tables["w"]?.rows == 2)
    #expect(before.tables.keys.contains("texts_data") && !before.tables.keys.contains("texts"))
    try nodes[0].write { try $0.execute("UPDATE t SET a = 10 WHERE a = 9") }
    let second = try nodes[0].checkContent()
    try nodes[0].write { try $0.execute("DELETE FROM w") }
    try nodes.catchUp(1)
    #expect(nodes.log.entries.map(\.kind) == [.rows, .check, .rows, .check, .rows])
    // The second check may have come while the first one was being made.
    let found = [first, second].compactMap { seq in
      nodes[1].contentCheck(at: seq).map { _ in seq }
    }
    #expect(!found.isEmpty)
    let after = try digest(nodes[0], at: second)
    for seq in found {
      #expect(try digest(nodes[1], at: seq) == (seq == first ? before : after))
    }
    #expect(after.differences(from: before) == ["t"])
    #expect(try nodes.contents(0) == nodes.contents(1))
    #expect(throws: WriteError.notPrimary) { try nodes[1].checkContent() }
  }

  @Test("A database without AUTOINCREMENT has a digest too")
  func withoutSequences() throws {
    let nodes = try ClusterNodes(create: {
      try RowImageTests.create($0, "CREATE TABLE t (id INTEGER PRIMARY KEY, a)")
    })
    try nodes.lead(0)
    try nodes[0].write { try $0.execute("INSERT INTO t (a) VALUES (1)") }
    let seq = try nodes[0].checkContent()
    try nodes.catchUp(1)
    let digests = try nodes.databases.map { try digest($0, at: seq) }
    #expect(digests[0] == digests[1] && digests[0].tables.keys.sorted() == ["t"])
  }

  @Test("A check that the log refuses has changed nothing")
  func refused() throws {
    let nodes = try nodes()
    try nodes.lead(0)
    nodes.log.set(.losesAnswer)
    #expect(throws: WriteError.notPrimary) { try nodes[0].checkContent() }
    nodes.log.set(.accepts)
    #expect(throws: WriteError.notPrimary) {
      try nodes[0].write { try $0.execute("DELETE FROM t") }
    }
    // The log has it, and it is applied like the entries of others.
    try nodes.lead(0)
    #expect(nodes[0].seq == 1)
    #expect(try digest(nodes[0], at: 1).tables["t"]?.rows == 5)
    try nodes[0].write { try $0.execute("DELETE FROM t") }
    #expect(nodes[0].seq == 2)
  }

  @Test(
    "Any difference is found, in the tables that have it",
    arguments: [
      ("UPDATE t SET a = 1.0 WHERE id = 1", ["t"]),
      ("UPDATE t SET a = CAST(a AS BLOB) WHERE a = 'x'", ["t"]),
      ("UPDATE t SET a = '' WHERE a IS NULL", ["t"]),
      ("UPDATE t SET id = 60 WHERE id = 5", ["t"]),
      ("UPDATE sqlite_sequence SET seq = 7", ["sqlite_sequence"]),
      ("UPDATE w SET b = '2' WHERE b = 2", ["w"]),
      ("DELETE FROM w WHERE b = 1", ["w"]),
      ("INSERT INTO texts_config VALUES ('x', 1)", ["texts_config"]),
      ("CREATE TABLE more (a)", ["more"]),
      ("UPDATE t SET a = a", []),
    ])
  func differences(_ sql: String, _ tables: [String]) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.db")
    try RowImageTests.create(path, Self.schema)
    let connection = try Connection(location: .file(path))
    defer { connection.close() }
    try NodePosition(cluster: "test", seq: 4).store(in: connection)
    let before = try ContentDigest(connection)
    try connection.execute(sql)
    let after = try ContentDigest(connection)
    #expect(after.differences(from: before) == tables)
    #expect(before.differences(from: after) == tables)
  }
}
