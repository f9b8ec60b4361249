import MartletJSON
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime

// Several alarms at once: people get one message about them, which says how many there are.
extension DeliveryRepository {
  /// The number of alarms that are due at once and are sent one by one.
  static let mostSingle = 3
  /// The number of alarms in one message.
  private static let mostMerged = 500
  /// The number of titles in it.
  private static let mostTitles = 5

  /// Replaces the alarms that are due for a channel with one message, unless they are few. Alarms
  /// that must not be sent end, or are put off, as before an attempt.
  ///
  /// - Parameter busy: The deliveries that are being sent.
  static func merge(
    _ id: Int, besides busy: Set<Int>, at now: Instant, in house: ZoneInfo, _ db: Connection
  ) throws {
    guard let channel = try Channel.find(id).fetchOne(db),
      let rights = try ChannelRights(of: channel, at: now, db)
    else { return }
    let due = try waiting().where { delivery in
      delivery.channelID == id && delivery.type == ChannelEvent.alarmRinging.rawValue
      delivery.nextAt <= now
    }
    .order { ($0.nextAt, $0.id) }.limit(mostMerged + busy.count).fetchAll(db)
    .filter { !busy.contains($0.id) }
    let alarms = try ringing(in: due, db)
    let obstacles = obstacles(to: due, among: alarms, channel, rights, at: now, in: house)
    for (obstacle, ended) in Dictionary(grouping: obstacles.keys, by: { obstacles[$0] }) {
      if let obstacle { try end(ended, because: obstacle, at: now, db) }
    }
    var merged: [(delivery: Int, alarm: RingingAlarm)] = []
    for delivery in due where obstacles[delivery.id] == nil {
      if let alarm = Outbox.firing(of: delivery.eventID).flatMap({ alarms[$0] }) {
        merged.append((delivery.id, alarm))
      }
    }
    guard merged.count > mostSingle, let first = merged.first else { return }
    try Delivery.where { $0.id.in(merged.map(\.delivery)) }.update {
      $0.state = .merged
      $0.nextAt = nil
      $0.endedAt = now
    }.execute(db)
    // They have made room.
    guard var receiver = try Outbox.Receiver(channel, at: now, db) else { return }
    let body = try Outbox.body(of: .alarmSummary, at: now) { data in
      data.member("count", merged.count)
      data.member("titles", merged.prefix(mostTitles).map(\.alarm.title))
      let isHigh = merged.contains { $0.alarm.priority == .high }
      data.member("priority", isHigh ? Reminder.Priority.high.label : nil)
    }
    let id = "\(try Outbox.epoch(db))-summary-\(first.delivery)"
    try Outbox.add(
      Outbox.Event(id: id, type: .alarmSummary, body: body), to: &receiver, at: now, db)
  }
}
