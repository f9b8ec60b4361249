import Glibc
import MartletJSON

/// The queue of output for a socket: its own bytes, and references to shared bytes.
struct OutputQueue {
  enum Progress {
    /// The queue is empty.
    case flushed
    /// The socket accepts no more for now.
    case blocked
    case failed
  }

  private enum Chunk {
    case own(ByteBuffer)
    /// `claim` is set for bytes that are counted once for many connections.
    case shared(SharedBytes, end: Int, claim: FrameClaim?)
    case sent
  }

  /// The chunks before index `first` have been sent. The output continues at byte `offset` of the
  /// chunk at `first`.
  private var chunks: [Chunk] = []
  private var first = 0
  private var offset = 0
  /// The number of queued bytes.
  private(set) var count = 0
  /// The number of queued bytes that count for this connection; the others are shared.
  private(set) var ownCount = 0

  var isEmpty: Bool { count == 0 }

  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count > 0 else { return }
    count += bytes.count
    ownCount += bytes.count
    if case .own(let buffer) = chunks.last, buffer.count + bytes.count <= 64 << 10 {
      buffer.append(bytes)
    } else {
      let buffer = ByteBuffer(capacity: max(bytes.count, 1024))
      buffer.append(bytes)
      chunks.append(.own(buffer))
    }
  }

  /// Appends shared bytes. With a `claim` they do not count for this connection.
  mutating func append(_ bytes: SharedBytes, _ range: Range<Int>, claim: FrameClaim? = nil) {
    guard !range.isEmpty else { return }
    if range.lowerBound > 0, !(chunks.count == first) {
      // `offset` applies only to the first chunk. Behind other chunks, a range that does not start
      // at 0 is therefore copied, and counts for this connection.
      return append(bytes.bytes[slice: range.lowerBound, range.upperBound])
    }
    if chunks.count == first { offset = range.lowerBound }
    count += range.count
    if claim == nil { ownCount += range.count }
    chunks.append(.shared(bytes, end: range.upperBound, claim: claim))
  }

  mutating func removeAll() { self = OutputQueue() }

  /// Writes as much as the socket accepts.
  mutating func flush(_ descriptor: Int32) -> Progress {
    while count > 0 {
      let written = writeOnce(descriptor)
      if written < 0 {
        switch errno {
        case EINTR: continue
        case EAGAIN: return .blocked
        default: return .failed
        }
      }
      advance(written)
    }
    return .flushed
  }

  private func writeOnce(_ descriptor: Int32) -> Int {
    withUnsafeTemporaryAllocation(of: iovec.self, capacity: 32) { pieces in
      var used = 0
      for place in first..<min(chunks.count, first + pieces.count) {
        let bytes = bytes(of: chunks[place])
        let skipped = place == first ? offset : 0
        pieces[used] = iovec(
          iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress! + skipped),
          iov_len: bytes.count - skipped)
        used += 1
      }
      return writev(descriptor, pieces.baseAddress!, Int32(used))
    }
  }

  private mutating func advance(_ written: Int) {
    count -= written
    var rest = written
    while rest > 0 {
      let left = bytes(of: chunks[first]).count - offset
      if isCounted(chunks[first]) { ownCount -= min(rest, left) }
      guard rest >= left else {
        offset += rest
        return
      }
      rest -= left
      offset = 0
      // Release the chunk and its claim now; sent chunks are removed from the array only later.
      chunks[first] = .sent
      first += 1
    }
    if first == chunks.count {
      chunks.removeAll(keepingCapacity: chunks.capacity <= 8)
      first = 0
    } else if first >= 32 {
      chunks.removeFirst(first)
      first = 0
    }
  }

  private func bytes(of chunk: Chunk) -> UnsafeBufferPointer<UInt8> {
    switch chunk {
    case .own(let buffer): buffer.bytes
    case .shared(let bytes, let end, _): bytes.bytes[slice: 0, end]
    case .sent: UnsafeBufferPointer(start: nil, count: 0)
    }
  }

  private func isCounted(_ chunk: Chunk) -> Bool {
    switch chunk {
    case .own: true
    case .shared(_, _, let claim): claim == nil
    case .sent: false
    }
  }
}
