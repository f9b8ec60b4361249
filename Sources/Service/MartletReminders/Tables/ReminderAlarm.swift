import MartletQueryBuilder
import MartletTime

/// An alarm of a reminder.
@Table("alarms")
public struct ReminderAlarm: Equatable, Sendable {
  /// The ID of the alarm.
  public let id: Int
  /// The reminder.
  public var reminderID: Int
  /// When it rings, if that does not depend on the reminder's dates.
  public var at: Instant?
  /// The date that it is counted from.
  public var anchor: Anchor?
  /// How long after it, as the text of a ``CivilDuration``.
  public var offset: String?
  /// The time between repetitions, as the text of a ``CivilDuration``.
  public var repeatEvery: String?
  /// How often it rings again.
  public var repeatTimes = 0
  /// The state of the alarm.
  public var state: State = .armed
  /// When it rings next.
  public var fireAt: Instant?
  /// Whether ``fireAt`` is to be worked out again.
  public var isStale = true
  /// How often it has rung again.
  public var rung = 0
  /// When it rang last.
  public var firedAt: Instant?
  /// Until when it is snoozed, or was if it has rung since.
  public var snoozedUntil: Instant?
  /// When it was acknowledged.
  public var acknowledgedAt: Instant?
  /// The first moment that it was armed for.
  public var armedFor: Instant?

  /// The maximum number of alarms of a reminder.
  public static let most = 20

  /// A date that an alarm is counted from.
  public enum Anchor: Int, QueryBindable, CaseIterable, Sendable {
    /// The due date, or the start date. A date without a time counts as its midnight.
    case due, start

    public static var kind: ColumnKind { .labels(allCases.map(\.label)) }
    /// The name in the API.
    public var label: String {
      switch self {
      case .due: "due"
      case .start: "start"
      }
    }
  }

  /// The state of an alarm.
  public enum State: Int, QueryBindable, CaseIterable, Sendable {
    /// It will ring, unless the date that it is counted from is missing.
    case armed
    /// It has rung, and was not acknowledged.
    case ringing
    /// It will ring again at the time that a client has set.
    case snoozed
    /// A client has acknowledged it, or its reminder is completed.
    case acknowledged
    /// Its time was over before it could ring.
    case passed

    public static var kind: ColumnKind { .labels(allCases.map(\.label)) }
    /// The name in the API.
    public var label: String {
      switch self {
      case .armed: "armed"
      case .ringing: "ringing"
      case .snoozed: "snoozed"
      case .acknowledged: "acknowledged"
      case .passed: "passed"
      }
    }
  }
}

extension ReminderAlarm {
  /// An alarm that is not stored yet.
  init(of reminder: Int, _ trigger: AlarmTrigger) {
    self.init(id: 0, reminderID: reminder)
    set(trigger)
  }

  /// When it rings first; `nil` if another program wrote an invalid offset.
  var moment: AlarmTrigger.Moment? { AlarmTrigger.Moment(at: at, offset: offset, from: anchor) }

  /// How it rings again.
  var repetition: AlarmTrigger.Repetition? {
    repeatEvery.flatMap { AlarmTrigger.Repetition(every: $0, times: repeatTimes) }
  }

  mutating func set(_ trigger: AlarmTrigger) {
    (at, anchor, offset) = (nil, nil, nil)
    switch trigger.moment {
    case .at(let instant): at = instant
    case .offset(let duration, let from): (offset, anchor) = (duration.description, from)
    }
    repeatEvery = trigger.repetition?.every.description
    repeatTimes = trigger.repetition?.times ?? 0
  }

  /// The instant at which it rings first; `nil` if the date that it is counted from is missing.
  ///
  /// - Parameter zone: The zone of a reminder without one.
  func moment(of reminder: Reminder, in zone: ZoneInfo) -> Instant? {
    moment?.instant(
      due: reminder.dueDate, start: reminder.startDate, in: reminder.zone(or: zone))
  }

  /// How late a new moment may be and still rings.
  static let grace: Int64 = 60_000

  /// Works out the state and the next moment of an alarm whose trigger, or whose reminder, has
  /// changed. It rings if its moment is to come, or was less than a minute ago. If the moment is
  /// the one that it was armed for, what has become of the alarm stays.
  mutating func arm(for reminder: Reminder, at now: Instant, in zone: ZoneInfo) {
    isStale = false
    let isCompleted = reminder.status == .completed
    let moment = isCompleted ? nil : moment(of: reminder, in: zone)
    if let moment, moment == armedFor {
      if state == .ringing, rung > repeatTimes { fireAt = nil }
      return
    }
    armedFor = moment
    (fireAt, rung, snoozedUntil, acknowledgedAt) = (nil, 0, nil, nil)
    state = isCompleted ? .acknowledged : .armed
    guard let moment else { return }
    if moment > now.adding(milliseconds: -ReminderAlarm.grace) {
      fireAt = moment
    } else {
      state = .passed
    }
  }

  /// Changes what is stored when the alarm is due, and returns what rings: nothing if it is late by
  /// more than `catchUp`.
  mutating func fire(at now: Instant, catchUp: Duration) -> Firing? {
    guard let due = fireAt, due <= now else { return nil }
    let isLate = now.milliseconds(since: due) > Int64(catchUp.wholeMilliseconds)
    guard state == .ringing || !isLate else {
      (state, fireAt) = (.passed, nil)
      return nil
    }
    let firing = Firing(
      id: 0, alarmID: id, reminderID: reminderID, dueAt: due, rung: rung, firedAt: now)
    fireAt = nil
    // Repetitions that were missed ring once.
    if let every = repetition?.every.milliseconds {
      let missed = now.milliseconds(since: due) / every
      let next = Int64(rung) + missed + 1
      if next <= Int64(repeatTimes) {
        rung = Int(next)
        fireAt = due.adding(milliseconds: (missed + 1) * every)
      }
    }
    guard !isLate else { return nil }
    state = .ringing
    firedAt = now
    return firing
  }
}
