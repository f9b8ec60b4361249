import Foundation
import TestSupport
import Testing

/// Every kept input, without libFuzzer.
@Suite struct ReplayTests {
  @Test(arguments: FuzzTarget.all.map(\.name)) func corpus(_ name: String) throws {
    let run = try #require(FuzzTarget.named(name)).begin()
    let folder = Repository.root + "/Fuzz/Corpus/" + name
    let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(!files.isEmpty)
    for file in files {
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: folder + "/" + file)))
      #expect(throws: Never.self, "\(name)/\(file)") {
        // As libFuzzer has them: not a byte of room behind the last one.
        let exact = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        defer { exact.deallocate() }
        _ = exact.initialize(from: bytes)
        try run(UnsafeBufferPointer(exact))
      }
    }
  }

  /// A folder that no target reads would be a corpus that nobody replays.
  @Test func eachFolderHasATarget() throws {
    let folders = try FileManager.default.contentsOfDirectory(
      atPath: Repository.root + "/Fuzz/Corpus")
    #expect(folders.sorted() == FuzzTarget.all.map(\.name).sorted())
  }
}
