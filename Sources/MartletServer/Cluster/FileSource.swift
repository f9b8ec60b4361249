import Glibc
import MartletHTTP
import MartletJSON
import Synchronization

/// A file as the content of a response. It is deleted at once, and its space is free when it was
/// sent.
final class FileSource: BodySource {
  private let file: Int32
  private let place = Atomic<Int>(0)

  /// - Parameter isTemporary: Whether the file is deleted.
  init?(_ path: String, isTemporary: Bool) {
    file = open(path, O_RDONLY | O_CLOEXEC)
    if isTemporary { unlink(path) }
    guard file >= 0 else { return nil }
  }

  deinit { if file >= 0 { close(file) } }

  func start(_ wake: @escaping @Sendable () -> Void) {}
  func stop() {}

  func read(upTo most: Int, into buffer: ByteBuffer) -> BodyProgress {
    var bytes = [UInt8](repeating: 0, count: min(most, 256 << 10))
    let count = pread(file, &bytes, bytes.count, off_t(place.load(ordering: .relaxed)))
    guard count >= 0 else { return .failed }
    guard count > 0 else { return .end }
    buffer.append(Array(bytes[..<count]))
    place.wrappingAdd(count, ordering: .relaxed)
    return .more
  }
}
