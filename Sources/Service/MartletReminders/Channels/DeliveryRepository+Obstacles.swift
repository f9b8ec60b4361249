import MartletQueryBuilder
import MartletSQLite
import MartletTime

/// The alarm of a delivery, which rings, and what is read of its reminder.
@Selection
struct RingingAlarm: Equatable {
  let firingID: Int
  let listID: Int
  let priority: Reminder.Priority?
  let title: String
}

// What waits for people is checked before it is sent: its alarm may have been answered since.
extension DeliveryRepository {
  /// Why a delivery must not be sent.
  enum Obstacle: Hashable {
    /// It tells people of an alarm that does not ring any more, or that has rung again since.
    case answered
    /// The reminder is in a list that the receiver may not see any more.
    case hidden
    /// The channel has quiet hours until then, and wants it later.
    case quiet(until: Instant)
  }

  /// Why some deliveries must not be sent, by their IDs.
  ///
  /// - Parameter alarms: The alarms that ring, by their firings: those of all deliveries.
  static func obstacles(
    to deliveries: [Delivery], among alarms: [Int: RingingAlarm], _ channel: Channel,
    _ rights: ChannelRights, at now: Instant, in house: ZoneInfo
  ) -> [Int: Obstacle] {
    let hours = channel.quietHours(at: now, in: house)
    var obstacles: [Int: Obstacle] = [:]
    for delivery in deliveries where delivery.isAlarm(forPeopleBy: channel) {
      guard let firing = Outbox.firing(of: delivery.eventID) else { continue }
      if let alarm = alarms[firing] {
        if channel.kind == .push, !rights.lists.contains(alarm.listID) {
          obstacles[delivery.id] = .hidden
        } else if alarm.priority != .high, let hours, hours.mode == .later {
          obstacles[delivery.id] = .quiet(until: hours.end)
        }
      } else {
        obstacles[delivery.id] = .answered
      }
    }
    return obstacles
  }

  /// The alarms of some deliveries that ring, by their firings. An alarm that has rung again since
  /// is not one of them.
  static func ringing(
    in deliveries: [Delivery], _ db: Connection
  ) throws -> [Int: RingingAlarm] {
    let alarms = Firing.where { firing in
      firing.id.in(deliveries.compactMap { Outbox.firing(of: $0.eventID) })
      #sql(
        """
        NOT EXISTS (SELECT 1 FROM firings AS later \
        WHERE later.alarmID = \(firing.alarmID) AND later.id > \(firing.id))
        """, as: Bool.self)
    }
    .join(ReminderAlarm.all) { $1.id == $0.alarmID && $1.state == ReminderAlarm.State.ringing }
    .join(Reminder.all) { $2.id == $0.reminderID }
    .select { firing, _, reminder in
      RingingAlarm.Columns(
        firingID: firing.id, listID: reminder.remindersListID, priority: reminder.priority,
        title: reminder.title)
    }
    return try Dictionary(
      alarms.fetchAll(db).map { ($0.firingID, $0) }, uniquingKeysWith: { $1 })
  }

  /// Ends deliveries that must not be sent, or puts them off. Returns their state if they have
  /// ended; `nil` if they have been put off, or did not wait any more.
  @discardableResult
  static func end(
    _ ids: [Int], because obstacle: Obstacle, at now: Instant, _ db: Connection
  ) throws -> DeliveryState? {
    let waiting = waiting().where { $0.id.in(ids) }
    if case .quiet(let until) = obstacle {
      // It has a day from then on.
      try waiting.update {
        $0.nextAt = until
        $0.expiresAt = until.adding(ChannelEvent.alarmRinging.lifetime)
      }.execute(db)
      return nil
    }
    // A failed attempt may have arrived.
    let tried =
      obstacle == .answered ? try waiting.where { $0.attempts > 0 }.fetchAll(db) : []
    let state = obstacle == .answered ? DeliveryState.answered : .dead
    try waiting.update {
      $0.state = state
      $0.nextAt = nil
      $0.endedAt = now
      if obstacle == .hidden {
        $0.lastError = "the reminder is in a list that the receiver may not see any more"
      }
    }.execute(db)
    guard db.changes > 0 else { return nil }
    for delivery in tried {
      guard let channel = try Channel.find(delivery.channelID).fetchOne(db) else { continue }
      try Outbox.addEnd(after: delivery, to: channel, at: now, db)
    }
    return state
  }
}
