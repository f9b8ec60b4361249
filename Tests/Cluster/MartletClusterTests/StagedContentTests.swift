import Foundation
import MartletSQLite
import MartletStore
import Synchronization
import TestSupport
import Testing

@testable import MartletCluster

@Suite(
  "Content of all nodes", .serialized, .timeLimit(.minutes(10)),
  .enabled(if: isLibraryInstalled, "libdqlite0 is not installed"))
struct StagedContentTests {
  private let cluster: TestCluster

  init() throws { cluster = try TestCluster() }

  /// Adds a column, and changes all rows.
  private func migrate(_ copy: String) throws {
    let connection = try Connection(location: .file(copy))
    defer { connection.close() }
    try connection.execute("ALTER TABLE t ADD COLUMN b DEFAULT 7; UPDATE t SET a = a + 100")
  }

  private func columns(_ members: [TestCluster.Member]) throws -> [[Int64]] {
    try members.map { member in
      try member.database.read { try $0.rows("SELECT b FROM t").map { $0[0].integer ?? -1 } }
    }
  }

  private func stagedFiles() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: cluster.folder.path)
      .filter { $0.contains("staged") || $0.contains("fetched") || $0.contains("snapshot") }
  }

  @Test("A new schema is on all nodes, and writes that waited come after it")
  func schema() throws {
    let all = try cluster.three()
    defer { cluster.stop(all) }
    for value in 1...3 { try all[0].insert(value) }
    try cluster.settle(all)
    let reader = try Connection(location: .file(all[1].path))
    defer { reader.close() }
    try reader.execute("BEGIN")
    #expect(try reader.rows("SELECT a FROM t").count == 3)
    let waited = Collected<Result<Void, any Error>>()
    try all[0].database.replaceContent { copy in
      try all[0].database.submit(write: { try $0.execute("INSERT INTO t (a, b) VALUES (4, 8)") }) {
        waited.add($0)
      }
      try migrate(copy)
    }
    try #require(waited.wait()?.first).get()
    try cluster.settle(all)
    #expect(try cluster.values(all) == all.map { _ in [4, 101, 102, 103] })
    #expect(try columns(all) == all.map { _ in [7, 7, 7, 8] })
    // Most nodes have waited for the file. Another one may take a copy instead.
    try cluster.wait("another node has installed it") {
      all[1...].contains { member in
        member.events.all.contains { if case .installed(4) = $0 { true } else { false } }
      }
    }
    // A reader keeps what it saw.
    #expect(try reader.rows("SELECT * FROM t").map(\.count) == [2, 2, 2])
    try reader.execute("COMMIT")
    all[0].node.perform(.transfer(to: nil))
    try cluster.wait("another one leads") { all[1...].contains { $0.node.isPrimary } }
    try #require(all.first { $0.node.isPrimary }).insert(5)
    try cluster.settle(all)
    #expect(try cluster.values(all) == all.map { _ in [4, 5, 101, 102, 103] })
    try cluster.wait("the files are deleted") { try stagedFiles().isEmpty }
  }

  @Test("A node that could not fetch the file takes what another one has")
  func missing() throws {
    let all = try cluster.three()
    defer { cluster.stop(all) }
    try all[0].insert(1)
    cluster.setLame(["c"])
    try all[0].database.replaceContent(migrate)
    try all[0].insert(2)
    try cluster.settle(all)
    #expect(try cluster.values(all) == all.map { _ in [2, 101] })
    try cluster.wait("a copy was taken") { all[2].events.snapshots == 1 }
  }

  @Test("Without a majority that has the file, nothing happens")
  func refused() throws {
    let all = try cluster.three(stagingTime: .milliseconds(500))
    defer { cluster.stop(all) }
    try all[0].insert(1)
    cluster.setLame(["b", "c"])
    #expect(throws: ReplicationError.notStaged) { try all[0].database.replaceContent(migrate) }
    struct Reason: Error, Equatable {}
    #expect(throws: Reason.self) { try all[0].database.replaceContent { _ in throw Reason() } }
    #expect(throws: WriteError.notPrimary) { try all[1].database.replaceContent(migrate) }
    try all[0].insert(2)
    try cluster.settle(all)
    #expect(try cluster.values(all) == all.map { _ in [1, 2] })
    #expect(try stagedFiles().isEmpty)
    cluster.setLame([])
    // A busy machine may need longer than the time after which the others have failed.
    try cluster.wait("the content is replaced") {
      do {
        try all[0].database.replaceContent(migrate)
        return true
      } catch ReplicationError.notStaged {
        return false
      }
    }
    try cluster.settle(all)
    #expect(try cluster.values(all) == all.map { _ in [101, 102] })
  }

  @Test("Content of a backup gets the position that the log says")
  func restored() throws {
    let all = try cluster.three()
    defer { cluster.stop(all) }
    try all[0].insert(1)
    let backup = cluster.folder.file("backup.db")
    try DatabaseCopy.make(of: all[0].path, at: backup)
    for value in 2...5 { try all[0].insert(value) }
    try all[0].database.replaceContent { copy in
      try DatabaseCopy.restore(backup, to: copy, replaces: true)
    }
    try all[0].insert(9)
    try cluster.settle(all)
    #expect(try cluster.values(all) == all.map { _ in [1, 9] })
    #expect(all[0].database.seq == 7)
  }

  @Test("Content is replaced again and again")
  func repeatedly() throws {
    let first = try cluster.start("a", .bootstrap)
    try cluster.wait("it leads") { first.node.isPrimary }
    try first.insert(1)
    try first.database.replaceContent(migrate)
    try first.insert(2)
    #expect(try first.values == [2, 101])
    try first.database.replaceContent(migrate2)
    try first.insert(3)
    #expect(try first.database.read { try $0.value("SELECT count(c) FROM t") } == .integer(3))
    #expect(first.database.seq == 5)
    cluster.stop([first])
  }

  private func migrate2(_ copy: String) throws {
    let connection = try Connection(location: .file(copy))
    defer { connection.close() }
    try connection.execute("ALTER TABLE t ADD COLUMN c DEFAULT 1")
  }

  @Test("A file leaves its cluster, and can begin another one")
  func leaving() throws {
    let all = try cluster.three()
    try all[0].insert(1)
    try cluster.settle(all)
    #expect(throws: CopyError.self) {
      try ClusterFile.leave(all[1].path, folder: cluster.folder.file("b"))
    }
    cluster.stop(all)
    let position = try #require(try ClusterFile.position(of: all[1].path))
    struct Failure: Error {}
    #expect(throws: Failure.self) {
      try ClusterFile.leave(all[1].path, folder: cluster.folder.file("b")) { _ in throw Failure() }
    }
    #expect(try ClusterFile.position(of: all[1].path) == position)
    let left = try ClusterFile.leave(all[1].path, folder: cluster.folder.file("b")) { connection in
      try connection.execute("UPDATE t SET a = 2")
    }
    #expect(left == position)
    #expect(try ClusterFile.position(of: all[1].path) == nil)
    #expect(!FileManager.default.fileExists(atPath: cluster.folder.file("b")))
    #expect(throws: ClusterError.self) {
      try ClusterFile.leave(all[1].path, folder: cluster.folder.file("b"))
    }
    let new = try cluster.start("b", .bootstrap)
    try cluster.wait("it leads: \(new.events.text)") { new.node.isPrimary }
    try new.insert(3)
    #expect(try new.values == [2, 3])
    let joined = try cluster.start("d", .join([new.address]))
    try cluster.wait("it joins: \(joined.events.text)") { try joined.values == [2, 3] }
    cluster.stop([new, joined])
    // A node that has lost its folder is no first node.
    try FileManager.default.moveItem(
      atPath: cluster.folder.file("b"), toPath: cluster.folder.file("lost"))
    for _ in 1...2 {
      let error = #expect(throws: ClusterError.self) { try cluster.start("b", .bootstrap) }
      #expect(error.map { "\($0)" }?.contains("is lost: remove the node") == true)
    }
  }
}

