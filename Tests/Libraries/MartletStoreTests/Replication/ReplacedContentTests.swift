import Foundation
import MartletSQLite
import TestSupport
import Testing

@testable import MartletStore

@Suite("The content of all nodes is replaced", .timeLimit(.minutes(10)))
struct ReplacedContentTests {
  private func nodes() throws -> ClusterNodes {
    try ClusterNodes(create: {
      try RowImageTests.create($0, "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a)")
    })
  }

  private func insert(_ value: Int) -> @Sendable (Connection) throws -> Void {
    { try $0.run("INSERT INTO t (a) VALUES (?)", .integer(value)) }
  }

  private func rows(_ database: EmbeddedDatabase) throws -> [Int64] {
    try database.read { try $0.rows("SELECT a FROM t ORDER BY id").map { $0[0].integer ?? -1 } }
  }

  /// Adds a column, whose name has the number of columns.
  private func addColumn(_ copy: String) throws {
    let connection = try Connection(location: .file(copy))
    defer { connection.close() }
    let count = try connection.rows("SELECT * FROM pragma_table_info('t')").count
    try connection.execute("ALTER TABLE t ADD COLUMN c\(count) DEFAULT \(count)")
  }

  private func staged(_ nodes: ClusterNodes) -> Int {
    nodes.paths.map { StagedFile.all(nextTo: $0).count }.reduce(0, +)
  }

