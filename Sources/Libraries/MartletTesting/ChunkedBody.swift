/// Decodes the chunked transfer coding (RFC 9112 section 7.1) from bytes in pieces of any size.
struct ChunkedBody {
  private var line: [UInt8] = []
  /// Bytes of the current chunk that have not arrived; `nil` between chunks.
  private var left: Int?
  /// The line break after a chunk has not arrived yet.
  private var isAfterChunk = false
  private(set) var isComplete = false

  /// The content in `bytes`.
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
