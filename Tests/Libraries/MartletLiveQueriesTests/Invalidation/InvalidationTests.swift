import MartletJSON
import MartletSQLite
import MartletStore
import Synchronization
import TestSupport
import Testing

@testable import MartletLiveQueries

@Suite("Invalidation of reads by commits during and after them")
struct InvalidationTests {
  private let folder: TemporaryFolder
  private let database: EmbeddedDatabase
  private let invalidation: Invalidation

  init() throws {
    folder = try TemporaryFolder()
    database = try EmbeddedDatabase(
      path: folder.file("db"), prepare: { LiveQueries.prepare($0) })
    try database.write { try $0.execute("CREATE TABLE t(a); CREATE TABLE other(a)") }
    invalidation = database.invalidation
  }

  /// Reads, runs `body`, which may commit, and registers the earlier read.
  private func read(_ body: () throws -> Void = {}) throws -> InvalidationToken {
    let commit = invalidation.commit
    let dependencies = try database.read { db in
      try invalidation.read(db) { _ = try db.value("SELECT count(*) FROM t") }.dependencies
    }
    try body()
    return invalidation.register(dependencies, since: commit)
  }

  private func insert(_ table: String, _ count: Int = 1) throws {
    try database.write { db in
      for _ in 0..<count { try db.run("INSERT INTO \(table) VALUES (1)") }
    }
  }

  @Test("A read is stale at once if a commit of any size has touched it before it is registered")
  func touched() throws {
    #expect(try !read().isStale)
    for count in [1, 99, 100, 5_000, CommitHistory.mostRows + 1] {
      #expect(try read { try insert("t", count) }.isStale, "\(count) rows")
    }
  }

  @Test("Commits to other tables do not invalidate a read; more commits than the history holds do")
  func others() throws {
    let most = CommitHistory.mostCommits
    #expect(try !read { for _ in 0..<most { try insert("other") } }.isStale)
    #expect(try read { for _ in 0...most { try insert("other") } }.isStale)
    // A commit that touches it, followed by more than the history holds.
    #expect(
      try read {
        try insert("t")
        for _ in 0..<most { try insert("other") }
      }.isStale)
    // A single commit with more rows than the history holds.
    #expect(
      try read { for _ in 0..<3 { try insert("other", CommitHistory.mostRows / 2 - 1) } }.isStale)
  }

  @Test("A later commit makes a token stale once, before the write is answered")
  func later() throws {
    let token = try read()
    let calls = Atomic(0)
    token.whenStale { calls.add(1, ordering: .relaxed) }
    try insert("other")
    #expect(!token.isStale && calls.load(ordering: .relaxed) == 0)
    try insert("t")
    #expect(token.isStale && calls.load(ordering: .relaxed) == 1)
    try insert("t")
    #expect(calls.load(ordering: .relaxed) == 1)
    token.whenStale { calls.add(1, ordering: .relaxed) }
    #expect(calls.load(ordering: .relaxed) == 2)
  }

  @Test("Another program's commit makes all tokens stale")
  func everything() throws {
    let token = try read()
    let other = try Connection(location: .file(folder.file("db")))
    try other.execute("INSERT INTO other VALUES (1)")
    try insert("other")
    #expect(token.isStale)
  }

  @Test("Released tokens and stale tokens are removed")
  func forgotten() throws {
    var tokens = try (0..<3).map { _ in try read() }
    #expect(invalidation.count == 3)
    tokens.removeLast()
    #expect(invalidation.count == 2)
    try insert("t")
    #expect(invalidation.count == 0 && tokens.allSatisfy(\.isStale))
  }

  @Test("A watcher receives every commit and the reads that it touches")
  func watched() throws {
    final class Watcher: Sendable { let seen = Mutex<[Set<DependencyIndex.ID>]>([]) }
    let watcher = Watcher()
    invalidation.watch(watcher) { watcher, touched, _ in
      watcher.seen.withLock { $0.append(touched) }
    }
    let commit = invalidation.commit
    try insert("t")
    let reads = Dependencies(tables: ["t": .init()])
    let others = Dependencies(tables: ["other": .init()])
    let missed = invalidation.set([(1, reads, commit), (2, others, commit)], of: watcher)
    #expect(missed.map(\.id) == [1] && missed.map(\.commit) == [commit + 1])
    // Unchanged dependencies: the watcher has already received the later commits.
    #expect(invalidation.set([(1, reads, commit)], of: watcher).isEmpty)
    try insert("t")
    invalidation.remove([1], of: watcher)
    try insert("t")
    try insert("other")
    #expect(watcher.seen.withLock { $0 } == [[], [1], [], [2]])
    invalidation.stopWatching(watcher)
    try insert("other")
    #expect(watcher.seen.withLock(\.count) == 4)
  }
}
