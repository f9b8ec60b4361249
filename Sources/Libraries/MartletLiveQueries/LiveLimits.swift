import MartletStore

/// Memory limits for the results of live queries, in bytes of their bodies.
///
/// Each result is held about twice: as the result, and as the event that delivers it.
public struct LiveLimits: Sendable {
  /// The limit for all results together. A result that would exceed it is dropped, and its
  /// subscribers receive ``LiveQueryError/tooLargeTogether``. 256 MiB by default.
  public var bytes = 256 << 20
  /// The limit for the new results of one client (``LiveSource/client``). An existing result may
  /// grow beyond it, because other clients may follow it too. 64 MiB by default.
  public var bytesPerClient = 64 << 20

  /// Limits with the default values.
  public init() {}
}

/// An error of a live query whose read succeeded.
public enum LiveQueryError: Error, Sendable, Equatable {
  /// The current results exceed ``LiveLimits``, in total or for one client.
  case tooLargeTogether
}

/// Accounts for the memory of current results, in total and per client.
struct LiveMemory {
  private let limits: LiveLimits
  private var bytes = 0
  private var clients: [Int: Int] = [:]

  init(_ limits: LiveLimits) { self.limits = limits }

  /// Replaces a result of `old` bytes by one of `new` bytes. Returns false and changes nothing if
  /// that exceeds a limit.
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

/// An event of the live queries, for logs and metrics.
public enum LiveQueryEvent: Sendable {
  /// `queries` queries ran together, because of commits or for the first time, and `changed` of
  /// them gave a different result.
  case refreshed(queries: Int, changed: Int, duration: Duration)
  /// Results were delivered to their subscribers, this long after the first commit that made the
  /// queries run.
  case delivered(after: Duration)
  /// A query failed. Its subscribers receive the error, and the query is tried again.
  case failed(key: String, any Error)
}

extension LiveQueryEvent {
  /// Prints failed queries to standard error, except failures that a limit caused on purpose
  /// (`ReadError`, ``LiveQueryError``).
  @Sendable public static func log(_ event: LiveQueryEvent) {
    guard case .failed(let key, let error) = event, !(error is ReadError),
      !(error is LiveQueryError)
    else { return }
    StandardError.print("the live query \(key) failed: \(error)")
  }
}