@Suite(
  "Fresh reads", .serialized, .timeLimit(.minutes(10)),
  .enabled(if: isLibraryInstalled, "libdqlite0 is not installed"))
struct FreshReadTests {
  private func isFresh(_ member: TestCluster.Member, _ patience: Duration = .seconds(20)) -> Bool {
    let results = Collected<Bool>()
    member.node.whenFresh(within: patience) { results.add($0) }
    return results.wait()?.first ?? false
  }

  @Test("A read on any node sees what was acknowledged before it")
  func replicas() throws {
    let cluster = try TestCluster()
    let all = try cluster.three()
    defer {
      cluster.stop(all)
    }
    for value in 1...60 {
      try all[0].insert(value)
      let reader = all[value % 3]
      try #require(isFresh(reader), "\(reader.events.text)")
      #expect(try reader.values.count == value)
    }
    // Many share a look at the log.
    let results = Collected<Bool>()
    for _ in 0..<500 { all[1].node.whenFresh(within: .seconds(20)) { results.add($0) } }
    try cluster.wait("all are answered") { results.now.count == 500 }
    #expect(results.now.allSatisfy { $0 })
    all[1].node.stop()
    #expect(!isFresh(all[1]))
    #expect(isFresh(all[2]))
  }

  @Test("Where nobody leads, no read is fresh")
  func alone() throws {
    let cluster = try TestCluster()
    let first = try cluster.start("a", .bootstrap)
    try cluster.wait("it leads") { first.node.isPrimary }
    #expect(isFresh(first))
    first.node.stop()
    #expect(!isFresh(first, .milliseconds(50)))
    try DatabaseCopy.make(of: first.path, at: cluster.folder.file("b.db"))
    let other = try cluster.start("b", .join(["127.0.0.1:\(FreePort.find())"]))
    #expect(!isFresh(other, .milliseconds(50)))
    #expect(!isFresh(other, .milliseconds(200)))
    other.node.stop()
  }
}
