import Foundation
import MartletSQLite
import MartletStore
import TestSupport
import Testing

@testable import MartletCluster

@Suite(
  "Nodes of a cluster", .serialized, .timeLimit(.minutes(10)),
  .enabled(if: isLibraryInstalled, "libdqlite0 is not installed"))
struct ClusterNodeTests {
  private let cluster: TestCluster

  init() throws { cluster = try TestCluster() }

  @Test("Writes are on all nodes, and another node takes over when the primary hands over")
  func transfer() throws {
    let all = try cluster.three()
    defer { cluster.stop(all) }
    for value in 1...20 { try all[0].insert(value) }
    #expect(throws: WriteError.notPrimary) { try all[1].insert(99) }
    try cluster.settle(all)
    #expect(try cluster.values(all) == all.map { _ in Array(1...20) })
    all[0].node.perform(.transfer(to: nil))
    try cluster.wait("another one leads") { all[1...].contains { $0.node.isPrimary } }
    #expect(!all[0].node.isPrimary)
    let next = try #require(all.first { $0.node.isPrimary })
    try next.insert(21)
    #expect(throws: WriteError.notPrimary) { try all[0].insert(98) }
    try cluster.settle(all)
    #expect(try cluster.values(all) == all.map { _ in Array(1...21) })
  }

  @Test("A node that stops finishes its writes, and accepts no more") func stopping() throws {
    let all = try cluster.three()
    defer { cluster.stop(Array(all[1...])) }
    for value in 1...5 { try all[0].insert(value) }
    cluster.stop([all[0]])
    #expect(throws: WriteError.self) { try all[0].insert(9) }
    try cluster.wait("the others have everything") {
      try cluster.values(Array(all[1...])) == [[1, 2, 3, 4, 5], [1, 2, 3, 4, 5]]
    }
  }

  @Test("A node that needs entries that are gone takes a copy, and readers keep theirs")
  func snapshot() throws {
    let first = try cluster.start("a", .bootstrap)
    defer { cluster.stop([first]) }
    try cluster.wait("it leads") { first.node.isPrimary }
    try first.insert(1)
    // The file that a node was started with long ago.
    try DatabaseCopy.make(of: first.path, at: cluster.folder.file("b.db"))
    for value in 2...9 { try first.insert(value) }
    let client = try DqliteClient(to: first.address, timeout: .seconds(2))
    try client.open()
    try client.run("DELETE FROM entries WHERE place < ?", [.integer(LogPlace.first(of: 8))])
    let reader = try Connection(location: .file(cluster.folder.file("b.db")))
    defer { reader.close() }
    try reader.pragma("journal_mode", set: "WAL")
    try reader.execute("BEGIN")
    #expect(try reader.rows("SELECT a FROM t").count == 1)
    let second = try cluster.start("b", .join([first.address]))
    defer { cluster.stop([second]) }
    try cluster.wait("it has everything: \(second.events.text)") { try second.values.count == 9 }
    // It is reported a moment after it is done.
    try cluster.wait("a copy was taken") { second.events.snapshots > 0 }
    #expect(second.events.snapshots == 1)
    #expect(try reader.rows("SELECT a FROM t").count == 1)
    try reader.execute("COMMIT")
    #expect(try reader.rows("SELECT a FROM t").count == 9)
    try first.insert(10)
    try cluster.settle([first, second])
    #expect(try second.values == Array(1...10))
  }

  @Test("A file that another program has written to is replaced, on any node")
  func foreign() throws {
    let all = try cluster.three()
    defer { cluster.stop(all) }
    try all[0].insert(1)
    try cluster.settle(all)
    for member in [all[1], all[0]] {
      let before = member.events.snapshots
      let shell = try Connection(location: .file(member.path))
      shell.setBusyTimeout(.seconds(5))
      try shell.execute("INSERT INTO t (a) VALUES (99)")
      shell.close()
      try cluster.wait("a copy is taken: \(member.events.text)") {
        member.events.snapshots > before
      }
    }
    try cluster.settle(all)
    try #require(all.first { $0.node.isPrimary }).insert(2)
    try cluster.settle(all)
    #expect(try cluster.values(all) == all.map { _ in [1, 2] })
  }

