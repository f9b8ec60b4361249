/// The writes that wait: who may join, who goes next, who has waited too long. Clients have their turns; those of one
/// client go in their order, also where one of them runs apart. Client 0 stands for those that are not told apart, and whose order is nothing that
/// anybody relies on. Pure; times are nanoseconds of any steady clock.
struct WriteQueue<Write> {
  struct Entry {
    var write: Write
    var client: Int
    var admitted: UInt64
  }

  struct Limits {
    var waiting: Int
    var group: Int
    /// In nanoseconds.
    var patience: UInt64
  }

  let limits: Limits
  private var lines = FairQueue<Int, Entry>()
  /// What was taken and has to run again, before all others.
  private var again: ArraySlice<Entry> = []
  /// How many of them have run, and are a group of their own.
  private var proven = 0
  /// Those that are too long for a group with others. One of them runs between two groups.
  private var apart = FairQueue<Int, Entry>()
  private var isApartNext = false

  init(limits: Limits) { self.limits = limits }

  var count: Int { again.count + lines.count + apart.count }
  var isEmpty: Bool { count == 0 }

  /// Adds a write at the end of its client's line; false when too many wait. `evicted`: one of the client that has
  /// the most, which made room.
  mutating func admit(
    _ write: Write, of client: Int = 0, at now: UInt64
  ) -> (isAdmitted: Bool, evicted: Entry?) {
    var evicted: Entry?
    if count >= limits.waiting {
      evicted = lines.makeRoom(for: client)
      guard evicted != nil else { return (false, nil) }
    }
    lines.append(Entry(write: write, client: client, admitted: now), of: client)
    return (true, evicted)
  }

  /// Takes the next group, and before it those whose patience has ended.
  mutating func take(at now: UInt64) -> (expired: [Entry], group: [Entry]) {
    let earliest = earliest(at: now)
    var expired: [Entry] = []
    if again.isEmpty, isApartNext, let entry = takeApart(earliest, &expired) {
      isApartNext = false
      return (expired, [entry])
    }
    var group: [Entry] = []
    let most = proven > 0 ? proven : limits.group
    while group.count < most, let entry = again.popFirst() ?? takeFirst() {
      if entry.admitted < earliest { expired.append(entry) } else { group.append(entry) }
    }
    proven = 0
    isApartNext = again.isEmpty
    // The others wait for what runs apart of their clients.
    if group.isEmpty, again.isEmpty, let entry = takeApart(earliest, &expired) { group = [entry] }
    return (expired, group)
  }

  private mutating func takeApart(_ earliest: UInt64, _ expired: inout [Entry]) -> Entry? {
    while let (_, entry) = apart.popFirst() {
      guard entry.admitted < earliest else { return entry }
      expired.append(entry)
    }
    return nil
  }

  private mutating func takeFirst() -> Entry? {
    guard !apart.isEmpty else { return lines.popFirst()?.element }
    return lines.popFirst { [apart] client, _ in client != 0 && apart.count(of: client) > 0 }?
      .element
  }

  /// Whose patience has ended was admitted before this.
  private func earliest(at now: UInt64) -> UInt64 { now - min(limits.patience, now) }

  /// Takes those whose patience has ended.
  mutating func takeExpired(at now: UInt64) -> [Entry] {
    let earliest = earliest(at: now)
    // Those of one client were admitted in this order.
    var expired = lines.takePrefixes { $0.admitted < earliest }
    expired += apart.takePrefixes { $0.admitted < earliest }
    guard again.contains(where: { $0.admitted < earliest }) else { return expired }
    expired += again.filter { $0.admitted < earliest }
    again.removeAll { $0.admitted < earliest }
    proven = 0
    return expired
  }

  /// When the write that waits longest was admitted.
  var oldest: UInt64? {
    var oldest: UInt64?
    for entry in again { oldest = min(oldest ?? .max, entry.admitted) }
    for entry in lines.firsts { oldest = min(oldest ?? .max, entry.admitted) }
    for entry in apart.firsts { oldest = min(oldest ?? .max, entry.admitted) }
    return oldest
  }

  /// Puts back what was taken and has to run again, before all others. They were admitted: the
  /// limit does not count. The first `proven` of them have run, and are the next group: what one of the others
  /// does then has no effect on them. `apart`: the one after these, which is too long for a group and will run alone;
  /// what follows it of its client comes after it, alone too.
  mutating func putBack(
    _ group: some Collection<Entry>, proven: Int = 0, apart long: Entry? = nil
  ) {
    self.proven = proven
    guard let long else {
      again = ArraySlice(group) + again
      return
    }
    let others = Array(group.dropFirst(proven)) + again
    if long.client == 0 {
      apart.append(long, of: 0)
      again = ArraySlice(group.prefix(proven)) + others
    } else {
      // What is apart already of its client came after it.
      apart.prepend([long] + others.filter { $0.client == long.client }, of: long.client)
      again = ArraySlice(group.prefix(proven)) + others.filter { $0.client != long.client }
    }
  }

  /// Takes everything.
  mutating func takeAll() -> [Entry] {
    var all = Array(again)
    while let (_, entry) = lines.popFirst() { all.append(entry) }
    while let (_, entry) = apart.popFirst() { all.append(entry) }
    again = []
    proven = 0
    return all
  }
}

extension WriteQueue.Entry: Sendable where Write: Sendable {}
