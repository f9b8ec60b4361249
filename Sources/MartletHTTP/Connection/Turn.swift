/// What a connection may do before others have their turn: so many requests, reads and pieces of
/// content, and so much time.
///
/// Pure: times are nanoseconds of any monotonic clock. The time begins when it is first asked for,
/// behind the first request, so that a client that waits for its answers costs no look at the clock.
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

  /// False where others are to have their turn first.
  mutating func takeRead() -> Bool {
    reads += 1
    return reads <= Turn.reads
  }

  /// The same for a piece of content.
  mutating func takePiece() -> Bool {
    pieces += 1
    return pieces <= Turn.pieces
  }

  /// Whether the requests or the time are used up.
  mutating func isOver(at now: UInt64) -> Bool {
    guard requests < Turn.requests else { return true }
    guard let start else {
      self.start = now
      return false
    }
    return now >= start + Turn.nanoseconds
  }
}
