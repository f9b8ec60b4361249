import CMartletZlib
import MartletJSON
import TestSupport
import Testing

@testable import MartletHTTP

@Suite("Gzip (RFC 1952)")
struct GzipTests {
  @Test("zlib decompresses the output", arguments: [0, 1, 100, 70_000, 3_000_000])
  func roundTrip(_ size: Int) {
    var random = SeededRandom(seed: UInt64(size))
    // Half of the bytes are hard to compress.
    let bytes = (0..<size).map { $0 % 2 == 0 ? 0x61 : UInt8.random(in: 0...255, using: &random) }
    let compressed = Gzip.compress(bytes)
    #expect(compressed.prefix(3) == [0x1F, 0x8B, 8])
    #expect(inflate(compressed, size) == bytes)
    #expect(Gzip.decompress(compressed) == bytes)
  }

  @Test("Only whole streams are decompressed")
  func damaged() {
    let bytes = [UInt8](repeating: 0x61, count: 1000) + Array(0...255)
    let whole = Gzip.compress(bytes)
    #expect(Gzip.decompress(whole) == bytes)
    for count in 0..<whole.count { #expect(Gzip.decompress(Array(whole.prefix(count))) == nil) }
    #expect(Gzip.decompress(whole + [0]) == nil)
    // Only a bit that fills the last byte can change without a notice.
    for index in whole.indices.dropFirst(10) {
      var other = whole
      other[index] ^= 1
      let read = Gzip.decompress(other)
      let isRight = read == nil || read == bytes
      #expect(isRight, "\(index)")
    }
  }

  @Test("A compressor can be used again")
  func reuse() {
    let gzip = Gzip(level: 1)
    for count in 1..<20 {
      let text = [UInt8](repeating: 0x41, count: count * 1000)
      let output = ByteBuffer()
      text.withUnsafeBufferPointer { gzip.compress($0, into: output) }
      #expect(output.count < 200)
      #expect(inflate(Array(output.bytes), text.count) == text)
    }
  }

  @Test("Input in pieces decompresses to the same bytes")
  func pieces() {
    let gzip = Gzip()
    var random = SeededRandom(seed: 1)
    for _ in 0..<50 {
      let output = ByteBuffer()
      var all: [UInt8] = []
      let count = Int.random(in: 1...8, using: &random)
      for number in 1...count {
        let size = [0, 1, 1000, 300_000].randomElement(using: &random)!
        let piece = (0..<size).map {
          $0 % 7 == 0 ? UInt8.random(in: 0...255, using: &random) : 0x61
        }
        all += piece
        piece.withUnsafeBufferPointer { gzip.add($0, isLast: number == count, into: output) }
      }
      #expect(inflate(Array(output.bytes), all.count) == all)
    }
  }

  private func inflate(_ input: [UInt8], _ size: Int) -> [UInt8] {
    var input = input
    var output = [UInt8](repeating: 0, count: size + 1)
    var stream = z_stream()
    inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    defer { inflateEnd(&stream) }
    return input.withUnsafeMutableBufferPointer { source in
      output.withUnsafeMutableBufferPointer { target in
        stream.next_in = source.baseAddress
        stream.avail_in = uInt(source.count)
        stream.next_out = target.baseAddress
        stream.avail_out = uInt(target.count)
        #expect(CMartletZlib.inflate(&stream, Z_FINISH) == Z_STREAM_END)
        return Array(target.prefix(Int(stream.total_out)))
      }
    }
  }
}
