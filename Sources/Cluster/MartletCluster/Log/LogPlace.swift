import MartletStore

/// Where the parts of entries are in the log. An entry has up to 65,536 parts, and it exists when
/// its last part is there.
enum LogPlace {
  /// The most bytes of a part. A part is one write of dqlite, which keeps it in memory several
  /// times.
  static let partSize = 256 << 10
  static let parts: Int64 = 65_536

  static func first(of seq: Int64) -> Int64 { seq * parts }
  static func seq(of place: Int64) -> Int64 { place / parts }
}

/// Puts the parts of entries together, in order.
struct EntryAssembler {
  /// A part as the log has it.
  struct Part {
    let place: Int64
    let isLast: Bool
    let epoch: Int64
    var kind = ReplicatedEntry.Kind.rows
    let bytes: [UInt8]
  }

  /// The next step after a part.
  enum Step: Equatable {
    case complete
    case needsMore
    /// The parts so far were left behind by a primary that has failed. Read from ``next`` again.
    case startAgain
    /// The entries before this one are not in the log any more.
    case gap(found: Int64)
  }

  private var seq: Int64
  private var bytes: [UInt8] = []
  private var count: Int64 = 0
  private var epoch: Int64 = 0
  /// The entries that are complete.
  private(set) var entries: [ReplicatedEntry] = []

  /// Begins with the entry after a number.
  init(after seq: Int64) { self.seq = seq + 1 }

  /// The place of the next part.
  var next: Int64 { LogPlace.first(of: seq) + count }

  /// The place and the epoch of the first part of an entry whose end is not there yet.
  var unfinished: (place: Int64, epoch: Int64)? {
    count > 0 ? (LogPlace.first(of: seq), epoch) : nil
  }

  /// Forgets the parts of an entry whose end is not there yet.
  mutating func startAgain() { (bytes, count) = ([], 0) }

  mutating func add(_ part: Part) -> Step {
    guard part.place == next, count == 0 || part.epoch == epoch else {
      guard count > 0 else { return .gap(found: LogPlace.seq(of: part.place)) }
      (bytes, count) = ([], 0)
      return .startAgain
    }
    epoch = part.epoch
    bytes += part.bytes
    count += 1
    guard part.isLast else { return .needsMore }
    entries.append(ReplicatedEntry(seq: seq, bytes: bytes, kind: part.kind))
    seq += 1
    (bytes, count) = ([], 0)
    return .complete
  }

  /// Removes and returns the complete entries.
  mutating func take() -> [ReplicatedEntry] {
    defer { entries = [] }
    return entries
  }
}
