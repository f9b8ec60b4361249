import Foundation
import MartletSQLite
import TestSupport
import Testing

@testable import MartletStore

@Suite(.timeLimit(.minutes(10))) struct LogKeeperTests {
  /// Loops that keep snapshots release them on request, and the WAL stays as short as without them.
  @Test func theLogStartsAnewAlthoughLoopsKeepSnapshots() throws {
    let file = try TemporaryFile()
    var settings = Configuration()
    settings.loopReaders = 2
    settings.loopsKeepSnapshots = true
    settings.checkpointFrames = 50
    let checkpoints = Collected<Int>()
    let database = try EmbeddedDatabase(path: file.path, configuration: settings) { _ in
    } onEvent: {
      if case .checkpoint(let frames, _) = $0 { checkpoints.add(frames) }
    }
    let requests = Collected<Bool>()
    database.onSnapshotRelease { requests.add(true) }
    try database.write { try $0.execute("CREATE TABLE t(a)") }
    var longest = 0
    var heard = 0
    for number in 0..<600 {
      try database.write { try $0.run("INSERT INTO t VALUES (?)", .integer(Int64(number))) }
      // The second loop rarely reads, and keeps its snapshot until it is woken.
      let count = try database.withReader(loop: 0) { try $0.value("SELECT count(*) FROM t") }
      #expect(count == .integer(Int64(number + 1)))
      if number % 200 == 0 {
        _ = try database.withReader(loop: 1) { try $0.value("SELECT 1 FROM t") }
      }
      if requests.now.count > heard {
        heard = requests.now.count
        for loop in 0..<2 { database.releaseSnapshot(loop: loop) }
      }
      let attributes = try FileManager.default.attributesOfItem(atPath: file.path + "-wal")
      longest = max(longest, (attributes[.size] as? Int ?? 0) / 4_120)
    }
    #expect(heard > 3)
    #expect(longest < 150, "\(longest) frames")
    #expect(checkpoints.now.count < 60)
  }

  /// A large transaction makes the WAL long; the file is truncated when the WAL restarts.
  @Test func theLogOfALargeTransactionIsCut() throws {
    let file = try TemporaryFile()
    let database = try EmbeddedDatabase(path: file.path)
    func size() throws -> Int {
      try FileManager.default.attributesOfItem(atPath: file.path + "-wal")[.size] as? Int ?? 0
    }
    try database.write { try $0.execute("CREATE TABLE t(a)") }
    try database.write {
      try $0.execute(
        """
        WITH RECURSIVE ids(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM ids WHERE id < 6000)
        INSERT INTO t SELECT zeroblob(4000) FROM ids
        """)
    }
    #expect(try size() > 20 << 20)
    for _ in 0..<3 { try database.write { try $0.execute("INSERT INTO t VALUES (1)") } }
    #expect(try size() <= 16 << 20)
    #expect(try database.read { try $0.value("SELECT count(*) FROM t") } == .integer(6003))
  }

  /// The warning comes once for each time that another program keeps a read transaction open.
  @Test func aReadThatPinsTheLogIsReported() throws {
    let file = try TemporaryFile()
    var settings = Configuration()
    settings.checkpointFrames = 4
    let warnings = Collected<Int>()
    let database = try EmbeddedDatabase(path: file.path, configuration: settings) { _ in
    } onEvent: {
      if case .walPinned(let bytes) = $0 { warnings.add(bytes) }
    }
    try database.write { try $0.execute("CREATE TABLE t(a)") }
    func grow(_ count: Int) throws {
      for _ in 0..<count { try database.write { try $0.execute("INSERT INTO t VALUES (1)") } }
    }
    try grow(200)
    #expect(warnings.now.isEmpty)
    let other = try Connection(location: .file(file.path), options: [.readOnly])
    for episode in 1...2 {
      try other.execute("BEGIN")
      _ = try other.value("SELECT count(*) FROM t")
      try grow(200)
      #expect(warnings.now.count == episode)
      // From 16 times the limit on.
      #expect(warnings.now.allSatisfy { (64 * 4_096...100 * 4_096).contains($0) })
      try other.execute("COMMIT")
      try grow(200)
      #expect(warnings.now.count == episode)
    }
  }
}

@Suite("Watching the database's files") struct FileWatchTests {
  private func create(_ path: String) {
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
  }

  @Test("A WAL created after the database is watched from then on", arguments: ["-wal", "-shm"])
  func late(_ ending: String) throws {
    let file = try TemporaryFile()
    create(file.path)
    let watch = FileWatch(file.path)
    #expect(watch.lostFile() == nil)
    create(file.path + ending)
    #expect(watch.lostFile() == nil)
    try FileManager.default.removeItem(atPath: file.path + ending)
    #expect(watch.lostFile() == file.path + ending)
  }

  @Test("Without a database file, nothing is watched")
  func inMemory() throws {
    let file = try TemporaryFile()
    let watch = FileWatch(file.path)
    create(file.path + "-wal")
    #expect(watch.lostFile() == nil)
    try FileManager.default.removeItem(atPath: file.path + "-wal")
    #expect(watch.lostFile() == nil)
  }
}
