import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime

/// The alarms of reminders for which a client names none. They are settings for all clients.
public struct DefaultAlarms: Equatable, Sendable {
  /// The alarm of a reminder that is due at a time, counted from that; `nil`: none.
  public var timed: CivilDuration?
  /// The alarm of one that is due on a day, counted from its midnight; `nil`: none.
  public var day: CivilDuration?
  /// Whether to-dos of calendar programs get them, too.
  public var areForCalendars = true

  /// Values to set. Outer `nil` leaves one unchanged.
  public struct Values: Equatable, Sendable {
    /// The alarm of a reminder that is due at a time.
    public var timed: CivilDuration??
    /// The alarm of one that is due on a day.
    public var day: CivilDuration??
    /// Whether to-dos of calendar programs get them, too.
    public var areForCalendars: Bool?

    /// Values that set nothing.
    public init() {}

    /// Values that set no alarms.
    public static var none: Values {
      var values = Values()
      (values.timed, values.day) = (.some(nil), .some(nil))
      return values
    }
  }

  /// The stored alarms.
  ///
  /// - Parameter fixed: What the operator has set, which the stored values do not change.
  public static func stored(fixed: Values, in db: Connection) throws -> DefaultAlarms {
    let row = try StoredSettings.find(StoredSettings.rowID).fetchOne(db)
    // Another program may have written an invalid text: no alarm.
    var alarms = DefaultAlarms()
    alarms.timed = row?.defaultAlarm.flatMap(AlarmTrigger.offset)
    alarms.day = row?.defaultDayAlarm.flatMap(AlarmTrigger.offset)
    alarms.areForCalendars = row?.defaultForCalendars ?? true
    alarms.set(fixed)
    return alarms
  }

  private mutating func set(_ values: Values) {
    if let timed = values.timed { self.timed = timed }
    if let day = values.day { self.day = day }
    areForCalendars = values.areForCalendars ?? areForCalendars
  }

  /// The alarms of to-dos that calendar programs write; `nil` if these get none.
  package static func forCalendars(
    fixed: Values, in db: Connection
  ) throws -> DefaultAlarms? {
    let alarms = try stored(fixed: fixed, in: db)
    return alarms.areForCalendars ? alarms : nil
  }

  /// Stores the values that differ from the stored ones.
  public static func store(_ values: Values, in db: Connection) throws {
    let old = try stored(fixed: Values(), in: db)
    var new = old
    new.set(values)
    guard new != old else { return }
    try StoredSettings.change(in: db) {
      ($0.defaultAlarm, $0.defaultDayAlarm) = (new.timed?.description, new.day?.description)
      $0.defaultForCalendars = new.areForCalendars
    }
  }

  /// The alarm of a due date.
  func trigger(of due: DueDate?) -> AlarmTrigger? {
    due.flatMap { $0.isTimed ? timed : day }.map { AlarmTrigger(.offset($0, from: .due)) }
  }

  /// The alarms of a new reminder.
  func triggers(of due: DueDate?) -> [AlarmTrigger]? { trigger(of: due).map { [$0] } }

  /// The alarms of a reminder whose due date changes; `nil` if they stay.
  ///
  /// The first due date, and the first time of day, get their alarm if the reminder has none. An
  /// alarm that is the default of the old kind of date becomes that of the new kind. Otherwise
  /// nothing changes: a client that has removed the alarm is not asked again.
  func triggers(
    from old: DueDate?, to new: DueDate?, instead alarms: [AlarmTrigger]
  ) -> [AlarmTrigger]? {
    guard let new, old?.isTimed != new.isTimed else { return nil }
    guard !alarms.isEmpty else { return old?.isTimed == true ? nil : triggers(of: new) }
    guard let before = trigger(of: old), let place = alarms.firstIndex(of: before) else {
      return nil
    }
    var alarms = alarms
    alarms.remove(at: place)
    if let after = trigger(of: new), !alarms.contains(after) {
      alarms.insert(after, at: min(place, alarms.count))
    }
    return alarms
  }
}

extension AlarmRepository {
  /// Changes the alarms of a reminder whose due date has changed, as ``DefaultAlarms`` says.
  ///
  /// - Parameter fixed: The default alarms that the operator has set.
  static func followDefaults(
    fixed: DefaultAlarms.Values, from old: DueDate?, to reminder: Reminder, at now: Instant,
    in zone: ZoneInfo, _ db: Connection
  ) throws {
    guard reminder.status != .completed, old?.isTimed != reminder.dueDate?.isTimed else { return }
    let defaults = try DefaultAlarms.stored(fixed: fixed, in: db)
    let stored = try ReminderAlarm.where { $0.reminderID == reminder.id }.order { $0.id }
      .fetchAll(db)
    // An alarm that another program has written wrongly stays as it is.
    let known = stored.compactMap { alarm in
      alarm.moment.map { AlarmTrigger($0, repetition: alarm.repetition) }
    }
    guard known.count == stored.count,
      let new = defaults.triggers(from: old, to: reminder.dueDate, instead: known)
    else { return }
    try replace(reminder.id, with: new, at: now, in: zone, db)
  }
}
