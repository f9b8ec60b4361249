import Foundation
import Testing

@testable import MartletStore

@Suite("Files that are watched") struct FileWatchTests {
  private func create(_ path: String) {
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
  }

  @Test("A log that comes after the database is watched from then on", arguments: ["-wal", "-shm"])
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

  @Test("Where there is no database file, nothing is watched")
  func inMemory() throws {
    let file = try TemporaryFile()
    let watch = FileWatch(file.path)
    create(file.path + "-wal")
    #expect(watch.lostFile() == nil)
    try FileManager.default.removeItem(atPath: file.path + "-wal")
    #expect(watch.lostFile() == nil)
  }
}
