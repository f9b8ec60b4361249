/// The chunked transfer coding (RFC 9112 section 7.1), read as its bytes come.
struct ChunkedBody {
  private var line: [UInt8] = []
  /// Bytes of the current chunk that are still to come; `nil` between chunks.
  private var left: Int?
  /// The CR LF after a chunk's bytes are still to come.
  private var isAfterChunk = false
  private(set) var isComplete = false

  /// What `bytes` hold of the content.
  mutating func receive(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var content: [UInt8] = []
    for byte in bytes where !isComplete {
      if let left {
        content.append(byte)
        self.left = left == 1 ? nil : left - 1
        isAfterChunk = left == 1
      } else if byte == UInt8(ascii: "\n") {
        finishLine()
      } else if byte != UInt8(ascii: "\r") {
        line.append(byte)
      }
    }
    return content
  }

  private mutating func finishLine() {
    defer { line = [] }
    if isAfterChunk {
      isAfterChunk = false
      return
    }
    let size = Int(String(decoding: line, as: UTF8.self), radix: 16) ?? 0
    if size > 0 { left = size } else { isComplete = true }
  }
}
