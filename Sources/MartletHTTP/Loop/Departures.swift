/// Sockets whose connection has ended while the kernel had much of their answers still to send.
///
/// Each counts as a connection until its client has taken the rest, or has taken nothing for a while, or is
/// later than anybody who reads: then it is reset. A plain `close` would leave the rest to the kernel, where no limit counts it. Pure: sockets are
/// asked and closed by the closures.
struct Departures {
  /// Less than this is left to the kernel.
  static let much = 16 << 10
  /// Between two looks, in milliseconds: nothing tells when a peer acknowledges.
  static let pause: Int64 = 1_000

  struct Entry {
    let descriptor: Int32
    let peer: Peer
    fileprivate var unsent: Int
    fileprivate var since: Int64
    fileprivate let end: Int64
  }

  private var entries: [Entry] = []
  /// When to look; `nil` where there are none.
  private(set) var due: Int64?

  /// `end`: until when its client has to have taken everything.
  mutating func add(_ descriptor: Int32, _ peer: Peer, unsent: Int, now: Int64, end: Int64) {
    entries.append(Entry(descriptor: descriptor, peer: peer, unsent: unsent, since: now, end: end))
    if due == nil { due = now + Departures.pause }
  }

  /// Hands those that are done, and those that took nothing for `timeout` milliseconds, to `end`.
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
    due = entries.isEmpty ? nil : now + Departures.pause
  }

  /// The loop ends; the kernel has the rest.
  mutating func removeAll(_ end: (Entry) -> Void) {
    for entry in entries { end(entry) }
    entries = []
    due = nil
  }
}
