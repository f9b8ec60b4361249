import MartletJSON
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime

/// Finds the channels that are broken, and adds an event that says so to the other ways to the same
/// people.
///
/// A channel is broken if it has failed for a day, if the service has disabled it, if a push
/// service has ended it, or if a device has shown none of its last three alarms for an hour.
enum ChannelHealth {
  /// The time between two checks.
  static let interval = Duration.seconds(3_600)
  /// How long a channel may fail.
  static let patience = Duration.seconds(86_400)
  /// The number of alarms in a row that a device has not shown.
  private static let unseen = 3
  /// How long a device may take to report that it has shown an alarm.
  private static let delay: Int64 = 3_600
  /// The days after the beginning on which people hear of it.
  private static let days = [0, 7]

  /// Updates which channels are broken, and adds the events.
  static func check(at now: Instant, _ db: Connection) throws {
    let channels = try Channel.all.order { $0.id }.fetchAll(db)
    let epoch = try Outbox.epoch(db)
    for channel in channels {
      var broken = channel.brokenAt
      // What is disabled stays as it was then.
      if channel.isEnabled {
        broken = try isBroken(channel, at: now, db) ? broken ?? now : nil
        if broken != channel.brokenAt {
          try Channel.find(channel.id).update { $0.brokenAt = broken }.execute(db)
        }
      }
      guard let broken else { continue }
      let day = Int(now.milliseconds(since: broken) / 86_400_000)
      guard let passed = days.last(where: { $0 <= day }), day < passed + 7 else { continue }
      try tell(channel, since: broken, day: passed, epoch, channels, at: now, db)
    }
  }

  private static func isBroken(_ channel: Channel, at now: Instant, _ db: Connection) throws
    -> Bool
  {
    if let since = channel.failingSince, since <= now.adding(.zero - patience) { return true }
    guard channel.kind == .push else { return false }
    let count = try Delivery.where { delivery in
      delivery.channelID == channel.id && delivery.state == .delivered
      delivery.type == ChannelEvent.alarmRinging.rawValue
      delivery.endedAt <= now.adding(seconds: -delay)
      if let last = channel.seenAt { delivery.endedAt > last }
    }.limit(unseen).select(\.id).fetchAll(db).count
    return count == unseen
  }

  /// Adds the event to the channels that lead to the same people: devices of the same key or of
  /// administrators, and channels that no key has made. The ID of the event names the day, so a
  /// second check adds nothing.
  private static func tell(
    _ broken: Channel, since: Instant, day: Int, _ epoch: String, _ channels: [Channel],
    at now: Instant, _ db: Connection
  ) throws {
    var receivers = try channels.filter { $0.isEnabled && $0.id != broken.id }
      .filter { $0.brokenAt == nil && $0.sends(.channelBroken) }
      .compactMap { try Outbox.Receiver($0, at: now, db) }
    let id = "\(epoch)-broken-\(broken.id)-\(since.milliseconds)-\(day)"
    try Outbox.add(to: &receivers, at: now, db) { receiver in
      receiver.channel.kind != .push || receiver.rights.isAdmin
        || receiver.channel.keyID == broken.keyID
    } _: {
      let body = try Outbox.body(of: .channelBroken, at: now) { data in
        data.member("since", RFC3339.string(since))
        try data.member(broken.kind == .push ? "subscription" : "channel") { buffer in
          let item =
            broken.kind == .push
            ? PushRepository.item(broken.id, in: .all) : ChannelRepository.item(broken.id)
          try Outbox.write(item, into: buffer, db)
        }
      }
      return Outbox.Event(id: id, type: .channelBroken, body: body)
    }
  }
}
