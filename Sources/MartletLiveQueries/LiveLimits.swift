/// What the results of live queries may take of memory, in bytes of their bodies. Each is there about twice: as the result,
/// and as the event that tells it.
public struct LiveLimits: Sendable {
  /// All results together. One that would go beyond is not kept, and its followers are told
  /// ``LiveQueryError/tooLargeTogether``.
  public var bytes = 256 << 20
  /// Those of one client (``LiveSource/client``) that come to those that are there. One that is there may grow: others
  /// may follow it, too.
  public var bytesPerClient = 64 << 20

  public init() {}
}

/// Why a live query has no result although its read succeeded.
public enum LiveQueryError: Error, Sendable, Equatable {
  /// The results that are followed are too large together.
  case tooLargeTogether
}

/// How much the results that are followed take.
struct LiveMemory {
  private let limits: LiveLimits
  private var bytes = 0
  private var clients: [Int: Int] = [:]

  init(_ limits: LiveLimits) { self.limits = limits }

  /// Replaces a result of `old` bytes by one of `new`. False where there is no room, and nothing is replaced.
  mutating func replace(_ old: Int, by new: Int, of client: Int) -> Bool {
    let change = new - old
    let mine = clients[client] ?? 0
    if change > 0 {
      guard bytes + change <= limits.bytes, old > 0 || mine + change <= limits.bytesPerClient else {
        return false
      }
    }
    bytes += change
    add(change, to: client)
    return true
  }

  mutating func move(_ size: Int, from old: Int, to new: Int) {
    add(-size, to: old)
    add(size, to: new)
  }

  private mutating func add(_ change: Int, to client: Int) {
    let size = clients[client, default: 0] + change
    clients[client] = size == 0 ? nil : size
  }
}
