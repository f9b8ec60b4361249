import Foundation
import SQLite
import Store
import Testing

@Suite struct LogKeeperTests {
  /// Loops that keep snapshots let go when asked, and the log stays as short as without them.
  @Test func theLogStartsAnewAlthoughLoopsKeepSnapshots() throws {
    let file = try TemporaryFile()
    var settings = Settings()
    settings.loopReaders = 2
    settings.loopsKeepSnapshots = true
    settings.checkpointFrames = 50
    let checkpoints = Collected<Int>()
    let database = try EmbeddedDatabase(path: file.path, settings: settings) { _ in
    } occurred: {
      if case .checkpoint(let frames, _) = $0 { checkpoints.add(frames) }
    }
    let requests = Collected<Bool>()
    database.onLetGo { requests.add(true) }
    try database.write { try $0.execute("CREATE TABLE t(a)") }
    var longest = 0
    var heard = 0
    for number in 0..<600 {
      try database.write { try $0.run("INSERT INTO t VALUES (?)", .integer(Int64(number))) }
      // The second loop reads seldom: it keeps its snapshot until it is woken.
      let count = try database.withReader(loop: 0) { try $0.value("SELECT count(*) FROM t") }
      #expect(count == .integer(Int64(number + 1)))
      if number % 200 == 0 {
        _ = try database.withReader(loop: 1) { try $0.value("SELECT 1 FROM t") }
      }
      if requests.now.count > heard {
        heard = requests.now.count
        for loop in 0..<2 { database.letGo(loop: loop) }
      }
      let attributes = try FileManager.default.attributesOfItem(atPath: file.path + "-wal")
      longest = max(longest, (attributes[.size] as? Int ?? 0) / 4_120)
    }
    #expect(heard > 3)
    #expect(longest < 150, "\(longest) frames")
    #expect(checkpoints.now.count < 60)
  }
}
