import TestSupport

@testable import MartletHTTP

extension FuzzTarget {
  /// A chunked body. However the bytes are split, it decodes to the same body and ends at the same
  /// byte. Encoded as a single chunk, it decodes to the same.
  static let chunks = FuzzTarget(name: "chunks") {
    { bytes in
      let whole = try? ChunkedBody.read(bytes) { bytes.count }
      let single = try? ChunkedBody.read(bytes) { 1 }
      var random = SeededRandom(seed: UInt64(bytes.count))
      let cut = try? ChunkedBody.read(bytes) { Int.random(in: 1...9, using: &random) }
      try expect(single == whole, "byte by byte it is \(String(describing: single))")
      try expect(cut == whole, "cut it is \(String(describing: cut))")
      guard let whole, whole.isComplete else { return }
      let size = String(whole.content.count, radix: 16)
      let chunk = whole.content.isEmpty ? [] : Array("\(size)\r\n".utf8) + whole.content + [13, 10]
      let again = chunk + Array("0\r\n\r\n".utf8)
      let reread = try again.withUnsafeBufferPointer { bytes in
        try ChunkedBody.read(bytes) { bytes.count }
      }
      try expect(reread.content == whole.content && reread.isComplete, "as one chunk it is another")
    }
  }
}

private struct ChunkedBody: Equatable {
  var content: [UInt8]
  var used: Int
  var isComplete: Bool

  /// Decodes `bytes` in pieces of the sizes that `size` returns, until the body ends.
  static func read(
    _ bytes: UnsafeBufferPointer<UInt8>, size: () -> Int
  ) throws -> ChunkedBody {
    var limits = Limits()
    limits.chunkExtensions = 16
    limits.trailerSection = 64
    limits.trailerCount = 3
    let storage = RequestStorage()
    storage.isChunked = true
    var decoder = try BodyDecoder(storage, most: 256, limits: limits)
    var start = 0
    var isComplete = false
    while start < bytes.count, !isComplete {
      let count = min(size(), bytes.count - start)
      let (used, ended) = try decoder.decode(bytes[slice: start, start + count])
      try expect(ended || used == count, "\(used) of \(count) bytes were used")
      start += used
      isComplete = ended
    }
    let content = decoder.take()
    // The bytes are valid only as long as their owner.
    return withExtendedLifetime(content) {
      ChunkedBody(content: Array(content.bytes), used: start, isComplete: isComplete)
    }
  }
}
