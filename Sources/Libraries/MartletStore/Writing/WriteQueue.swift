/// The queued writes: admission, order and timeouts.
///
/// Clients are served round robin, and the writes of one client run in order, even if one of them
/// runs apart. A client in debt (``WriterDebts``) comes after the others. Client 0 stands for all
/// callers that are not distinguished; their writes have no guaranteed order. The type is pure:
/// times are nanoseconds of any steady clock.
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
    /// How long a write that runs alone may delay the queue, in nanoseconds.
    var others: UInt64 { timeout / 2 }
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
  private(set) var debts: WriterDebts

  init(limits: Limits) {
    self.limits = limits
    debts = WriterDebts(most: limits.others)
  }

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
    if again.isEmpty, isApartNext, let entry = takeApart(earliest, now, &expired) {
      isApartNext = false
      return (expired, [entry])
    }
    var group: [Entry] = []
    let most = proven > 0 ? proven : limits.group
    while group.count < most, let entry = again.popLast() ?? takeFirst(now) {
      if entry.admitted < earliest { expired.append(entry) } else { group.append(entry) }
    }
    proven = 0
    isApartNext = again.isEmpty
    // All remaining writes are of clients in debt, or wait for a write that runs apart.
    if group.isEmpty, again.isEmpty, let entry = takeApart(earliest, now, &expired) {
      group = [entry]
    }
    return (expired, group)
  }

  /// Takes a write that runs alone: one that is too long for a group, or one of a client in debt.
  private mutating func takeApart(
    _ earliest: UInt64, _ now: UInt64, _ expired: inout [Entry]
  ) -> Entry? {
    while let (_, entry) = apart.popFirst() ?? popInDebt(now) {
      guard entry.admitted < earliest else { return entry }
      expired.append(entry)
    }
    return nil
  }

  private mutating func popInDebt(_ now: UInt64) -> (client: Int, element: Entry)? {
    debts.isEmpty ? nil : lines.popFirst { [debts] client, _ in !debts.isInDebt(client, at: now) }
  }

  private mutating func takeFirst(_ now: UInt64) -> Entry? {
    guard !apart.isEmpty || !debts.isEmpty else { return lines.popFirst()?.element }
    return lines.popFirst { [apart, debts] client, _ in
      client != 0 && (apart.count(of: client) > 0 || debts.isInDebt(client, at: now))
    }?.element
  }

  /// Charges a client for a write that ran from `start` to `end` while others waited.
  /// `wasShared` means that its group has writes of other clients, which are not in the queue.
  mutating func charge(_ client: Int, from start: UInt64, to end: UInt64, wasShared: Bool) {
    guard end - start >= WriterDebts.shortWrite else { return }
    let since = wasShared ? start : max(start, oldest(besides: client) ?? end)
    guard since < end else { return }
    debts.charge(client, end - since, at: end)
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
  var oldest: UInt64? { oldest(besides: nil) }

  /// The admission time of the oldest write of any client but one.
  func oldest(besides client: Int?) -> UInt64? {
    var oldest: UInt64?
    func note(_ entry: Entry) {
      if entry.client != client { oldest = min(oldest ?? .max, entry.admitted) }
    }
    again.forEach(note)
    lines.firsts.forEach(note)
    apart.firsts.forEach(note)
    return oldest
  }

  /// Puts back writes that were taken and must run again, ahead of all others and regardless of the
  /// limit.
  ///
  /// The first `proven` of them have run successfully and form the next group, so that a failure of
  /// another write cannot affect them. `apart` is the write after these: it is too long to share a
  /// group and will run alone. Later writes of its client run after it, each alone too. Writes of a
  /// client that is in debt by now return to the client's line.
  mutating func putBack(
    _ group: some Collection<Entry>, proven: Int = 0, apart long: Entry? = nil, at now: UInt64
  ) {
    self.proven = proven
    guard let long else {
      again += group.reversed()
      if !debts.isEmpty { returnLate(at: now) }
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

  /// Returns the writes of clients in debt to their lines, but for the ones that have run.
  private mutating func returnLate(at now: UInt64) {
    let late = again.dropLast(proven).filter { debts.isInDebt($0.client, at: now) }
    guard !late.isEmpty else { return }
    for (client, entries) in Dictionary(grouping: late.reversed(), by: \.client) {
      if apart.count(of: client) > 0 {
        apart.prepend(entries, of: client)
      } else {
        lines.prepend(entries, of: client)
      }
    }
    let clients = Set(late.map(\.client))
    again = again.dropLast(proven).filter { !clients.contains($0.client) } + again.suffix(proven)
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
