import Dispatch
import Glibc
import MartletSQLite
import Synchronization

/// Readers shared by all threads, opened on demand. A caller blocks until one is free.
final class SharedReaders: Sendable {
  private struct State {
    var free: [Reader] = []
    /// The readers in use, by thread. A read inside a read uses the same connection and snapshot,
    /// and cannot wait for itself.
    var taken: [pthread_t: Reader] = [:]
  }

  private let open: @Sendable () throws -> Reader
  private let places: DispatchSemaphore
  private let state = Mutex(State())

  init(count: Int, open: @escaping @Sendable () throws -> Reader) {
    self.open = open
    places = DispatchSemaphore(value: max(count, 1))
  }

  func read<T>(_ body: (Connection) throws -> T) throws -> T {
    try readLimiting { connection, _ in try body(connection) }
  }

  func readLimiting<T>(_ body: (Connection, ReadLimit) throws -> T) throws -> T {
    let thread = pthread_self()
    if let reader = state.withLock({ $0.taken[thread] }) {
      return try body(reader.connection, reader.limit)
    }
    places.wait()
    defer { places.signal() }
    let reader = try state.withLock { $0.free.popLast() } ?? open()
    state.withLock { $0.taken[thread] = reader }
    defer {
      state.withLock {
        $0.taken[thread] = nil
        $0.free.append(reader)
      }
    }
    return try reader.read { try body($0, reader.limit) }
  }
}
