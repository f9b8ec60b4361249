import MartletHTTP
import MartletLiveQueries

/// The event streams of a service, by the queries they subscribe to.
final class LiveStreams: Sendable {
  let live: LiveQueries
  let context: Context
  let channels: ChannelRegistry
  let bundles: BundleRegistry

  init(_ live: LiveQueries, _ context: Context) {
    self.live = live
    self.context = context
    channels = ChannelRegistry(live)
    bundles = BundleRegistry(live)
  }

  /// Joins the channel of `source`.
  func join(_ source: LiveSource) -> Membership {
    channels.join(source, problem: context.queryProblem)
  }
}
