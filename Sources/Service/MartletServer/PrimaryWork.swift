import MartletReminders
import MartletStore
import MartletTime
import Synchronization

/// The work of one server for all: it completes reminders after their grace period, deletes what
/// has expired, rings alarms and sends to channels. In a cluster only the primary does it.
final class PrimaryWork: Sendable {
  /// The tasks, which run until they are released.
  struct Tasks: Sendable {
    let grace: FollowUps
    let upkeep: Upkeep
    let alarms: AlarmScheduler
    let changes: ChangeReader
  }

  private struct State {
    var make: (@Sendable () -> Tasks)?
    var deliver: (@Sendable () -> DeliveryScheduler)?
    var isPrimary = false
    var isDelivering = false
    var hasEnded = false
    var tasks: Tasks?
    var scheduler: DeliveryScheduler?
  }

  /// Whether an error says only that another node goes on with the work, or the next start. If the
  /// store has stopped because of an error, that has been reported.
  static func isGivenUp(_ error: any Error) -> Bool {
    guard let error = error as? WriteError else { return false }
    return error == .notPrimary || error == .stopped
  }

  private let state = Mutex(State())

  /// Starts the tasks.
  var make: (@Sendable () -> Tasks)? {
    get { state.withLock { $0.make } }
    set { state.withLock { $0.make = newValue } }
  }

  /// Starts sending to channels.
  var deliver: (@Sendable () -> DeliveryScheduler)? {
    get { state.withLock { $0.deliver } }
    set { state.withLock { $0.deliver = newValue } }
  }

  func set(isPrimary: Bool) {
    change { $0.isPrimary = isPrimary }
  }

  /// Sends to channels from now on, if this is the primary: the port of the server is known.
  func startDeliveries() { change { $0.isDelivering = true } }

  func end() { change { $0.hasEnded = true } }

  private func change(_ body: (inout State) -> Void) {
    // Released outside the lock.
    _ = state.withLock { state -> (Tasks?, DeliveryScheduler?) in
      body(&state)
      let runs = state.isPrimary && !state.hasEnded
      var old: (Tasks?, DeliveryScheduler?) = (nil, nil)
      if runs {
        if state.tasks == nil { state.tasks = state.make?() }
        if state.isDelivering, state.scheduler == nil { state.scheduler = state.deliver?() }
      } else {
        old = (state.hasEnded ? nil : state.tasks, state.scheduler)
        if !state.hasEnded { state.tasks = nil }
        state.scheduler = nil
      }
      return old
    }
  }

  private var figures: (DeliveryFigures, broken: Int) {
    let scheduler = state.withLock { $0.scheduler }
    return (scheduler?.figures ?? DeliveryFigures(), scheduler?.broken ?? 0)
  }

  func gauges(at now: Instant) -> [Metrics.Gauge] {
    let (figures, broken) = figures
    let silence = figures.cannotSendSince.map { now.milliseconds(since: $0) / 1_000 } ?? 0
    return [
      (
        "martlet_deliveries_waiting", "Deliveries to channels that were not successful yet.",
        figures.waiting
      ),
      (
        "martlet_deliveries_dead", "Deliveries to channels that were given up.", figures.dead
      ),
      (
        "martlet_channels_broken",
        "Channels and devices that do not work, so that people should know it.", broken
      ),
      (
        "martlet_alarms_unheard",
        "Alarms that have rung for ten minutes, and whose message no channel has delivered.",
        figures.unheard
      ),
      (
        "martlet_cannot_send_seconds",
        "How long the server itself has not been able to send to channels; 0 if it can.",
        Int(max(silence, 0))
      ),
      (
        "martlet_last_delivery_timestamp_seconds",
        "When a message was last delivered to a channel, in Unix time; 0 if none was.",
        Int((figures.lastDelivery?.milliseconds ?? 0) / 1_000)
      ),
      (
        "martlet_push_seen_timestamp_seconds",
        "When a device has last shown a message, in Unix time; 0 if none has.",
        Int((figures.lastSeen?.milliseconds ?? 0) / 1_000)
      ),
    ]
  }

  func labeledGauges(at now: Instant) -> [Metrics.LabeledGauge] {
    let values = figures.0.failing.map { channel in
      (
        labels: "channel=\"\(channel.channel)\",kind=\"\(channel.kind.label)\"",
        value: Int(max(now.milliseconds(since: channel.since) / 1_000, 0))
      )
    }
    return [
      (
        "martlet_channel_failing_seconds",
        "How long each channel or device has failed; without a line for one that works.", values
      )
    ]
  }
}
