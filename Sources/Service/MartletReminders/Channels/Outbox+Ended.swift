import MartletJSON
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime

// The end of alarms that have rung: channels that ask for it hear when an alarm does not ring any
// more, so that a light goes off.
extension Outbox {
  /// The number of ends that are added in one transaction.
  private static let portionOfEnds = 50

  /// The alarms that have rung during the last day, and do not ring any more, the first ones first.
  static func ended(at now: Instant) -> some Statement<Firing> {
    let begin = now.adding(seconds: -86_400)
    return Firing.where { firing in
      // A partial index is only used for this text.
      #sql("\(firing.endedAt) IS NULL", as: Bool.self)
      firing.firedAt > begin
      #sql(
        """
        NOT EXISTS (SELECT 1 FROM alarms WHERE alarms.id = \(firing.alarmID) \
        AND alarms.state = \(raw: "\(ReminderAlarm.State.ringing.rawValue)"))
        """, as: Bool.self)
    }
    .order { $0.firedAt }.limit(portionOfEnds)
  }

  /// Whether there are ends to be sent.
  static func hasEnds(at now: Instant, _ db: Connection) throws -> Bool {
    try enabled().fetchAll(db).contains { $0.sends(.alarmEnded) }
      && ended(at: now).fetchOne(db) != nil
  }

  /// Adds the next ends to the channels that ask for them. An alarm that has rung several times has
  /// one end, also for a device that shows an earlier message of it. They are marked also if
  /// nothing may be sent to these channels now, because they would be looked for again and again.
  static func addEnds(at now: Instant, _ db: Connection) throws {
    let ended = try ended(at: now).fetchAll(db)
    guard !ended.isEmpty else { return }
    try Firing.where { $0.id.in(ended.map(\.id)) }.update { $0.endedAt = now }.execute(db)
    var receivers = try receivers(of: .alarmEnded, at: now, db)
    guard !receivers.isEmpty else { return }
    let epoch = try epoch(db)
    let alarms = Dictionary(grouping: ended) { $0.alarmID }.values
    let ofEach = alarms.map { $0.sorted { $0.id < $1.id } }.sorted { $0[0].id < $1[0].id }
    for (all, firing) in ofEach.compactMap({ all in all.last.map { (all, $0) } }) {
      // The list of a deleted reminder is not known: only channels of all lists hear of it.
      let list = try Reminder.find(firing.reminderID).select(\.remindersListID).fetchOne(db)
      try add(to: &receivers, at: now, db) { receiver in
        let (channel, lists) = (receiver.channel, receiver.rights.lists)
        if channel.isForPeople {
          return try all.contains { try mayHaveShown($0, channel, epoch, db) }
        }
        // One that was made since has not heard of the alarm.
        return channel.createdAt <= firing.firedAt
          && (list.map { lists.contains($0) } ?? (lists == .all))
      } _: {
        try end(of: firing, inList: list, epoch, at: now, db)
      }
    }
  }

  /// Adds the end of an alarm to a channel for people whose device may show it only now, if the
  /// alarm has ended while it was sent, or between two attempts.
  static func addEnd(
    after delivery: Delivery, to channel: Channel, at now: Instant, _ db: Connection
  ) throws {
    guard channel.isForPeople, delivery.type == ChannelEvent.alarmRinging.rawValue,
      channel.sends(.alarmEnded),
      let firing = try firing(of: delivery.eventID).flatMap({ try Firing.find($0).fetchOne(db) }),
      firing.endedAt != nil, var receiver = try Receiver(channel, at: now, db)
    else { return }
    let list = try Reminder.find(firing.reminderID).select(\.remindersListID).fetchOne(db)
    try add(try end(of: firing, inList: list, epoch(db), at: now, db), to: &receiver, at: now, db)
  }

  /// Whether a person may see an alarm: its message was delivered, or an attempt has failed, which
  /// does not say that it has not arrived.
  private static func mayHaveShown(
    _ firing: Firing, _ channel: Channel, _ epoch: String, _ db: Connection
  ) throws -> Bool {
    let event = event(of: firing, epoch)
    let delivery = try Delivery.where { delivery in
      delivery.channelID == channel.id && delivery.eventID == event
    }.fetchOne(db)
    guard let delivery else { return false }
    return delivery.state == .delivered || delivery.state == .answered && delivery.attempts > 0
  }

  private static func end(
    of firing: Firing, inList list: Int?, _ epoch: String, at now: Instant, _ db: Connection
  ) throws -> Event {
    let body = try body(of: .alarmEnded, at: now) { data in
      data.member("rang", event(of: firing, epoch))
      try data.member("alarm") { buffer in
        if try !db.writeJSONObject(AlarmRepository.item(firing.alarmID, among: .all), into: buffer)
        {
          JSONWriter.object(into: buffer) { object in
            object.member("id", firing.alarmID)
            object.member("reminderID", firing.reminderID)
          }
        }
      }
      if let list { try write(reminder: firing.reminderID, inList: list, into: &data, db) }
    }
    return Event(id: "\(epoch)-ended-\(firing.id)", type: .alarmEnded, body: body)
  }
}
