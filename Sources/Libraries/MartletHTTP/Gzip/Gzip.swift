import CMartletZlib
import Glibc
import MartletJSON

/// Compression in the gzip format (RFC 1952) with zlib.
///
/// A compressor keeps 256 KiB of state between uses. Make one per event loop or worker.
public final class Gzip {
  private let stream: UnsafeMutablePointer<z_stream>

  /// Makes a compressor with a level from 1 (fast) to 9 (small). Stops the program if there is no
  /// memory for its state.
  public init(level: Int = 5) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    // 15 bits of window, plus 16 to write gzip's header instead of zlib's.
    let result = deflateInit2_(
      stream, Int32(min(max(level, 1), 9)), Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY,
      ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    precondition(result == Z_OK, "zlib is out of memory")
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  /// Appends the compressed form of `bytes` to `output`.
  package func compress(_ bytes: UnsafeBufferPointer<UInt8>, into output: ByteBuffer) {
    add(bytes, isLast: true, into: output)
  }

  /// Compresses the next piece and appends the output that is ready. With the last piece it appends
  /// the rest, and the next call starts a new stream.
  package func add(
    _ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool, into output: ByteBuffer
  ) {
    var input = UnsafeMutablePointer(mutating: bytes.baseAddress)
    var rest = bytes.count
    repeat {
      // zlib counts in 32 bits.
      let part = min(rest, 1 << 30)
      stream.pointee.next_in = input
      stream.pointee.avail_in = uInt(part)
      rest -= part
      input = input.map { $0 + part }
      deflate(endsHere: isLast && rest == 0, into: output)
    } while rest > 0
    if isLast { deflateReset(stream) }
  }

  /// Calls zlib until it has consumed its input and, at the end, written all output. It is done
  /// when it leaves room in the output.
  private func deflate(endsHere: Bool, into output: ByteBuffer) {
    var isFull = true
    while isFull {
      let room = max(Int(deflateBound(stream, uLong(stream.pointee.avail_in))), 256)
      _ = output.append(upTo: min(room, 1 << 30)) {
        (memory: UnsafeMutableBufferPointer<UInt8>) -> Int in
        stream.pointee.next_out = memory.baseAddress
        stream.pointee.avail_out = uInt(memory.count)
        let result = CMartletZlib.deflate(stream, endsHere ? Z_FINISH : Z_NO_FLUSH)
        isFull = endsHere ? result != Z_STREAM_END : stream.pointee.avail_out == 0
        return memory.count - Int(stream.pointee.avail_out)
      }
    }
  }

  /// Returns the compressed form of `bytes`, using a new compressor.
  package static func compress(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    Gzip().compressed(bytes)
  }

  /// Returns the compressed form of `bytes`.
  package func compressed(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    let output = ByteBuffer(capacity: max(bytes.count / 3, 64))
    compress(bytes, into: output)
    return Array(output.bytes)
  }

  /// Returns the compressed form of `bytes`, using a new compressor.
  public static func compress(_ bytes: [UInt8]) -> [UInt8] {
    bytes.withUnsafeBufferPointer { compress($0) }
  }

  /// Returns what was compressed, or `nil` if `bytes` are not one whole stream. The size is read
  /// from the end of the stream, so this is for streams of the program's own.
  package static func decompress(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count >= 18 else { return nil }
    let size = bytes.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    var stream = z_stream()
    guard
      inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { return nil }
    defer { inflateEnd(&stream) }
    var isWhole = false
    let output = [UInt8](unsafeUninitializedCapacity: size) { memory, count in
      var input = bytes
      isWhole = input.withUnsafeMutableBufferPointer {
        stream.next_in = $0.baseAddress
        stream.avail_in = uInt($0.count)
        stream.next_out = memory.baseAddress
        stream.avail_out = uInt(memory.count)
        return inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_in == 0
      }
      count = isWhole ? size : 0
    }
    return isWhole ? output : nil
  }
}
