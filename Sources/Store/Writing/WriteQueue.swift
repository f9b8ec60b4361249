/// The writes that wait, in order: who may join, who goes next, who has waited too long. Pure;
/// times are nanoseconds of any steady clock.
struct WriteQueue<Write> {
  struct Entry {
    var write: Write
    var admitted: UInt64
    /// Too long for a group with others.
    var runsAlone = false
  }

  struct Limits {
    var waiting: Int
    var group: Int
    /// In nanoseconds.
    var patience: UInt64
  }

  let limits: Limits
  private var entries: [Entry] = []
  /// Entries before this one have been taken.
  private var first = 0

  init(limits: Limits) { self.limits = limits }

  var count: Int { entries.count - first }
  var isEmpty: Bool { first == entries.count }

  /// Adds a write at the end; false when too many wait.
  mutating func admit(_ write: Write, at now: UInt64) -> Bool {
    guard count < limits.waiting else { return false }
    entries.append(Entry(write: write, admitted: now))
    return true
  }

  /// Takes the next group, and before it those whose patience has ended.
  mutating func take(at now: UInt64) -> (expired: [Entry], group: [Entry]) {
    var expired: [Entry] = []
    var group: [Entry] = []
    while first < entries.count, group.count < limits.group {
      let entry = entries[first]
      if hasExpired(entry, at: now) {
        first += 1
        expired.append(entry)
        continue
      }
      if entry.runsAlone, !group.isEmpty { break }
      first += 1
      group.append(entry)
      if entry.runsAlone { break }
    }
    forgetTaken()
    return (expired, group)
  }

  private func hasExpired(_ entry: Entry, at now: UInt64) -> Bool {
    now >= entry.admitted && now - entry.admitted > limits.patience
  }

  /// Takes those whose patience has ended.
  mutating func takeExpired(at now: UInt64) -> [Entry] {
    // They were admitted in this order.
    let expired = entries[first...].prefix { hasExpired($0, at: now) }
    first += expired.count
    defer { forgetTaken() }
    return Array(expired)
  }

  /// When the write that waits longest was admitted.
  var oldest: UInt64? { isEmpty ? nil : entries[first].admitted }

  private mutating func forgetTaken() {
    // Taken entries are let go of at once when the queue is empty, else when they are the most of
    // it.
    if first == entries.count {
      entries.removeAll(keepingCapacity: true)
      first = 0
    } else if first > entries.count / 2 {
      entries.removeFirst(first)
      first = 0
    }
  }

  /// Puts back what was taken and has to run again, before all others. They were admitted: the
  /// limit does not count.
  mutating func putBack(_ group: some Collection<Entry>) {
    entries.replaceSubrange(..<first, with: group)
    first = 0
  }

  /// Takes everything.
  mutating func takeAll() -> [Entry] {
    defer {
      entries = []
      first = 0
    }
    return Array(entries[first...])
  }
}

extension WriteQueue.Entry: Sendable where Write: Sendable {}