  @Test("All nodes have the new content, and are notified of it")
  func everywhere() throws {
    let nodes = try nodes()
    let notices = [Collected<CommitNotification>(), Collected<CommitNotification>()]
    for (database, notices) in zip(nodes.databases, notices) {
      database.onCommit { notices.add($0) }
    }
    try nodes.lead(0)
    try nodes[0].write(insert(1))
    try nodes[0].replaceContent(addColumn)
    try nodes[0].write { try $0.execute("INSERT INTO t (a, c2) VALUES (2, 3)") }
    try nodes.catchUp(1)
    #expect(nodes.databases.map(\.seq) == [3, 3])
    #expect(try nodes.contents(1) == nodes.contents(0))
    #expect(
      notices.map { $0.now.map(\.everything) } == [[false, true, false], [false, true, false]])
    #expect(nodes.log.entries.map(\.kind) == [.rows, .file, .rows])
    #expect(throws: ReplicationError.damaged) {
      try nodes[1].apply([ReplicatedEntry(seq: 4, bytes: nodes.log.entries[1].bytes, kind: .file)])
    }
    try nodes.lead(1)
    try nodes[1].write { try $0.execute("UPDATE t SET c2 = 9") }
    try nodes.catchUp(0)
    #expect(try nodes.contents(1) == nodes.contents(0))
    #expect(staged(nodes) == 0)
  }

  @Test("What fails before the log has the entry has changed nothing")
  func failing() throws {
    let nodes = try nodes()
    #expect(throws: WriteError.notPrimary) { try nodes[0].replaceContent(addColumn) }
    try nodes.lead(0)
    try nodes[0].write(insert(1))
    struct Reason: Error {}
    #expect(throws: Reason.self) {
      try nodes[0].replaceContent { copy in
        try addColumn(copy)
        throw Reason()
      }
    }
    #expect(throws: (any Error).self) {
      try nodes[0].replaceContent { copy in
        try Data("no database".utf8).write(to: URL(filePath: copy))
      }
    }
    #expect(throws: WriteError.nested) {
      try nodes[0].write { _ in try nodes[0].replaceContent(addColumn) }
    }
    try nodes[0].write(insert(2))
    nodes.log.set(.refuses)
    #expect(throws: WriteError.notPrimary) { try nodes[0].replaceContent(addColumn) }
    // It has stepped down.
    nodes.log.set(.accepts)
    #expect(throws: WriteError.notPrimary) { try nodes[0].write(insert(3)) }
    try nodes.lead(0)
    try nodes[0].write(insert(3))
    try nodes.catchUp(1)
    #expect(try nodes.databases.map(rows) == [[1, 2, 3], [1, 2, 3]])
    #expect(staged(nodes) == 0)
  }

  @Test("After an undecided replacement the log tells what the content is")
  func undecided() throws {
    for isKept in [true, false] {
      let nodes = try nodes()
      try nodes.lead(0)
      try nodes[0].write(insert(1))
      nodes.log.set(isKept ? .losesAnswer : .losesEntry)
      #expect(throws: WriteError.undecided) { try nodes[0].replaceContent(addColumn) }
      #expect(staged(nodes) == 1)
      nodes.log.set(.accepts)
      try nodes.lead(1)
      try nodes[1].write(insert(2))
      try nodes[0].demote()
      try nodes.catchUp(0)
      #expect(try nodes.contents(1) == nodes.contents(0))
      let columns = try nodes[0].read { try $0.rows("SELECT * FROM t").map(\.count) }
      #expect(columns == (isKept ? [3, 3] : [2, 2]))
    }
  }

  @Test("A write whose entry may be in the log is told when a file is at its place")
  func undecidedWrite() throws {
    let nodes = try nodes()
    try nodes.lead(0)
    nodes.log.set(.losesEntry)
    let results = Collected<Result<Void, any Error>>()
    try nodes[0].submit(write: insert(1)) { results.add($0) }
    nodes[0].waitUntilRefused()
    nodes.log.set(.accepts)
    try nodes.lead(1)
    try nodes[1].replaceContent(addColumn)
    try nodes.catchUp(0)
    let result = try #require(results.wait()?.first)
    #expect(throws: WriteError.notPrimary) { try result.get() }
  }

  @Test("A file never goes back: an older copy is refused")
  func outdated() throws {
    let nodes = try nodes()
    try nodes.lead(0)
    try nodes[0].write(insert(1))
    let copy = try TemporaryFile()
    try DatabaseCopy.make(of: nodes.paths[0], at: copy.path)
    try nodes[0].write(insert(2))
    try nodes.catchUp(1)
    #expect(throws: ReplicationError.outdated(wanted: 2, seq: 1)) {
      try nodes[1].replace(with: copy.path, of: "test")
    }
    try nodes[0].replaceContent(addColumn)
    try DatabaseCopy.make(of: nodes.paths[1], at: copy.path)
    // As old as the file, but without what it should install.
    #expect(throws: ReplicationError.outdated(wanted: 3, seq: 2)) {
      try nodes[1].replace(with: copy.path, of: "test", installing: nodes.log.entries[2])
    }
    try nodes.catchUp(1)
    #expect(try nodes.contents(1) == nodes.contents(0))
  }

  @Test("What another program has written is not given to the other nodes")
  func foreign() throws {
    let nodes = try nodes()
    try nodes.lead(0)
    let shell = try Connection(location: .file(nodes.paths[0]))
    try shell.execute("INSERT INTO t (a) VALUES (99)")
    shell.close()
    #expect(throws: WriteError.notPrimary) { try nodes[0].replaceContent(addColumn) }
    #expect(nodes[0].isSpoiled && nodes.log.entries.isEmpty)
  }

  @Test("Only a file of the right cluster and number is taken from another node")
  func taking() throws {
    let nodes = try nodes()
    let folder = try TemporaryFile()
    func take(_ cluster: String, _ seq: Int64, damaging: Bool = false) throws -> StagedFile {
      let temporary = folder.folder + "/fetched"
      try DatabaseCopy.make(of: nodes.paths[0], at: temporary)
      if damaging { try Data(repeating: 7, count: 9_000).write(to: URL(filePath: temporary)) }
      return try StagedFile(
        taking: temporary, tag: 0xabc, seq: seq, of: cluster, nextTo: nodes.paths[1])
    }
    #expect(throws: ReplicationError.otherCluster) { _ = try take("other", 0) }
    #expect(throws: ReplicationError.otherCluster) { _ = try take("test", 1) }
    #expect(throws: (any Error).self) { _ = try take("test", 0, damaging: true) }
    #expect(StagedFile.all(nextTo: nodes.paths[1]).isEmpty)
    let file = try take("test", 0)
    #expect(file.path == nodes.paths[1] + ".staged-abc")
    #expect(StagedFile.all(nextTo: nodes.paths[1]) == [file])
    #expect(StagedFile.all(nextTo: nodes.paths[0]).isEmpty)
    file.remove()
    #expect(StagedFile.all(nextTo: nodes.paths[1]).isEmpty)
  }

  @Test("Random writes, replacements, faults and changes of role")
  func random() throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SeededRandom(seed: seed)
    let nodes = try nodes()
    var (primary, next, acknowledged) = (0, 0, Set<Int64>())
    try nodes.lead(0)
    for _ in 0..<120 {
      next += 1
      let value = next
      nodes.log.set(
        [.accepts, .accepts, .accepts, .losesAnswer, .losesEntry].randomElement(using: &random)!)
      do {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: try nodes[primary].replaceContent(addColumn)
        case 1:
          try nodes[primary].replaceContent { copy in
            let connection = try Connection(location: .file(copy))
            defer { connection.close() }
            try connection.run("INSERT INTO t (a) VALUES (?)", .integer(value))
          }
          acknowledged.insert(Int64(value))
        default:
          // An undecided write waits for the log, and is not answered here.
          nodes.log.set(.accepts)
          try nodes[primary].write(insert(value))
          acknowledged.insert(Int64(value))
        }
      } catch let error as WriteError { #expect(error == .undecided || error == .notPrimary) }
      nodes.log.set(.accepts)
      if Bool.random(using: &random) {
        primary = Int.random(in: 0...1, using: &random)
      }
      try nodes.lead(primary)
    }
    for node in 0...1 {
      try nodes[node].demote()
      try nodes.catchUp(node)
    }
    #expect(try nodes.contents(1) == nodes.contents(0), "seed \(seed)")
    #expect(try acknowledged.isSubset(of: rows(nodes[0])), "seed \(seed)")
  }
}
