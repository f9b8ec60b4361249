import Foundation
import TestSupport
import Testing

/// Replays every input in the corpus, without libFuzzer.
@Suite struct ReplayTests {
  @Test(arguments: FuzzTarget.all.map(\.name)) func corpus(_ name: String) throws {
    let run = try #require(FuzzTarget.named(name)).begin()
    let folder = Repository.root + "/Fuzz/Corpus/" + name
    let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(!files.isEmpty)
    for file in files {
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: folder + "/" + file)))
      #expect(throws: Never.self, "\(name)/\(file)") {
        // Without spare capacity behind the last byte, as libFuzzer passes them.
        let exact = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        defer { exact.deallocate() }
        _ = exact.initialize(from: bytes)
        try run(UnsafeBufferPointer(exact))
      }
    }
  }

  /// Every folder of the corpus belongs to a target. Otherwise it would not be replayed.
  @Test func eachFolderHasATarget() throws {
    let folders = try FileManager.default.contentsOfDirectory(
      atPath: Repository.root + "/Fuzz/Corpus")
    #expect(folders.sorted() == FuzzTarget.all.map(\.name).sorted())
  }
}
