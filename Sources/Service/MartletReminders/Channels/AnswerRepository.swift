import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime

/// The answer of a reader to a message about an alarm.
public enum AlarmAnswer: String, CaseIterable, Sendable {
  /// Asks whether the alarm still rings.
  case look
  /// Reports that the device has shown the message.
  case seen
  /// Completes the reminder.
  case done
  /// Acknowledges the alarm.
  case stop
  /// Lets it ring again later.
  case snooze

  /// The minutes of a snooze that names none.
  public static let usualMinutes = 10
  /// The allowed minutes of a snooze.
  public static let allowedMinutes = 1...1_440
}

/// Answers alarms by the tokens of their messages. Every function that takes a connection runs in
/// that connection's transaction.
public enum AnswerRepository {
  /// The result of an answer.
  public struct Result: Equatable, Sendable {
    /// The effect of the answer.
    public var did: Effect
    /// Why it has done nothing; `nil` if it has, or if the alarm rings.
    public var because: Reason?
    /// When the alarm rings again.
    public var until: Instant?
    /// The reminder, for a reader who looks; `nil` for other answers, and if it is deleted.
    public var reminder: Known?
  }

  /// The members of a reminder that were in the message, as they are now.
  public struct Known: Equatable, Sendable {
    /// The ID of the reminder.
    public var id: Int
    /// The title.
    public var title: String
    /// The due date.
    public var dueDate: DueDate?
    /// The zone of the due date.
    public var timeZone: String?
  }

  /// The effect of an answer.
  public enum Effect: String, CaseIterable, Sendable {
    case done, stopped, snoozed, seen, nothing
  }

  /// Why there is nothing to answer.
  public enum Reason: String, Sendable {
    /// A client has acknowledged or snoozed the alarm.
    case answered
    /// The reminder has another date, or the alarm another time.
    case moved
    case completed, deleted
  }

  /// Whether a token is valid: that of a delivery of the last day, whose channel permits answers.
  public static func isValid(_ token: AnswerToken, at now: Instant, in db: Connection) throws
    -> Bool
  {
    try delivery(of: token, at: now, db) != nil
  }

  /// Answers the alarm of a token. Returns `nil` if the token is not valid.
  ///
  /// Only the occurrence that the message was about is answered: if another date has come since, or
  /// another client was faster, it does nothing and says why. The same answer again has the same
  /// result.
  ///
  /// - Parameters:
  ///   - minutes: How long a snooze lasts.
  ///   - zone: The zone of a reminder without one.
  public static func answer(
    _ answer: AlarmAnswer, by token: AnswerToken, minutes: Int, at now: Instant, in zone: ZoneInfo,
    _ db: Connection
  ) throws -> Result? {
    guard let (delivery, channel, rights) = try delivery(of: token, at: now, db) else { return nil }
    if answer == .seen {
      try note(seenBy: channel, at: now, db)
      return Result(did: .seen)
    }
    if let given = delivery.answer.flatMap(Given.init), given.answer == answer {
      return result(of: answer, until: given.until)
    }
    let firing = try Outbox.firing(of: delivery.eventID).flatMap {
      try Firing.find($0).fetchOne(db)
    }
    guard let firing else { return Result(did: .nothing, because: .deleted) }
    let reason = try reason(against: firing, db)
    if answer != .look {
      if let reason { return Result(did: .nothing, because: reason) }
      guard try mayAnswer(firing, channel, rights, db) else { return nil }
    }
    var until: Instant?
    switch answer {
    case .look, .seen:
      return Result(did: .nothing, because: reason, reminder: try known(firing, rights, db))
    case .done:
      var values = ReminderRepository.Values()
      values.status = .completed
      try UnreadRule.check(values, of: firing.reminderID, among: .all, in: zone, db)
      try ReminderRepository.update(firing.reminderID, values, at: now, zone: zone, in: db)
    case .stop:
      var values = AlarmRepository.Values()
      values.state = .acknowledged
      try AlarmRepository.update(
        firing.alarmID, values, among: .all, at: now, in: zone, db)
    case .snooze:
      let time = now.adding(seconds: Int64(minutes) * 60)
      var values = AlarmRepository.Values()
      values.snoozedUntil = .some(time)
      try AlarmRepository.update(
        firing.alarmID, values, among: .all, at: now, in: zone, db)
      until = time
    }
    let given = Given(answer: answer, until: until)
    try Delivery.find(delivery.id).update { $0.answer = .some(given.text) }.execute(db)
    return result(of: answer, until: until)
  }

