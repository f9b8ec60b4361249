import Glibc
import MartletHTTP
import MartletJSON
import Synchronization

/// A file as the content of a response.
final class FileSource: BodySource {
  private let file: Int32
  private let place = Atomic<Int>(0)

  /// - Parameter isTemporary: Whether the file is deleted at once. Its space is free when it was
  ///   sent.
  init?(_ path: String, isTemporary: Bool) {
    file = open(path, O_RDONLY | O_CLOEXEC)
    if isTemporary { unlink(path) }
    guard file >= 0 else { return nil }
  }

  deinit { if file >= 0 { close(file) } }

  func start(_ wake: @escaping @Sendable () -> Void) {}
  func stop() {}

  func read(upTo most: Int, into buffer: ByteBuffer) -> BodyProgress {
    var hasFailed = false
    let start = off_t(place.load(ordering: .relaxed))
    let count = buffer.append(upTo: min(most, 256 << 10)) {
      (memory: UnsafeMutableBufferPointer<UInt8>) -> Int in
      let count = pread(file, memory.baseAddress, memory.count, start)
      hasFailed = count < 0
      return max(count, 0)
    }
    guard !hasFailed else { return .failed }
    guard count > 0 else { return .end }
    place.wrappingAdd(count, ordering: .relaxed)
    return .more
  }
}
