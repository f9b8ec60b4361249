import CMartletMalloc
import Dispatch

/// Gives memory that is free again back to the system.
///
/// glibc keeps what was freed: after the first large allocations it takes all up to 32 MiB from its heap, and one that is
/// still used keeps what lies below it (mallopt(3), `M_MMAP_THRESHOLD`). A lower threshold would have the system map and
/// unmap memory at each commit, for SQLite's statement journals: creates take twice as long. So it is looked for every now
/// and then whether much is free.
///
/// `@unchecked Sendable`: `given` is used on the timer's queue alone.
final class Memory: @unchecked Sendable {
  /// In seconds.
  private static let interval = 3
  /// So much may stay free, in bytes.
  private static let most = 16 << 20

  private let timer: any DispatchSourceTimer
  /// What was free when memory was given back last: that stays free, and costs nothing any more.
  private var given = 0

  init() {
    timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "memory", qos: .utility))
    timer.schedule(
      deadline: .now() + .seconds(Memory.interval), repeating: .seconds(Memory.interval),
      leeway: .seconds(1))
    timer.setEventHandler { [weak self] in self?.look() }
    timer.activate()
  }

  deinit { timer.cancel() }

  private func look() {
    let free = Int(mallinfo2().fordblks)
    guard free > Memory.most, abs(free - given) > 1 << 20 else { return }
    malloc_trim(0)
    given = Int(mallinfo2().fordblks)
  }
}
