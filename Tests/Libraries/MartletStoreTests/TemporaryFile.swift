import Dispatch
import Foundation
import MartletSQLite
import MartletStore
import Synchronization
import TestSupport

/// A path for a database in a folder of its own, which is removed with the object.
final class TemporaryFile: Sendable {
  let folder: String
  let path: String

  init(_ name: String = "test.db") throws {
    folder = NSTemporaryDirectory() + "store-\(UUID().uuidString)"
    path = folder + "/" + name
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  /// The names of the files in the folder, sorted.
  var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }
}

extension EmbeddedDatabase {
  /// Blocks the writer in a write while `body` submits others, so that these become one group.
  func withWriterHeld(_ body: () throws -> Void) throws {
    let entered = DispatchSemaphore(value: 0)
    let leave = DispatchSemaphore(value: 0)
    try submit(write: { _ in
      entered.signal()
      leave.wait()
    }) { if case .failure = $0 { entered.signal() } }
    entered.wait()
    defer { leave.signal() }
    try body()
  }

  /// Runs the writes as one group and returns their results in order.
  func group(
    _ writes: [@Sendable (Connection) throws -> Void]
  ) throws -> [Result<Void, any Error>] {
    let answers = Mutex([Result<Void, any Error>?](repeating: nil, count: writes.count))
    let all = DispatchGroup()
    try withWriterHeld {
      for (index, write) in writes.enumerated() {
        all.enter()
        try submit(write: write) { result in
          answers.withLock { $0[index] = result }
          all.leave()
        }
      }
    }
    // A write that never completes fails its test, but does not end the run.
    guard all.wait(timeout: .now() + Deadline.hang) == .success else {
      let missing = answers.withLock { list in list.indices.filter { list[$0] == nil } }
      throw MissingAnswers(writes: missing)
    }
    return answers.withLock { $0.compactMap { $0 } }
  }
}

/// The positions in the group of writes that did not complete within a minute.
struct MissingAnswers: Error { let writes: [Int] }