  /// The delivery of a token, its channel, and what the reader may do; `nil` if the token is not
  /// valid. A device whose key only reads may still ask, and report what it has shown.
  private static func delivery(
    of token: AnswerToken, at now: Instant, _ db: Connection
  ) throws -> (Delivery, Channel, ChannelRights)? {
    guard let delivery = try Delivery.find(token.delivery).fetchOne(db),
      let secret = delivery.token, token.matches(secret), now < delivery.expiresAt,
      let channel = try Channel.find(delivery.channelID).fetchOne(db),
      let rights = try ChannelRights(of: channel, at: now, db),
      channel.kind == .push || rights.mayAnswer
    else { return nil }
    return (delivery, channel, rights)
  }

  /// Whether the reader may answer this alarm. The key of a device may have lost the list since.
  private static func mayAnswer(
    _ firing: Firing, _ channel: Channel, _ rights: ChannelRights, _ db: Connection
  ) throws -> Bool {
    guard rights.mayAnswer, channel.kind == .push else { return rights.mayAnswer }
    let list = try Reminder.find(firing.reminderID).select(\.remindersListID).fetchOne(db)
    return list.map { rights.lists.contains($0) } == true
  }

  /// The reminder of an alarm, unless it is in a list that the reader may not see any more.
  private static func known(
    _ firing: Firing, _ rights: ChannelRights, _ db: Connection
  ) throws -> Known? {
    guard let reminder = try Reminder.find(firing.reminderID).fetchOne(db),
      rights.lists.contains(reminder.remindersListID)
    else { return nil }
    return Known(
      id: reminder.id, title: reminder.title, dueDate: reminder.dueDate,
      timeZone: reminder.timeZone)
  }

  /// Stores that a device has shown a message, at most once a second. Other channels have no
  /// device.
  private static func note(
    seenBy channel: Channel, at now: Instant, _ db: Connection
  ) throws {
    guard channel.kind == .push else { return }
    if let last = channel.seenAt, last <= now, now.milliseconds(since: last) < 1_000 { return }
    try Channel.find(channel.id).update {
      $0.seenAt = now
      if channel.failingSince == nil { $0.brokenAt = nil }
    }.execute(db)
  }

  private static func result(of answer: AlarmAnswer, until: Instant?) -> Result {
    switch answer {
    case .look: Result(did: .nothing)
    case .seen: Result(did: .seen)
    case .done: Result(did: .done)
    case .stop: Result(did: .stopped)
    case .snooze: Result(did: .snoozed, until: until)
    }
  }

  /// Why an alarm that has rung cannot be answered; `nil` if it can. If it has rung again without
  /// an answer in between, it can.
  private static func reason(against firing: Firing, _ db: Connection) throws -> Reason? {
    guard let reminder = try Reminder.find(firing.reminderID).fetchOne(db) else { return .deleted }
    let alarm = try ReminderAlarm.find(firing.alarmID).fetchOne(db)
    let hasBegunAgain = try Firing.where {
      $0.alarmID == firing.alarmID && $0.id > firing.id && $0.rung == 0
    }.exists(in: db)
    if alarm?.state == .ringing, !hasBegunAgain { return nil }
    let isCompleted = try Completion.where {
      $0.reminderID == firing.reminderID && $0.completedAt >= firing.firedAt
    }.exists(in: db)
    if reminder.status == .completed || isCompleted { return .completed }
    switch alarm?.state {
    case .acknowledged, .snoozed, .ringing: return .answered
    case .armed, .passed, nil: return .moved
    }
  }

  /// An answer that was given, as it is stored.
  private struct Given {
    let answer: AlarmAnswer
    let until: Instant?

    init(answer: AlarmAnswer, until: Instant?) {
      self.answer = answer
      self.until = until
    }

    init?(_ text: String) {
      let parts = text.split(separator: " ", maxSplits: 1)
      guard let answer = parts.first.flatMap({ AlarmAnswer(rawValue: String($0)) }) else {
        return nil
      }
      self.answer = answer
      until = parts.count == 2 ? SQLiteTime.parse(String(parts[1])) : nil
    }

    var text: String {
      until.map { "\(answer.rawValue) \(SQLiteTime.string($0))" } ?? answer.rawValue
    }
  }
}