  @Test("A node can be removed, and a new one has its place") func replaced() throws {
    let all = try cluster.three()
    defer { cluster.stop(all) }
    try all[0].insert(1)
    let old = all[2]
    all[0].node.perform(.remove(old.node.id))
    let client = try DqliteClient(to: all[0].address, timeout: .seconds(5))
    try cluster.wait("two are left") { try client.members().count == 2 }
    // The others tell it nothing, and it asks them.
    try cluster.wait("it knows") { old.events.text.contains("removed") }
    let new = try cluster.start("d", .join([all[1].address]))
    defer { cluster.stop([new]) }
    try cluster.wait("it joins: \(new.events.text)") {
      try client.members().count { $0.role == .voter } == 3
    }
    try all[0].insert(2)
    try cluster.settle([all[0], all[1], new])
    #expect(try new.values == [1, 2])
  }

  @Test("What does not fit together is refused, with the way out") func refused() throws {
    let first = try cluster.start("a", .bootstrap)
    try cluster.wait("it leads") { first.node.isPrimary }
    try first.insert(1)
    cluster.stop([first])
    func reason(_ body: () throws -> TestCluster.Member) -> String {
      do {
        cluster.stop([try body()])
        return "none"
      } catch { return "\(error)" }
    }
    #expect(reason { try cluster.start("a", .bootstrap) }.contains("cannot change it to"))
    // A file of no cluster, for a node that joins.
    let single = try Connection(location: .file(cluster.folder.file("d.db")))
    try single.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a)")
    single.close()
    #expect(
      reason { try cluster.start("d", .join([first.address])) }
        .contains("does not belong to a cluster"))
    try FileManager.default.moveItem(
      atPath: cluster.folder.file("a/log"), toPath: cluster.folder.file("a/lost"))
    let lost = reason { try cluster.start("a", .bootstrap, address: first.address) }
    #expect(lost.contains("is lost or damaged: remove node 1"), "\(lost)")
    try Data("{}".utf8).write(to: URL(filePath: cluster.folder.file("a/node.json")))
    #expect(
      reason { try cluster.start("a", .bootstrap, address: first.address) }.contains("is damaged"))
  }

  @Test("No cluster begins at an address that the nodes of another one send to")
  func occupied() throws {
    let all = try cluster.three()
    defer { cluster.stop(Array(all[1...])) }
    func wait(_ address: String) -> String {
      do {
        try QuietAddress.wait(address, for: .seconds(3))
        return "quiet"
      } catch { return "\(error)" }
    }
    #expect(wait(all[0].address).contains("cannot listen at \(all[0].address)"))
    // A member that is not there.
    let client = try DqliteClient(to: all[0].address, timeout: .seconds(5))
    let lost = "127.0.0.1:\(try FreePort.find())"
    try client.add(77, at: lost)
    try client.assign(.standby, to: 77)
    let found = wait(lost)
    #expect(found.contains("nodes of an older cluster send to \(lost)"), "\(found)")
    // Another program knocks.
    let port = try UInt16(FreePort.find())
    let visitor = Task.detached {
      for _ in 0..<20 {
        _ = try? RawClient(port: port).get("/")
        try await Task.sleep(for: .milliseconds(20))
      }
    }
    #expect(wait("127.0.0.1:\(port)") == "quiet")
    visitor.cancel()
  }

  @Test("Old entries of a busy cluster are deleted from the log") func trimmed() throws {
    var settings = Configuration()
    settings.checkpointFrames = 100
    let cluster = try TestCluster(settings: settings)
    let all = try cluster.three()
    defer { cluster.stop(all) }
    for _ in 0..<40 {
      try all[0].database.write { try $0.execute("INSERT INTO t (a) VALUES (zeroblob(2000000))") }
    }
    let client = try DqliteClient(to: all[0].address, timeout: .seconds(5))
    try client.open()
    try cluster.wait("the log is trimmed") {
      let size = try client.rows("SELECT sum(length(body)) FROM entries").first?[0].integer ?? 0
      return size < 68 << 20
    }
    try cluster.settle(all)
    #expect(all.allSatisfy { $0.events.snapshots == 0 })
  }
}
