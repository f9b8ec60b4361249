/// Sockets of closed connections whose responses are still in the kernel's send buffer.
///
/// Each counts as a connection until its client has received the rest. It is reset if the client
/// takes nothing for a timeout, or takes longer than the time for that many bytes. A plain `close`
/// would leave the data to the kernel, where no limit counts it. The closures query and close the
/// sockets.
struct ClosingSockets {
  /// With less than this in the send buffer, the socket is closed at once.
  static let much = 16 << 10
  /// The interval of checks in milliseconds. The kernel does not report acknowledgements.
  static let pause: Int64 = 1_000

  struct Entry {
    let descriptor: Int32
    let peer: Peer
    fileprivate var unsent: Int
    fileprivate var since: Int64
    fileprivate let end: Int64
  }

  private var entries: [Entry] = []
  /// The time of the next check. `nil` if there are no sockets.
  private(set) var due: Int64?

  /// Adds a socket. Its client has to take everything before `end`.
  mutating func add(_ descriptor: Int32, _ peer: Peer, unsent: Int, now: Int64, end: Int64) {
    entries.append(Entry(descriptor: descriptor, peer: peer, unsent: unsent, since: now, end: end))
    if due == nil { due = now + ClosingSockets.pause }
  }

  /// Passes sockets to `end` that are done, or whose client took nothing for `timeout`
  /// milliseconds.
  mutating func scan(
    now: Int64, timeout: Int64, unsent: (Int32) -> Int, end: (Entry, _ isStalled: Bool) -> Void
  ) {
    entries.removeAll { entry in
      let rest = unsent(entry.descriptor)
      let isStalled = rest >= entry.unsent && now - entry.since >= timeout || now >= entry.end
      guard rest == 0 || isStalled else { return false }
      end(entry, isStalled && rest > 0)
      return true
    }
    for place in entries.indices {
      let rest = unsent(entries[place].descriptor)
      guard rest < entries[place].unsent else { continue }
      entries[place].unsent = rest
      entries[place].since = now
    }
    due = entries.isEmpty ? nil : now + ClosingSockets.pause
  }

  /// Closes all sockets when the loop ends. The kernel keeps sending their data.
  mutating func removeAll(_ end: (Entry) -> Void) {
    for entry in entries { end(entry) }
    entries = []
    due = nil
  }
}
