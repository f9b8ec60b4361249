/// The queued writes: admission, order and timeouts.
///
/// Clients are served round robin, and the writes of one client run in order, even if one of them
/// runs apart. Client 0 stands for all callers that are not distinguished; their writes have no
/// guaranteed order. The type is pure: times are nanoseconds of any steady clock.
struct WriteQueue<Write> {
  struct Entry {
    var write: Write
    var client: Int
    var admitted: UInt64
  }

  struct Limits {
    var waiting: Int
    var group: Int
    /// The queue timeout in nanoseconds.
    var timeout: UInt64
  }

  let limits: Limits
  private var lines = FairQueue<Int, Entry>()
  /// Writes that were taken before and must run again, ahead of all others. The next one is the
  /// last element: a slice that drops its first element would keep that write, and what its
  /// closures hold, until the slice itself is replaced, under the lock of the queue.
  private var again: [Entry] = []
  /// How many writes of `again` have run successfully. They form a group of their own.
  private var proven = 0
  /// Writes that are too long to share a group. One of them runs between two groups.
  private var apart = FairQueue<Int, Entry>()
  private var isApartNext = false

  init(limits: Limits) { self.limits = limits }

  var count: Int { again.count + lines.count + apart.count }
  var isEmpty: Bool { count == 0 }

  /// Appends a write to its client's line. Returns false if the queue is full. `evicted` is the
  /// write of the client with the most writes that was removed to make room.
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

  /// Takes the next group, and removes the writes that have timed out.
  mutating func take(at now: UInt64) -> (expired: [Entry], group: [Entry]) {
    let earliest = earliest(at: now)
    var expired: [Entry] = []
    if again.isEmpty, isApartNext, let entry = takeApart(earliest, &expired) {
      isApartNext = false
      return (expired, [entry])
    }
    var group: [Entry] = []
    let most = proven > 0 ? proven : limits.group
    while group.count < most, let entry = again.popLast() ?? takeFirst() {
      if entry.admitted < earliest { expired.append(entry) } else { group.append(entry) }
    }
    proven = 0
    isApartNext = again.isEmpty
    // All remaining writes wait for a write of their client that runs apart.
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

  /// Writes admitted before this time have timed out.
  private func earliest(at now: UInt64) -> UInt64 { now - min(limits.timeout, now) }

  /// Removes and returns the writes that have timed out.
  mutating func takeExpired(at now: UInt64) -> [Entry] {
    let earliest = earliest(at: now)
    // The writes of one client are in order of admission.
    var expired = lines.takePrefixes { $0.admitted < earliest }
    expired += apart.takePrefixes { $0.admitted < earliest }
    guard again.contains(where: { $0.admitted < earliest }) else { return expired }
    expired += again.reversed().filter { $0.admitted < earliest }
    again.removeAll { $0.admitted < earliest }
    proven = 0
    return expired
  }

  /// The admission time of the oldest write.
  var oldest: UInt64? {
    var oldest: UInt64?
    for entry in again { oldest = min(oldest ?? .max, entry.admitted) }
    for entry in lines.firsts { oldest = min(oldest ?? .max, entry.admitted) }
    for entry in apart.firsts { oldest = min(oldest ?? .max, entry.admitted) }
    return oldest
  }

  /// Puts back writes that were taken and must run again, ahead of all others and regardless of the
  /// limit.
  ///
  /// The first `proven` of them have run successfully and form the next group, so that a failure of
  /// another write cannot affect them. `apart` is the write after these: it is too long to share a
  /// group and will run alone. Later writes of its client run after it, each alone too.
  mutating func putBack(
    _ group: some Collection<Entry>, proven: Int = 0, apart long: Entry? = nil
  ) {
    self.proven = proven
    guard let long else {
      again += group.reversed()
      return
    }
    let others = Array(group.dropFirst(proven)) + again.reversed()
    if long.client == 0 {
      apart.append(long, of: 0)
      again = (Array(group.prefix(proven)) + others).reversed()
    } else {
      // Writes of this client that are already apart were admitted later.
      apart.prepend([long] + others.filter { $0.client == long.client }, of: long.client)
      again = (group.prefix(proven) + others.filter { $0.client != long.client }).reversed()
    }
  }

  /// Removes and returns all writes.
  mutating func takeAll() -> [Entry] {
    var all: [Entry] = again.reversed()
    while let (_, entry) = lines.popFirst() { all.append(entry) }
    while let (_, entry) = apart.popFirst() { all.append(entry) }
    again = []
    proven = 0
    return all
  }
}

extension WriteQueue.Entry: Sendable where Write: Sendable {}
