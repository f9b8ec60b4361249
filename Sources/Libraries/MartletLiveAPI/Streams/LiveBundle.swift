import MartletHTTP
import MartletLiveQueries

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
