import CMartletSystem
import Dispatch

/// Returns freed memory to the system.
///
/// glibc keeps freed memory: after the first large allocations it serves all up to 32 MiB from its
/// heap, and a block in use keeps the free memory below it (mallopt(3), `M_MMAP_THRESHOLD`). With a
/// lower threshold, SQLite's statement journals would map and unmap memory at each commit, and
/// creates would take twice as long. Instead, a timer checks how much memory is free and trims the
/// heap.
///
/// `@unchecked Sendable`: `freed` is accessed only on the timer's queue.
final class Memory: @unchecked Sendable {
  /// The interval between two checks, in seconds.
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

/// Decides whether returning freed memory is worth the time. All numbers are bytes.
///
/// Memory that was returned still counts as free in the allocator's statistics, so these are not
/// enough: the process must also have grown since memory was last returned.
struct FreedMemory {
  /// The amount of free memory that is never returned.
  static let mostFree = 16 << 20
  /// The growth of the process from which memory is returned.
  static let leastGrowth = 8 << 20

  /// The smallest resident size seen since memory was last returned.
  private var leastResident: Int

  init(resident: Int) { leastResident = resident }

  /// Whether to return memory now.
  ///
  /// - Parameters:
  ///   - free: The free memory of the allocator.
  ///   - resident: The resident size of the process.
  mutating func isWorthReturning(free: Int, resident: Int) -> Bool {
    leastResident = min(leastResident, resident)
    return free > Self.mostFree && resident >= leastResident + Self.leastGrowth
  }
}
