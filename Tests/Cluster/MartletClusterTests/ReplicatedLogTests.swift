import Foundation
import Glibc
import MartletStore
import Synchronization
import TestSupport
import Testing

@testable import MartletCluster

/// Forwards connections, and drops what the other side answers on demand.
private final class Proxy: Sendable {
  let address: String
  private let listener: Int32
  /// Shared with the threads that copy.
  private final class Switch: Sendable { let isOn = Atomic(false) }
  private let dropsAnswers = Switch()

  init(to target: String) throws {
    let port = try FreePort.find()
    address = "127.0.0.1:\(port)"
    listener = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var own = try #require(SocketAddress.parse(address))
    let code = withUnsafePointer(to: &own) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(code == 0 && listen(listener, 8) == 0)
    let (socket, drops) = (listener, dropsAnswers)
    Foundation.Thread.detachNewThread {
      while true {
        let client = accept(socket, nil, nil)
        guard client >= 0, var to = SocketAddress.parse(target) else { return }
        let server = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        _ = withUnsafePointer(to: &to) {
          $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
          }
        }
        Self.copy(client, server) { false }
        Self.copy(server, client) { drops.isOn.load(ordering: .relaxed) }
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  func dropAnswers() { dropsAnswers.isOn.store(true, ordering: .relaxed) }

  private static func copy(
    _ from: Int32, _ to: Int32, unless drops: @escaping @Sendable () -> Bool
  ) {
    Foundation.Thread.detachNewThread {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = recv(from, &buffer, buffer.count, 0)
        if count <= 0 || drops() {
          shutdown(from, Int32(SHUT_RDWR))
          shutdown(to, Int32(SHUT_RDWR))
          return
        }
        send(to, buffer, count, Int32(MSG_NOSIGNAL))
      }
    }
  }
}

/// The log over one node of dqlite.
@Suite("The log", .serialized, .enabled(if: isLibraryInstalled, "libdqlite0 is not installed"))
struct ReplicatedLogTests {
  private let folder: TemporaryFolder
  private let address: String

  init() throws {
    _ = TestCluster.removesFolders
    folder = try TemporaryFolder()
    address = "127.0.0.1:\(try FreePort.find())"
    _ = try DqliteNode(
      id: 1, address: address, folder: folder.file("log"), latency: .milliseconds(10))
    for _ in 0..<1_000 {
      let client = try DqliteClient(to: address, timeout: .seconds(2))
      if try client.leader() == address { return }
      usleep(5_000)
    }
    Issue.record("the node does not lead")
  }

  private func primary(at other: String? = nil) throws -> PrimaryLog {
    try PrimaryLog(at: other ?? address, node: 1, cluster: "c")
  }

  private func entries(after seq: Int64 = 0) throws -> [ReplicatedEntry] {
    let tail = try LogTail(at: address, after: seq, timeout: .seconds(2))
    var entries: [ReplicatedEntry] = []
    while true {
      let next = try tail.read()
      if next.isEmpty { return entries }
      entries += next
    }
  }

  private func bytes(_ count: Int) -> [UInt8] {
    var random = SeededRandom(seed: UInt64(count))
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  @Test("Entries of all sizes are read as they were appended") func sizes() throws {
    let log = try primary()
    #expect(log.last == nil && log.epoch == 1 && log.cluster == "c")
    let sizes = [
      0, 1, 700, LogPlace.partSize - 1, LogPlace.partSize, LogPlace.partSize + 1, 10 << 20, 5,
    ]
    for (index, size) in sizes.enumerated() { try log.append(bytes(size), seq: Int64(index + 1)) }
    let found = try entries()
    #expect(found.map(\.seq) == Array(1...Int64(sizes.count)))
    #expect(found.map { $0.bytes == bytes($0.bytes.count) } == sizes.map { _ in true })
    #expect(found.map(\.bytes.count) == sizes)
    #expect(try entries(after: 6).map(\.seq) == [7, 8])
    #expect(log.trimming.bytes == sizes.reduce(0, +))
    #expect(try primary().last == 8)
  }

  @Test("After another one has taken over, a primary appends nothing") func epochs() throws {
    let first = try primary()
    try first.append([1], seq: 1)
    let second = try primary()
    #expect(second.epoch == 2 && second.last == 1)
    #expect(throws: ReplicationError.notPrimary) { try first.append([2], seq: 2) }
    #expect(throws: ClusterError.deposed) { try first.beat() }
    try second.append([3], seq: 2)
    try second.beat()
    // Nor at a place that is taken.
    #expect(throws: ReplicationError.notPrimary) { try second.append([4], seq: 2) }
    #expect(try entries().map(\.bytes) == [[1], [3]])
  }

  @Test("What is left of an entry without its end is deleted") func unfinished() throws {
    let first = try primary()
    try first.append([1], seq: 1)
    let client = try DqliteClient(to: address, timeout: .seconds(2))
    try client.open()
    for part in 0..<3 {
      try client.run(
        "INSERT INTO entries VALUES (?, 1, 1, 0, ?)",
        [.integer(LogPlace.first(of: 2) + Int64(part)), .blob([9])])
    }
    #expect(try entries().map(\.seq) == [1])
    let second = try primary()
    #expect(second.last == 1)
    try second.append(bytes(LogPlace.partSize * 2), seq: 2)
    #expect(try entries().map(\.bytes.count) == [1, LogPlace.partSize * 2])
  }

  @Test("An append whose answer is lost is undecided, and the log has it") func lostAnswer() throws
  {
    let proxy = try Proxy(to: address)
    let log = try primary(at: proxy.address)
    try log.append([1], seq: 1)
    proxy.dropAnswers()
    #expect(throws: ReplicationError.undecided) { try log.append([2], seq: 2) }
    // The connection cannot be used any more.
    #expect(throws: ReplicationError.self) { try log.append([3], seq: 3) }
    #expect(try entries().map(\.bytes) == [[1], [2]])
  }

  @Test("An entry of several parts whose first answer is lost was not appended")
  func lostPart() throws {
    let proxy = try Proxy(to: address)
    let log = try primary(at: proxy.address)
    proxy.dropAnswers()
    #expect(throws: ReplicationError.notPrimary) {
      try log.append(bytes(LogPlace.partSize * 2), seq: 1)
    }
    #expect(try primary().last == nil)
    #expect(try entries().isEmpty)
  }

