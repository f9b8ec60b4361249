import Glibc
import MartletHTTP
import MartletJSON
import MartletStore
import Synchronization

/// An unnamed temporary file that one thread writes while an event loop sends it. A slow client
/// costs disk space but no memory.
///
/// The read transaction behind the download ends when the file is complete. A longer one would keep
/// SQLite from resetting the WAL
/// (https://www.sqlite.org/wal.html#avoiding_excessively_large_wal_files).
final class Spool: Sendable {
  private struct State {
    var written = 0
    var sent = 0
    var end: BodyProgress?
    var wake: (@Sendable () -> Void)?
    var isStopped = false
  }

  private let descriptor: Int32
  private let place: DownloadSlots.Place
  private let state = Mutex(State())

  /// Creates the file in `folder` and unlinks it at once. Its space is freed when the spool is
  /// released.
  init(in folder: String, place: DownloadSlots.Place) throws {
    self.place = place
    var template = Array("\(folder)/.download-XXXXXX".utf8CString)
    descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw SpoolError(code: errno) }
    unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  deinit { close(descriptor) }

  // MARK: For the writer

  /// Whether the client has disconnected.
  var isStopped: Bool { state.withLock { $0.isStopped } }

  /// The number of free bytes that are left to the database and others on the same disk: a tenth of
  /// it, between these bounds.
  private static let reserve = (least: 64 << 20, most: 1 << 30)

  func write(_ bytes: UnsafeBufferPointer<UInt8>) throws {
    guard place.add(bytes.count) else { throw SpoolError(code: EDQUOT) }
    var disk = statvfs()
    if fstatvfs(descriptor, &disk) == 0 {
      let reserve = min(max(disk.allBytes / 10, Spool.reserve.least), Spool.reserve.most)
      guard disk.freeBytes >= reserve else { throw SpoolError(code: ENOSPC) }
    }
    var done = 0
    let start = state.withLock { $0.written }
    while done < bytes.count {
      let count = pwrite(
        descriptor, bytes.baseAddress! + done, bytes.count - done, off_t(start + done))
      guard count >= 0 || errno == EINTR else { throw SpoolError(code: errno) }
      done += max(count, 0)
    }
    change { $0.written += done }
  }

  /// Marks the file as complete.
  func finish() { change { $0.end = .end } }

  /// Marks the file as incomplete and frees its space, because a part of it is useless.
  func fail() {
    ftruncate(descriptor, 0)
    change { $0.end = .failed }
  }

  private func change(_ body: (inout State) -> Void) {
    let wake = state.withLock { state in
      body(&state)
      return state.wake
    }
    wake?()
  }

  // MARK: For the connection

  /// The reading end, which belongs to the client's response. When it is released, wherever the
  /// response was lost, the file is no longer needed.
  final class Outlet: BodySource {
    private let spool: Spool
    private let isRefused: @Sendable () -> Bool

    /// Creates an outlet. `isRefused` says whether the client may no longer receive the file.
    init(_ spool: Spool, isRefused: @escaping @Sendable () -> Bool = { false }) {
      self.spool = spool
      self.isRefused = isRefused
    }
    deinit { stop() }

    func start(_ wake: @escaping @Sendable () -> Void) {
      spool.state.withLock { $0.wake = wake }
    }

    func read(upTo most: Int, into buffer: ByteBuffer) -> BodyProgress {
      let (sent, written, end) = spool.state.withLock { ($0.sent, $0.written, $0.end) }
      if case .failed = end { return .failed }
      if isRefused() { return .failed }
      var count = 0
      if written > sent {
        count = buffer.append(upTo: min(most, written - sent)) {
          (memory: UnsafeMutableBufferPointer<UInt8>) -> Int in
          max(pread(spool.descriptor, memory.baseAddress, memory.count, off_t(sent)), 0)
        }
        // The bytes were written, so the disk has lost them.
        guard count > 0 else { return .failed }
        spool.state.withLock { $0.sent += count }
      }
      guard sent + count == written else { return .more }
      return end ?? .wait
    }

    func stop() {
      spool.state.withLock { state in
        state.isStopped = true
        state.wake = nil
      }
    }
  }
}

/// The temporary file cannot be created or written.
struct SpoolError: Error, CustomStringConvertible {
  let code: Int32

  var description: String {
    "cannot write the download to a temporary file beside the database: \(String(cString: strerror(code)))"
  }
}
