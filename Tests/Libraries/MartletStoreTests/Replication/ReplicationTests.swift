import Glibc
import MartletSQLite
import TestSupport
import Testing

@testable import MartletStore

@Suite("A database as a node of a cluster", .timeLimit(.minutes(10))) struct ReplicationTests {
  private static let schema = "CREATE TABLE t (id INTEGER PRIMARY KEY, a)"

  private func nodes(_ settings: Configuration = Configuration()) throws -> ClusterNodes {
    try ClusterNodes(settings: settings, create: { try RowImageTests.create($0, Self.schema) })
  }

  private func rows(_ database: EmbeddedDatabase) throws -> [Int64] {
    try database.read { try $0.rows("SELECT a FROM t ORDER BY id").map { $0[0].integer ?? -1 } }
  }

  private func insert(_ value: Int) -> @Sendable (Connection) throws -> Void {
    { try $0.run("INSERT INTO t (a) VALUES (?)", .integer(value)) }
  }

  @Test("A replica refuses writes, and accepts them as the primary")
  func roles() throws {
    let nodes = try nodes()
    #expect(throws: WriteError.notPrimary) { try nodes[0].write(insert(1)) }
    try nodes.lead(0)
    try nodes[0].write(insert(1))
    #expect(throws: WriteError.notPrimary) { try nodes[1].write(insert(2)) }
    try nodes.lead(1)
    #expect(throws: WriteError.notPrimary) { try nodes[0].write(insert(2)) }
    try nodes[1].write(insert(2))
    try nodes.catchUp(0)
    #expect(try nodes.databases.map(rows) == [[1, 2], [1, 2]])
    #expect(nodes.databases.map(\.seq) == [2, 2])
  }

  @Test("A group is one entry, and one that changes nothing is confirmed instead")
  func groups() throws {
    let nodes = try nodes()
    try nodes.lead(0)
    _ = try nodes[0].group((1...5).map(insert))
    // The write that held the writer has changed nothing.
    #expect(nodes.log.entries.count == 1)
    let confirmations = nodes.log.confirmations
    try nodes[0].write { _ = try $0.value("SELECT count(*) FROM t") }
    #expect(throws: SQLiteError.self) { try nodes[0].write { try $0.execute("no") } }
    #expect(nodes.log.entries.count == 1 && nodes.log.confirmations == confirmations + 2)
    #expect(nodes.log.published == [1])
  }

  @Test("An entry is published when readers see it, and not if its commit is not known")
  func published() throws {
    let nodes = try nodes()
    try nodes.lead(0)
    try nodes[0].write(insert(1))
    #expect(nodes.log.published == [1])
    nodes.log.set(.losesAnswer)
    try nodes[0].submit(write: insert(2)) { _ in }
    nodes[0].waitUntilRefused()
    #expect(nodes.log.entries.count == 2 && nodes.log.published == [1])
  }

  @Test("Without the log nothing is answered, not even an error of the write itself")
  func deposed() throws {
    let nodes = try nodes()
    try nodes.lead(0)
    nodes.log.set(.refuses)
    let failing: @Sendable (Connection) throws -> Void = { try $0.execute("no") }
    let results = try nodes[0].group([insert(1), failing])
    for result in results { #expect(throws: WriteError.notPrimary) { try result.get() } }
    // It has stepped down by itself.
    nodes.log.set(.accepts)
    #expect(throws: WriteError.notPrimary) { try nodes[0].write(insert(2)) }
    #expect(try rows(nodes[0]) == [])
    try nodes.lead(0)
    nodes.log.set(.refuses)
    #expect(throws: WriteError.notPrimary) { try nodes[0].write(failing) }
  }

  @Test("An undecided group gets its answers when the log tells")
  func undecided() throws {
    for isKept in [true, false] {
      let nodes = try nodes()
      try nodes.lead(0)
      try nodes[0].write(insert(1))
      nodes.log.set(isKept ? .losesAnswer : .losesEntry)
      let results = Collected<Result<Int64, any Error>>()
      try nodes[0].submit(write: { db in
        try db.execute("INSERT INTO t (a) VALUES (2)")
        return db.lastInsertRowID
      }) { results.add($0) }
      nodes[0].waitUntilRefused()
      nodes.log.set(.accepts)
      if !isKept {
        try nodes.lead(1)
        try nodes[1].write(insert(3))
      }
      #expect(results.now.isEmpty)
      try nodes[0].demote()
      try nodes.catchUp(0)
      let result = try #require(results.wait()?.first)
      if isKept {
        #expect(try result.get() == 2)
        #expect(try rows(nodes[0]) == [1, 2])
      } else {
        #expect(throws: WriteError.notPrimary) { try result.get() }
        #expect(try rows(nodes[0]) == [1, 3])
      }
    }
  }

  @Test("An undecided group of a node that leads again was not saved")
  func undecidedAndPrimary() throws {
    let nodes = try nodes()
    try nodes.lead(0)
    nodes.log.set(.losesEntry)
    let results = Collected<Result<Void, any Error>>()
    try nodes[0].submit(write: insert(1)) { results.add($0) }
    nodes[0].waitUntilRefused()
    nodes.log.set(.accepts)
    try nodes.lead(0)
    let result = try #require(results.wait()?.first)
    #expect(throws: WriteError.notPrimary) { try result.get() }
    try nodes[0].write(insert(2))
    #expect(try rows(nodes[0]) == [2])
  }

  @Test("An undecided group of a database that closes gets an answer")
  func undecidedAndClosed() throws {
    let nodes = try nodes()
    try nodes.lead(0)
    nodes.log.set(.losesEntry)
    let results = Collected<Result<Void, any Error>>()
    try nodes[0].submit(write: insert(1)) { results.add($0) }
    nodes[0].close()
    let result = try #require(results.wait()?.first)
    #expect(throws: WriteError.undecided) { try result.get() }
  }

  @Test("A write that is too large for the log fails alone")
  func tooLarge() throws {
    let nodes = try nodes()
    try nodes.lead(0)
    let large: @Sendable (Connection) throws -> Void = { db in
      for _ in 0..<8 { try db.execute("INSERT INTO t (a) VALUES (zeroblob(9000000))") }
    }
    let results = try nodes[0].group([insert(1), large, insert(2)])
    #expect(throws: Never.self) { try results[0].get() }
    #expect(throws: WriteError.tooLarge(limit: RowEntry.sizeLimit)) { try results[1].get() }
    #expect(throws: Never.self) { try results[2].get() }
    let stored = try rows(nodes[0]).sorted()
    #expect(stored == [1, 2])
  }

  @Test("After an entry that was too large, the sequences are replicated")
  func sequencesAfterTooLarge() throws {
    let nodes = try ClusterNodes(create: {
      try RowImageTests.create(
        $0,
        "CREATE TABLE c (id INTEGER PRIMARY KEY AUTOINCREMENT); CREATE TABLE t (a)")
    })
    try nodes.lead(0)
    _ = try nodes[0].group([
      { db in
        for _ in 0..<8 { try db.execute("INSERT INTO t VALUES (zeroblob(9000000))") }
      },
      { try $0.execute("INSERT INTO c DEFAULT VALUES; DELETE FROM c") },
    ])
    try nodes.catchUp(1)
    #expect(try nodes.contents(1) == nodes.contents(0))
    #expect(try nodes.contents(1)["sqlite_sequence"]?.count == 1)
  }

  @Test("The schema cannot be changed, but temporary tables can be created")
  func schema() throws {
    let nodes = try nodes()
    try nodes.lead(0)
    for sql in [
      "CREATE TABLE u (a)", "DROP TABLE t", "ALTER TABLE t ADD COLUMN b", "CREATE INDEX i ON t (a)",
      "CREATE TRIGGER x AFTER INSERT ON t BEGIN SELECT 1; END", "CREATE VIEW v AS SELECT 1",
      "CREATE VIRTUAL TABLE f USING fts5 (a)",
    ] {
      let error = #expect(throws: SQLiteError.self) { try nodes[0].write { try $0.execute(sql) } }
      #expect(error?.message.contains("the schema cannot be changed") == true, "\(sql)")
    }
    try nodes[0].write { db in
      try db.execute("CREATE TEMP TABLE s (a); INSERT INTO s VALUES (1); DROP TABLE s")
    }
    #expect(nodes.log.entries.isEmpty)
  }

  @Test("Entries are applied in order, without gaps, and each once")
  func order() throws {
    let nodes = try nodes()
    try nodes.lead(0)
    for value in 1...4 { try nodes[0].write(insert(value)) }
    let entries = nodes.log.entries
    #expect(throws: ReplicationError.gap(wanted: 1, found: 2)) {
      try nodes[1].apply(Array(entries[1...]))
    }
    try nodes[1].apply(Array(entries[..<2]))
    try nodes[1].apply(entries)
    try nodes[1].apply(entries)
    #expect(throws: ReplicationError.gap(wanted: 5, found: 6)) {
      try nodes[1].apply([ReplicatedEntry(seq: 6, bytes: entries[0].bytes)])
    }
    #expect(try rows(nodes[1]) == [1, 2, 3, 4] && nodes[1].seq == 4)
  }

  @Test("A damaged entry changes nothing")
  func damaged() throws {
    let nodes = try nodes()
    try nodes.lead(0)
    _ = try nodes[0].group([insert(1), insert(2)])
    let entry = try #require(nodes.log.entries.first)
    for count in entry.bytes.indices {
      #expect(throws: ReplicationError.self, "\(count)") {
        try nodes[1].apply([ReplicatedEntry(seq: 1, bytes: Array(entry.bytes[..<count]))])
      }
    }
    var other = EntryWriter()
    other.byte(RowEntry.version)
    other.fixed(1)
    other.number(1)
    for text in ["missing"] { other.text(text) }
    other.number(1)
    other.text("a")
    other.number(0)
    other.number(0)
    other.number(0)
    other.byte(0)
    let error = #expect(throws: ReplicationError.self) {
      try nodes[1].apply([ReplicatedEntry(seq: 1, bytes: other.bytes)])
    }
    #expect(error == .contradiction("no such table: main.missing"))
    #expect(try rows(nodes[1]) == [] && nodes[1].seq == 0)
    try nodes.catchUp(1)
    #expect(try rows(nodes[1]) == [1, 2])
  }

  @Test("A replica's notifications say what the primary's say")
  func notifications() throws {
    let nodes = try nodes()
    for database in nodes.databases { _ = database.watch.key("a", of: "t") }
    let notices = [Collected<CommitNotification>(), Collected<CommitNotification>()]
    for (database, notices) in zip(nodes.databases, notices) {
      database.onCommit { notices.add($0) }
    }
    try nodes.lead(0)
    try nodes[0].write(insert(1))
    try nodes[0].write { try $0.execute("UPDATE t SET a = 5") }
    try nodes[0].write { try $0.execute("DELETE FROM t") }
    for entry in nodes.log.entries { try nodes[1].apply([entry]) }
    #expect(notices[0].now == notices[1].now)
    #expect(notices[1].now.map { $0.tables.keys.sorted() } == [["t"], ["t"], ["t"]])
  }

  @Test("A file that another program has written to must be replaced")
  func foreign() throws {
    let nodes = try nodes()
    try nodes.lead(0)
    try nodes[0].write(insert(1))
    try nodes.catchUp(1)
    for node in [1, 0] {
      let shell = try Connection(location: .file(nodes.paths[node]))
      try shell.execute("INSERT INTO t (a) VALUES (99)")
      shell.close()
    }
    #expect(throws: WriteError.notPrimary) { try nodes[0].write(insert(2)) }
    let next = ReplicatedEntry(seq: 2, bytes: nodes.log.entries[0].bytes)
    // Also once it is known.
    for _ in 1...2 {
      #expect(throws: ReplicationError.foreignCommit) { try nodes[1].apply([next]) }
    }
    #expect(nodes.databases.map(\.isSpoiled) == [true, true])
    #expect(nodes[1].seq == 1)
  }

  @Test("Content is replaced in one step, and reads in progress go on with theirs")
  func replaced() throws {
    let nodes = try nodes()
    try nodes.lead(0)
    for value in 1...3 { try nodes[0].write(insert(value)) }
    let copy = try TemporaryFile()
    let source = try Connection(location: .file(nodes.paths[0]), options: [.readOnly])
    try source.vacuum(into: copy.path)
    source.close()
    try nodes[0].write(insert(4))
    let notices = Collected<CommitNotification>()
    nodes[1].onCommit { notices.add($0) }
    try nodes[1].read { db in
      #expect(try db.rows("SELECT a FROM t").isEmpty)
      try nodes[1].replace(with: copy.path, of: "test")
      #expect(try db.rows("SELECT a FROM t").isEmpty)
    }
    #expect(try rows(nodes[1]) == [1, 2, 3] && nodes[1].seq == 3)
    #expect(notices.now.map(\.everything) == [true])
    try nodes.catchUp(1)
    #expect(try nodes.contents(1) == nodes.contents(0))
    #expect(throws: ReplicationError.otherCluster) {
      try nodes[1].replace(with: copy.path, of: "another")
    }
    #expect(throws: ReplicationError.otherCluster) {
      let single = try TemporaryFile()
      let db = try Connection(location: .file(single.path))
      try db.execute(Self.schema)
      db.close()
      try nodes[1].replace(with: single.path, of: "test")
    }
    #expect(try rows(nodes[1]) == [1, 2, 3, 4])
  }

  @Test("A file is durable up to the last complete checkpoint")
  func durable() throws {
    var settings = Configuration()
    settings.checkpointFrames = 4
    let nodes = try nodes(settings)
    try nodes.lead(0)
    try nodes[0].write(insert(1))
    #expect(nodes[0].durableSeq == 0)
    for value in 2...20 { try nodes[0].write(insert(value)) }
    #expect((1...20).contains(nodes[0].durableSeq))
  }

  @Test("A file without a position is no node's file")
  func single() throws {
    let file = try TemporaryFile()
    #expect(throws: ReplicationError.otherCluster) {
      _ = try EmbeddedDatabase(path: file.path, replicator: MemoryLog())
    }
    let nodes = try nodes()
    nodes[0].close()
    let db = try Connection(location: .file(nodes.paths[0]))
    #expect(try NodePosition(db) == NodePosition(cluster: "test", seq: 0))
    try NodePosition.remove(from: db)
    #expect(try NodePosition(db) == nil)
  }
}
