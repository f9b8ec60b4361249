import Foundation
import Testing

@testable import MartletStore

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
