import MartletJSON

/// A sequence of lines.
package protocol TransferLines {
  /// Calls `body` with the next line, without its line break.
  ///
  /// Returns `false` if there is no further line.
  mutating func next(
    _ body: (UnsafeBufferPointer<UInt8>) throws -> Void
  ) throws -> Bool
}

/// The lines of a file in memory.
package struct MemoryLines: TransferLines {
  private let bytes: SharedBytes
  private var start = 0

  /// The lines of these bytes.
  package init(_ bytes: SharedBytes) { self.bytes = bytes }

  package mutating func next(
    _ body: (UnsafeBufferPointer<UInt8>) throws -> Void
  ) throws -> Bool {
    let all = bytes.bytes
    guard start < all.count else { return false }
    let end = all[start...].firstIndex(of: 0x0A) ?? all.count
    defer { start = end + 1 }
    try body(UnsafeBufferPointer(rebasing: all[start..<end]))
    return true
  }
}
