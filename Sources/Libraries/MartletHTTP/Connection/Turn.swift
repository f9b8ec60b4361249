/// A connection's time slice: how many requests, reads and pieces of content it can process, and
/// for how long, before other connections continue.
///
/// Times are nanoseconds of any monotonic clock. The time starts at the first ``isOver(at:)``,
/// after the first request, so a client that sends one request at a time costs no reading of the
/// clock.
struct Turn {
  static let requests = 32
  static let reads = 16
  static let pieces = 8
  static let nanoseconds: UInt64 = 2_000_000

  private(set) var requests = 0
  private var reads = 0
  private var pieces = 0
  private var start: UInt64?

  mutating func countRequest() { requests += 1 }

  /// Counts a read. Returns false if the time slice is used up.
  mutating func takeRead() -> Bool {
    reads += 1
    return reads <= Turn.reads
  }

  /// Counts a piece of content. Returns false if the time slice is used up.
  mutating func takePiece() -> Bool {
    pieces += 1
    return pieces <= Turn.pieces
  }

  /// Whether the requests or the time of the slice are used up.
  mutating func isOver(at now: UInt64) -> Bool {
    guard requests < Turn.requests else { return true }
    guard let start else {
      self.start = now
      return false
    }
    return now >= start + Turn.nanoseconds
  }
}
