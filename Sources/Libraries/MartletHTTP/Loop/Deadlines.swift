/// The deadlines of slots: a heap whose entries can be early.
///
/// Almost every request moves a deadline later. Then only a number is stored, and the entry is
/// checked when its old time is reached, so the usual case costs nothing. Times are integers of any
/// clock.
struct Deadlines {
  private struct Entry {
    var time: Int64
    var slot: Int
  }

  static let never = Int64.max

  private var heap: [Entry] = []
  /// The deadline of each slot.
  private var due: [Int64] = []
  /// The time of each slot's earliest valid entry in the heap.
  private var queued: [Int64] = []

  /// Replaces the slot's deadline. ``never`` clears it.
  mutating func set(_ slot: Int, _ time: Int64) {
    while due.count <= slot {
      due.append(Deadlines.never)
      queued.append(Deadlines.never)
    }
    due[slot] = time
    if time < queued[slot] {
      queued[slot] = time
      push(Entry(time: time, slot: slot))
    }
  }

  /// A time before which no deadline is due. `nil` if the heap is empty.
  var earliest: Int64? { heap.first?.time }

  /// Returns a slot whose deadline is at or before `now`, and clears the deadline.
  mutating func popExpired(_ now: Int64) -> Int? {
    while let entry = heap.first, entry.time <= now {
      pop()
      // The entry was replaced by an earlier one.
      guard queued[entry.slot] == entry.time else { continue }
      queued[entry.slot] = Deadlines.never
      let time = due[entry.slot]
      if time <= now {
        due[entry.slot] = Deadlines.never
        return entry.slot
      }
      if time != Deadlines.never { set(entry.slot, time) }
    }
    return nil
  }

  private mutating func push(_ entry: Entry) {
    heap.append(entry)
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].time < heap[parent].time else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  private mutating func pop() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < heap.count && heap[child].time < heap[least].time {
        least = child
      }
      guard least != parent else { return }
      heap.swapAt(least, parent)
      parent = least
    }
  }
}
