import MartletHTTP
import MartletJSON
import MartletLiveQueries
import MartletStore
import Synchronization

/// Several queries on one event stream, which moves in one step: what one commit changed in any of them
/// comes in one event.
enum LiveBundle {
  static func follow(_ request: Request, _ api: API) -> Outcome {
    do {
      let accept = Accept(request.fields.list("Accept"))
      guard accept.quality(of: .eventStream) > 0 else {
        throw APIProblem(.notAcceptable, "This is there as text/event-stream.")
      }
      let bundle = try BundleRequest(request, api)
      return .laterStream { responder in
        let channel = BundleChannel(bundle, api)
        let waiting = channel.whenReady { firstRuns in
          let positions = zip(bundle.held, firstRuns).map {
            StreamPosition(lastEvent: $0, firstRun: $1)
          }
          responder.stream(
            LiveRoute.stream(request, woken: channel.broadcast) { access in
              BundleFollower(
                channel, positions, wantsDeltas: bundle.wantsDeltas,
                isResuming: bundle.held.contains { $0 != nil }, access, request.id, api)
            })
        }
        responder.onCancel { for place in waiting { place.cancel() } }
      }
    } catch {
      var response = api.answer(to: error, request.id)
      response.fields.append("Vary", AnswerFields.varies)
      return .respond(response)
    }
  }
}

/// The queries of one bundle stream.
final class BundleChannel: Sendable {
  let members: [(name: String, membership: Membership)]
  let broadcast = Broadcast()
  private let registry: BundleRegistry

  init(_ bundle: BundleRequest, _ api: API) {
    members = bundle.members.map { member in
      let membership = api.channels.join(member.source, problem: api.sharedEvent)
      if bundle.wantsDeltas { membership.channel.wantDeltas() }
      return (member.name, membership)
    }
    registry = api.bundles
    for member in members {
      member.membership.channel.observe(self) { [weak self] in
        if let self { registry.touch(self) }
      }
    }
  }

  deinit {
    for member in members { member.membership.channel.stopObserving(self) }
  }

  /// Calls `body` when each query has a state that holds every commit from before, with the numbers of
  /// those states' runs.
  func whenReady(_ body: @escaping @Sendable ([UInt64]) -> Void) -> [LiveChannel.Waiting] {
    let channels = members.map(\.membership.channel)
    let runs = channels.map(\.firstFreshRun)
    let counter = Countdown(channels.count) { body(runs) }
    return zip(channels, runs).map { channel, run in
      channel.whenReady(run: run) { _ in counter.down() }
    }
  }
}

/// Calls a closure when it was counted down to nothing.
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

/// Which bundles have something new: their streams are woken when a turn of the refresher is over, so
/// that all that one commit changed is there.
final class BundleRegistry: Sendable {
  private let touched = Mutex<[ObjectIdentifier: BundleChannel]>([:])

  init(_ live: LiveQueries) {
    live.onTurn { [weak self] in self?.wake() }
  }

  func touch(_ bundle: BundleChannel) {
    touched.withLock { $0[ObjectIdentifier(bundle)] = bundle }
  }

  private func wake() {
    let bundles = touched.withLock { touched in
      defer { touched.removeAll(keepingCapacity: true) }
      return Array(touched.values)
    }
    for bundle in bundles { bundle.broadcast.wake() }
  }
}
