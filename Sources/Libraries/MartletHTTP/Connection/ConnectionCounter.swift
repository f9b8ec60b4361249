import Synchronization

/// Counts connections and event streams over all loops, in total and per client.
///
/// It is used once per connection and stream, never per request, so a lock is cheap enough.
final class ConnectionCounter: Sendable {
  private struct Counts {
    var connections = 0
    var streams = 0
  }

  private struct State {
    var mostConnections: Int
    var all = Counts()
    var clients: [Peer: Counts] = [:]
  }

  private let limits: Limits
  private let state: Mutex<State>
  /// Whether the limits per address apply to a peer.
  let isCounted: @Sendable (Peer) -> Bool

  init(limits: Limits, isCounted: @escaping @Sendable (Peer) -> Bool = { !$0.isLoopback }) {
    self.limits = limits
    self.isCounted = isCounted
    state = Mutex(State(mostConnections: limits.connections))
  }

  /// The maximum number of connections.
  var mostConnections: Int { state.withLock { $0.mostConnections } }

  /// Lowers the maximum to the available file descriptors.
  func limit(connections: Int) {
    state.withLock { $0.mostConnections = min($0.mostConnections, connections) }
  }

  var connections: Int { state.withLock { $0.all.connections } }
  var streams: Int { state.withLock { $0.all.streams } }

  /// Counts a connection. Returns false if a limit is reached.
  func enter(_ peer: Peer) -> Bool {
    let isCounted = isCounted(peer)
    return state.withLock { state in
      guard state.all.connections < state.mostConnections else { return false }
      if isCounted {
        let mine = state.clients[peer.client, default: Counts()].connections
        guard mine < limits.connectionsPerAddress else { return false }
        state.clients[peer.client, default: Counts()].connections += 1
      }
      state.all.connections += 1
      return true
    }
  }

  func leave(_ peer: Peer) {
    let isCounted = isCounted(peer)
    state.withLock { state in
      state.all.connections -= 1
      guard isCounted, var mine = state.clients[peer.client] else { return }
      mine.connections -= 1
      state.clients[peer.client] = mine.connections == 0 ? nil : mine
    }
  }

  /// Counts an event stream of a counted connection. Returns false if a limit is reached.
  func enterStream(_ peer: Peer) -> Bool {
    let isCounted = isCounted(peer)
    return state.withLock { state in
      guard state.all.streams < limits.streams else { return false }
      if isCounted {
        let mine = state.clients[peer.client, default: Counts()].streams
        guard mine < limits.streamsPerAddress else { return false }
        state.clients[peer.client, default: Counts()].streams += 1
      }
      state.all.streams += 1
      return true
    }
  }

  func leaveStream(_ peer: Peer) {
    let isCounted = isCounted(peer)
    state.withLock { state in
      state.all.streams -= 1
      if isCounted { state.clients[peer.client]?.streams -= 1 }
    }
  }
}
