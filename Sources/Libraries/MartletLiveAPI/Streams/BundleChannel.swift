import MartletHTTP
import MartletLiveQueries
import Synchronization

/// The queries of one stream of several queries (a bundle).
final class BundleChannel: Sendable {
  let members: [(name: String, membership: Membership)]
  let broadcast = Broadcast()
  private let registry: BundleRegistry

  init(_ bundle: BundleRequest, _ streams: LiveStreams) {
    members = bundle.members.map { member in
      let membership = streams.join(member.source)
      if bundle.wantsDeltas { membership.channel.wantDeltas() }
      return (member.name, membership)
    }
    registry = streams.bundles
    for member in members {
      member.membership.channel.observe(self) { [weak self] in
        if let self { registry.touch(broadcast) }
      }
    }
  }

  deinit {
    for member in members { member.membership.channel.stopObserving(self) }
  }

  /// Calls `body` when every query has a state that includes all commits made before this call. It
  /// receives the run number of each of these states.
  func whenReady(_ body: @escaping @Sendable ([UInt64]) -> Void) -> [LiveChannel.Waiting] {
    let channels = members.map(\.membership.channel)
    let runs = channels.map(\.firstFreshRun)
    let counter = Countdown(channels.count) { body(runs) }
    return zip(channels, runs).map { channel, run in
      channel.whenReady(run: run) { _ in counter.down() }
    }
  }
}

/// Calls a closure when its count reaches zero.
private final class Countdown: Sendable {
  private let rest: Atomic<Int>
  private let body: @Sendable () -> Void

  init(_ count: Int, _ body: @escaping @Sendable () -> Void) {
    rest = Atomic(count)
    self.body = body
  }

  func down() {
    if rest.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { body() }
  }
}
