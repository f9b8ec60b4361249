/// Which entries at the beginning of the log can be deleted.
///
/// The log keeps the last 64 MiB of entries in any case. Of what is older, it deletes what most
/// nodes have on their disks; a node that needs more takes a copy of another node's file.
struct LogTrimming {
  static let kept = 64 << 20
  /// Bytes between two marks.
  static let step = 1 << 20

  /// Entries from this number on have `bytes` more bytes than those from the next mark on.
  private struct Mark {
    let seq: Int64
    var bytes: Int
  }

  private var marks: [Mark] = []
  /// The size of the log.
  private(set) var bytes = 0

  /// Notes an entry that was appended.
  mutating func add(_ seq: Int64, bytes count: Int) {
    bytes += count
    if let last = marks.last, last.bytes < Self.step {
      marks[marks.count - 1].bytes += count
    } else {
      marks.append(Mark(seq: seq, bytes: count))
    }
  }

  /// The first entry to keep; `nil` if nothing can be deleted.
  ///
  /// - Parameter durable: For each voter, the last entry that is on its disk.
  func bound(durable: [Int64]) -> Int64? {
    let majority = durable.count / 2 + 1
    guard durable.count >= majority, majority > 0 else { return nil }
    // At least `majority` of them have this one.
    let common = durable.sorted(by: >)[majority - 1]
    var rest = bytes
    var bound: Int64?
    for (mark, next) in zip(marks, marks.dropFirst()) {
      rest -= mark.bytes
      guard rest >= Self.kept, next.seq <= common + 1 else { break }
      bound = next.seq
    }
    return bound
  }

  /// Notes that the entries before a number were deleted.
  mutating func delete(before bound: Int64) {
    while let first = marks.first, marks.count > 1, marks[1].seq <= bound {
      bytes -= first.bytes
      marks.removeFirst()
    }
  }
}