  @Test("The log keeps 64 MiB, and who needs more is told of a gap") func trimming() throws {
    let log = try primary()
    let part = bytes(1 << 20)
    for seq in 1...Int64(70) { try log.append(part, seq: seq) }
    try log.trim(durable: [3, 3, 0])
    #expect(try entries(after: 3).count == 67)
    #expect(throws: ReplicationError.gap(wanted: 1, found: 4)) { try entries() }
    try log.trim(durable: [70, 70, 70])
    #expect(throws: ReplicationError.gap(wanted: 4, found: 7)) { try entries(after: 3) }
    #expect(try entries(after: 6).count == 64 && log.trimming.bytes == 64 << 20)
    // The next primary counts them when it has to know.
    let next = try primary()
    try next.append([1], seq: 71)
    try next.trim(durable: [70, 70, 70])
    #expect(next.trimming.bytes == 64 << 20 + 1)
  }

  @Test("Only what a majority has answered renews the lease") func lease() throws {
    let appender = LogAppender(latency: .seconds(60), stagingTime: .seconds(1))
    appender.begin(try primary())
    #expect(!appender.holdsLease)
    appender.trim(durable: [0, 0, 0])
    try appender.renew()
    #expect(appender.holdsLease)
    appender.end()
    #expect(!appender.holdsLease)
    appender.begin(try primary())
    appender.trim(durable: [0, 0, 0])
    #expect(!appender.holdsLease)
    try appender.confirm()
    #expect(appender.holdsLease)
    // Another one has taken over. The lease is longer than that here.
    _ = try primary()
    #expect(throws: ReplicationError.notPrimary) {
      try appender.append(ReplicatedEntry(seq: 1, bytes: [1]))
    }
    #expect(!appender.holdsLease && appender.isDeposed)
  }

  @Test("A file is installed when most nodes have it, and offered until then")
  func offers() throws {
    let log = try primary()
    let tail = try LogTail(at: address, after: 0, timeout: .seconds(2))
    #expect(try tail.offer() == nil)
    try log.offer(StagedFile(path: "f", tag: .max, seq: 1))
    let offer = try #require(try tail.offer())
    #expect(offer == (.max, 1))
    // Of one voter, it is the majority.
    #expect(try log.mostHave(.max))
    try log.offer(nil)
    #expect(try tail.offer() == nil)
    try log.offer(StagedFile(path: "f", tag: 5, seq: 1))
    _ = try primary()
    #expect(try tail.offer() == nil)
    #expect(throws: ClusterError.deposed) {
      try log.offer(StagedFile(path: "f", tag: 6, seq: 1))
    }
    let appender = LogAppender(latency: .seconds(1), stagingTime: .seconds(1))
    appender.begin(try primary())
    try appender.install(StagedFile(path: "f", tag: 9, seq: 1))
    let entry = try #require(try entries().first)
    #expect(entry.kind == .file && entry.seq == 1)
    #expect(try RowEntry.tag(of: entry.bytes) == 9)
  }

  @Test("Reports of nodes are the newest ones") func reports() throws {
    _ = try primary()
    let tail = try LogTail(at: address, after: 0, timeout: .seconds(2))
    var report = NodeReport(
      id: .max, address: "a", applied: 3, durable: 2, version: 11_000, clock: 5,
      staged: 7)
    try tail.report(report)
    report.applied = 9
    try tail.report(report)
    let client = try DqliteClient(to: address, timeout: .seconds(2))
    try client.open()
    report.beat = 2
    #expect(try NodeReport.all(client) == [report])
  }
}
