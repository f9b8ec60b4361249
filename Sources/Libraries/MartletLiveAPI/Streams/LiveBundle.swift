import MartletHTTP
import MartletLiveQueries
import Synchronization

/// Several queries on one event stream that change in step: everything that one commit changed in
/// any of them comes in one event.
enum LiveBundle {
  static func follow(
    _ bundle: BundleRequest, _ request: Request, _ streams: LiveStreams
  ) -> Outcome {
    .laterStream { responder in
      let channel = BundleChannel(bundle, streams)
      let waiting = channel.whenReady { firstRuns in
        let positions = zip(bundle.known, firstRuns).map { StreamPosition($0, firstRun: $1) }
        responder.stream(
          LiveRoute.stream(request, woken: channel.broadcast) { access, _ in
            BundleSubscriber(
              channel, positions, wantsDeltas: bundle.wantsDeltas,
              isResuming: bundle.isResuming, access, streams)
          })
      }
      responder.onCancel { for place in waiting { place.cancel() } }
    }
  }
}

/// Collects the bundles with new states. Their streams are woken after a batch of refreshes, so
/// that everything that one commit changed is available.
final class BundleRegistry: Sendable {
  private let touched = Mutex<[ObjectIdentifier: Broadcast]>([:])

  init(_ live: LiveQueries) {
    live.onTurn { [weak self] in self?.wake() }
  }

  func touch(_ bundle: Broadcast) {
    touched.withLock { $0[ObjectIdentifier(bundle)] = bundle }
  }

  private func wake() {
    let bundles = touched.withLock { touched in
      defer { touched.removeAll(keepingCapacity: true) }
      return Array(touched.values)
    }
    for bundle in bundles { bundle.wake() }
  }
}
