import Glibc
import MartletHTTP
import MartletJSON
import MartletStore
import Synchronization

/// A file without a name that one thread writes and a loop sends meanwhile: a client that takes its time costs room on
/// the disk. It costs no memory, and the read behind it ends when the file is made: one that went on would keep SQLite
/// from emptying its log (https://www.sqlite.org/wal.html#avoiding_excessively_large_wal_files).
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

  /// Lies on the disk of `folder`, where nobody else finds it; its room is free when it goes.
  init(in folder: String, place: DownloadSlots.Place) throws {
    self.place = place
    var template = Array("\(folder)/.download-XXXXXX".utf8CString)
    descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw SpoolError(code: errno) }
    unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  deinit { close(descriptor) }

  // MARK: For whoever makes it

  /// Whether the client has gone.
  var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Room that is left to the database, which lies on the same disk.
  private static let reserve = 64 << 20

  func write(_ bytes: UnsafeBufferPointer<UInt8>) throws {
    var disk = statvfs()
    if fstatvfs(descriptor, &disk) == 0, disk.freeBytes < Spool.reserve {
      throw SpoolError(code: ENOSPC)
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

  /// All of it is there.
  func finish() { change { $0.end = .end } }

  /// There will be no more, and something is missing: what there is is of no use to anybody.
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

  /// What the client's end has of it. When that goes, wherever the answer was lost, nobody waits for the file.
  final class Outlet: BodySource {
    private let spool: Spool
    private let isRefused: @Sendable () -> Bool

    /// `isRefused`: whether the client may have no more of it.
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
        // They were written: the disk has lost them.
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

/// The file cannot be written.
struct SpoolError: Error, CustomStringConvertible {
  let code: Int32

  var description: String {
    "the file cannot be kept beside the database while it is sent: \(String(cString: strerror(code)))"
  }
}
