import CMartletMalloc
import Dispatch

/// Gives memory that is free again back to the system.
///
/// glibc keeps what was freed: after the first large allocations it takes all up to 32 MiB from its heap, and one that is
/// still used keeps what lies below it (mallopt(3), `M_MMAP_THRESHOLD`). A lower threshold would have the system map and
/// unmap memory at each commit, for SQLite's statement journals: creates take twice as long. So it is looked for every now
/// and then whether much is free.
///
/// `@unchecked Sendable`: `freed` is used on the timer's queue alone.
final class Memory: @unchecked Sendable {
  /// In seconds.
  private static let interval = 3
  private let timer: any DispatchSourceTimer
  private var freed = FreedMemory(resident: ProcessMetrics.memory?.resident ?? 0)

  init() {
    timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "memory", qos: .utility))
    timer.schedule(
      deadline: .now() + .seconds(Memory.interval), repeating: .seconds(Memory.interval),
      leeway: .seconds(1))
    timer.setEventHandler { [weak self] in self?.trim() }
    timer.activate()
  }

  deinit { timer.cancel() }

  private func trim() {
    let free = Int(mallinfo2().fordblks)
    guard let resident = ProcessMetrics.memory?.resident,
      freed.isWorthReturning(free: free, resident: resident)
    else { return }
    malloc_trim(0)
    freed = FreedMemory(resident: ProcessMetrics.memory?.resident ?? 0)
  }
}

/// Whether memory that is free again is worth the time of giving it back. All numbers are bytes.
///
/// What was given back still counts as free in the allocator's books, so that these alone do not tell: the process must
/// also be larger than it was.
struct FreedMemory {
  /// So much may stay free.
  static let mostFree = 16 << 20
  /// So much the process must have grown by.
  static let leastGrowth = 8 << 20

  /// The least memory that the process was seen in since memory was given back last.
  private var leastResident: Int

  init(resident: Int) { leastResident = resident }

  mutating func isWorthReturning(free: Int, resident: Int) -> Bool {
    leastResident = min(leastResident, resident)
    return free > Self.mostFree && resident >= leastResident + Self.leastGrowth
  }
}
