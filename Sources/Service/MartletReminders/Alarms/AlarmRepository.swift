import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime

/// Reads and changes alarms. Every function that takes a connection runs in that connection's
/// transaction.
public enum AlarmRepository {
  // MARK: Reading

  /// Which alarms are asked for. All conditions that are set must hold.
  public struct Filter: Sendable {
    /// Only those in this state.
    public var state: ReminderAlarm.State?
    /// Only those of this reminder.
    public var reminderID: Int?
    /// Only those of reminders in this list.
    public var listID: Int?
    /// Only alarms whose time is after this day or instant: when they ring next, or if only ringing
    /// ones are asked for, when they rang last.
    public var after: DueDate?
    /// Only alarms whose time is before this day or instant.
    public var before: DueDate?
    /// The zone of the days.
    public var zone = ZoneInfo.utc
    /// The lists that the caller may access.
    public var lists = ListExtent.all

    /// The time that the alarms are ordered by.
    var time: KeyPath<ReminderAlarm.TableColumns, TableColumn<ReminderAlarm, Instant?>> {
      state == .ringing ? \.firedAt : \.fireAt
    }
    /// Whether alarms without a time are left out.
    var needsTime: Bool { after != nil || before != nil }

    /// All alarms.
    public init() {}
  }

  /// The query of a single alarm, as an ``AlarmItem``. It has no row if the alarm is not in
  /// `lists`.
  public static func item(_ id: Int, among lists: ListExtent) -> Query {
    guard case .only = lists else { return byID(id) }
    var filter = Filter()
    filter.lists = lists
    return matching(filter) { $0.id == id }.select { $0.item($1) }.query
  }

  private static let byID = PreparedQuery<Int> { id in
    matching(Filter()) { $0.id == id }.select { $0.item($1) }
  }

  /// A page of alarms. Ringing ones, if only these are asked for, are ordered by the time when they
  /// began to ring, the newest first, so that a stream of the first page shows each one. Others are
  /// ordered by the time when they ring next, and alarms without one come last.
  /// Throws ``InvalidCursor`` if the cursor belongs to another filter.
  public static func page(
    _ filter: Filter, _ request: PageRequest
  ) throws(InvalidCursor) -> PageQuery {
    var hash = Fingerprint("alarms")
    hash.combine(filter.state?.label)
    hash.combine(filter.reminderID.map { "\($0)" })
    hash.combine(filter.listID.map { "\($0)" })
    hash.combine(filter.after.map { "\($0)" })
    hash.combine(filter.before.map { "\($0)" })
    if filter.needsTime { hash.combine(filter.zone.identifier) }
    let after = try request.keys(for: hash.value)
    var beyond: (time: String?, id: Int)?
    if let after {
      guard after.count == 2, after[0].isNull || after[0].text != nil, let id = after[1].integer
      else { throw InvalidCursor() }
      beyond = (after[0].text, Int(id))
    }
    var segments: [PageQuery.Segment] = []
    if beyond == nil || beyond?.time != nil {
      segments.append(segment(filter, hasTime: true, beyond: beyond))
    }
    if !filter.needsTime {
      segments.append(segment(filter, hasTime: false, beyond: beyond?.time == nil ? beyond : nil))
    }
    return PageQuery(
      segments: segments, keyCount: 2, limit: request.limit, fingerprint: hash.value,
      total: request.wantsTotal ? matching(filter) { _ in nil }.count.query : nil)
  }

  private static func segment(
    _ filter: Filter, hasTime: Bool, beyond: (time: String?, id: Int)?
  ) -> PageQuery.Segment {
    { limit in
      let isRinging = filter.state == .ringing
      let key = filter.time
      let rows = matching(filter) { alarm in
        let column = alarm[keyPath: key]
        guard hasTime else {
          return beyond.map {
            SQLQueryExpression("(\(column) IS NULL AND \(alarm.id) > \(bind: $0.id))")
          } ?? SQLQueryExpression("\(column) IS NULL")
        }
        return beyond.map {
          SQLQueryExpression(
            """
            ((\(column), \(alarm.id)) \(raw: isRinging ? "<" : ">") \
            (\(bind: $0.time ?? ""), \(bind: $0.id)))
            """)
        } ?? SQLQueryExpression("\(column) IS NOT NULL")
      }
      return
        rows
        .order { alarm, _ in
          if !hasTime {
            alarm.id
          } else if isRinging {
            (alarm[keyPath: key].desc(), alarm.id.desc())
          } else {
            (alarm[keyPath: key], alarm.id)
          }
        }
        .limit(limit)
        .select { alarm, reminder in alarm.item(reminder) }
        .query(hiding: [ReminderAlarm.columns[keyPath: key], ReminderAlarm.columns.id])
    }
  }

  private static func matching(
    _ filter: Filter,
    _ condition: (ReminderAlarm.TableColumns) -> (any QueryExpression<Bool>)?
  ) -> Select<
    (ReminderAlarm.TableColumns, Reminder.TableColumns), (ReminderAlarm, Reminder), ()
  > {
    ReminderAlarm.join(Reminder.all) { $1.id == $0.reminderID }
      .where { alarm, reminder in
        if let state = filter.state {
          // A literal, because an index has only the alarms that ring.
          SQLQueryExpression<Bool>("\(alarm.state) = \(raw: "\(state.rawValue)")")
        }
        if let id = filter.reminderID { alarm.reminderID == id }
        if let list = filter.listID { reminder.remindersListID == list }
        if let extent = filter.lists.condition(reminder) { extent }
        let time = alarm[keyPath: filter.time]
        if let after = filter.after { time >= after.end(in: filter.zone) }
        if let before = filter.before { time < before.start(in: filter.zone) }
        if let condition = condition(alarm) { SQLQueryExpression<Bool>("\(condition)") }
      }
  }

  // MARK: Changing

  /// Adds an alarm to a reminder and returns its ID.
  ///
  /// Throws ``DomainError/notFound(_:)`` if the reminder does not exist in `lists`,
  /// ``RuleViolation/tooManyAlarms``, and ``RuleViolation/alarmWithoutAnchor`` if the date that the
  /// alarm is counted from is missing.
  public static func create(
    _ trigger: AlarmTrigger, of reminder: Int, among lists: ListExtent, at now: Instant,
    in zone: ZoneInfo, _ db: Connection
  ) throws -> Int {
    let reminder = try Reminder.stored(reminder, among: lists, in: db)
    try check(trigger, reminder)
    return try add(trigger, to: reminder, at: now, in: zone, db)
  }

  /// Throws ``RuleViolation/alarmWithoutAnchor`` if a date is missing.
  static func check(_ trigger: AlarmTrigger, _ reminder: Reminder) throws(RuleViolation) {
    guard case .offset(_, let anchor) = trigger.moment else { return }
    let date = anchor == .start ? reminder.startDate : reminder.dueDate
    guard date != nil else { throw .alarmWithoutAnchor }
  }

  private static func add(
    _ trigger: AlarmTrigger, to reminder: Reminder, at now: Instant, in zone: ZoneInfo,
    _ db: Connection
  ) throws -> Int {
    var alarm = ReminderAlarm(of: reminder.id, trigger)
    alarm.arm(for: reminder, at: now, in: zone)
    try ReminderAlarm.insert {
      ReminderAlarm.Draft(
        reminderID: reminder.id, at: alarm.at, anchor: alarm.anchor, offset: alarm.offset,
        repeatEvery: alarm.repeatEvery, repeatTimes: alarm.repeatTimes, state: alarm.state,
        fireAt: alarm.fireAt, isStale: false, armedFor: alarm.armedFor)
    }.execute(db)
    return Int(db.lastInsertRowID)
  }

  /// Adds the alarms of an import. One that was acknowledged stays so, and one that is snoozed
  /// rings then.
  static func add(
    _ alarms: [TransferAlarm], to id: Int, at now: Instant, in zone: ZoneInfo, _ db: Connection
  ) throws {
    guard let reminder = try Reminder.find(id).fetchOne(db) else { return }
    for alarm in alarms {
      let new = try add(alarm.trigger, to: reminder, at: now, in: zone, db)
      try ReminderAlarm.find(new).update {
        if let until = alarm.snoozedUntil, until > now, reminder.status != .completed {
          $0.snoozedUntil = until
        } else if let time = alarm.acknowledgedAt {
          $0.acknowledgedAt = time
        }
      }.execute(db)
    }
  }

  /// Makes the alarms of a reminder those of a calendar object. One whose trigger stays keeps its
  /// ID, and what has become of it if the object says nothing of that: many programs do not.
  ///
  /// Returns whether the object says all of the alarms.
  static func put(
    _ alarms: [TransferAlarm], of id: Int, at now: Instant, in zone: ZoneInfo, _ db: Connection
  ) throws -> Bool {
    let alarms = try exact(alarms, of: id, db)
    try replace(id, with: alarms.map(\.trigger), at: now, in: zone, db)
    // They do not ring, and what is said of them stays in the text.
    guard let reminder = try Reminder.find(id).fetchOne(db), reminder.status != .completed else {
      return true
    }
    var stored = try ReminderAlarm.where { $0.reminderID == id }.fetchAll(db)
    var isChanged = false
    var isAll = true
    for alarm in alarms {
      guard
        let place = stored.firstIndex(where: {
          $0.moment == alarm.trigger.moment && $0.repetition == alarm.trigger.repetition
        })
      else { continue }
      let old = stored.remove(at: place)
      let moment = old.moment(of: reminder, in: zone)
      let was = TransferAlarm(
        alarm.trigger, snoozedUntil: old.snoozedUntil, acknowledgedAt: old.acknowledgedAt
      ).settled.acknowledged(for: moment)
      let alarm = alarm.settled.since(moment)
      guard was != alarm else { continue }
      if alarm.snoozedUntil == nil, alarm.acknowledgedAt == nil {
        isAll = false
        continue
      }
      isChanged = true
      try ReminderAlarm.find(old.id).update {
        let until = alarm.snoozedUntil.flatMap { $0 > now ? $0 : nil }
        $0.snoozedUntil = until
        $0.acknowledgedAt = alarm.acknowledgedAt
        if until == nil, alarm.acknowledgedAt == nil {
          // It rings as if it had never rung.
          $0.isStale = true
          $0.armedFor = nil as Instant?
        }
      }.execute(db)
    }
    if isChanged { try settle(of: id, at: now, in: zone, db) }
    return isAll
  }

  /// The alarms with the fractions of seconds of the stored ones, which a calendar does not have.
  /// As many as a reminder can have.
  private static func exact(
    _ alarms: [TransferAlarm], of id: Int, _ db: Connection
  ) throws -> [TransferAlarm] {
    var stored = try ReminderAlarm.where { $0.reminderID == id }.fetchAll(db)
    return alarms.prefix(ReminderAlarm.most).map { alarm in
      func trigger(_ stored: ReminderAlarm) -> AlarmTrigger? {
        stored.moment.map { AlarmTrigger($0, repetition: stored.repetition) }
      }
      let place = stored.firstIndex { trigger($0)?.whole == alarm.trigger.whole }
      guard let place, let known = trigger(stored.remove(at: place)) else { return alarm }
      var exact = alarm
      exact.trigger = known
      return exact
    }
  }

  /// Replaces all alarms of a reminder. One whose trigger stays keeps its ID and what it does.
  static func replace(
    _ id: Int, with triggers: [AlarmTrigger], at now: Instant, in zone: ZoneInfo,
    _ db: Connection
  ) throws {
    guard let reminder = try Reminder.find(id).fetchOne(db) else { return }
    guard triggers.count <= ReminderAlarm.most else { throw RuleViolation.tooManyAlarms }
    var rest = triggers
    for alarm in try ReminderAlarm.where({ $0.reminderID == id }).fetchAll(db) {
      let place = rest.firstIndex {
        $0.moment == alarm.moment && $0.repetition == alarm.repetition
      }
      if let place {
        rest.remove(at: place)
      } else {
        try ReminderAlarm.find(alarm.id).delete().execute(db)
      }
    }
    for trigger in rest {
      try check(trigger, reminder)
      _ = try add(trigger, to: reminder, at: now, in: zone, db)
    }
  }

  /// The values of an alarm that a client sets. `nil` leaves a part unchanged.
  public struct Values: Equatable, Sendable {
    /// When it rings.
    public var moment: AlarmTrigger.Moment?
    /// How it rings again.
    public var repetition: AlarmTrigger.Repetition??
    /// The state: acknowledged, or what it is anyway.
    public var state: ReminderAlarm.State?
    /// Until when it is snoozed; inner `nil` is what an alarm has that never was.
    public var snoozedUntil: Instant??

    /// Values that set nothing.
    public init() {}
  }

  /// Changes an alarm. A client may send back what it has read.
  ///
  /// Throws ``DomainError/notFound(_:)`` if it does not exist in `lists`, and
  /// ``DomainError/invalid(_:_:)`` for a state or a time that cannot be set.
  public static func update(
    _ id: Int, _ values: Values, among lists: ListExtent, at now: Instant, in zone: ZoneInfo,
    _ db: Connection
  ) throws {
    let (old, reminder) = try stored(id, among: lists, db)
    var new = old
    let moment: AlarmTrigger.Moment? = values.moment ?? old.moment
    if let moment, values.moment != nil || values.repetition != nil {
      let trigger = AlarmTrigger(moment, repetition: values.repetition ?? old.repetition)
      // A client may send back what is stored, in another form or without its date.
      let isNew = moment != old.moment
      if isNew { try check(trigger, reminder) }
      if isNew || trigger.repetition != old.repetition { new.set(trigger) }
    }
    if let until = values.snoozedUntil, until != old.snoozedUntil {
      new.snoozedUntil = try snooze(until, old, values, at: now)
      if until == nil {
        // It rings as before, or if it has not rung for its moment yet, then.
        let hasRung = old.armedFor.map { moment in old.firedAt.map { $0 >= moment } ?? false }
        (new.state, new.fireAt) = (.ringing, nil)
        if hasRung != true { (new.isStale, new.armedFor) = (true, nil) }
      }
    }
    switch values.state {
    case .acknowledged?:
      if old.state.rawValue < ReminderAlarm.State.acknowledged.rawValue { new.acknowledgedAt = now }
    case .snoozed? where new.snoozedUntil != nil && new.snoozedUntil != old.snoozedUntil: break
    case old.state?, new.state?, nil: break
    default:
      throw DomainError.invalid(
        "state",
        "expected acknowledged, or what the alarm is: \(old.state.label). To snooze it, send snoozedUntil"
      )
    }
    try ReminderAlarm.find(id).update {
      if new.at != old.at { $0.at = new.at }
      if new.anchor != old.anchor { $0.anchor = new.anchor }
      if new.offset != old.offset { $0.offset = new.offset }
      if new.repeatEvery != old.repeatEvery { $0.repeatEvery = new.repeatEvery }
      if new.repeatTimes != old.repeatTimes { $0.repeatTimes = new.repeatTimes }
      if new.snoozedUntil != old.snoozedUntil { $0.snoozedUntil = new.snoozedUntil }
      if new.acknowledgedAt != old.acknowledgedAt { $0.acknowledgedAt = new.acknowledgedAt }
      if new.state != old.state { $0.state = new.state }
      if new.fireAt != old.fireAt { $0.fireAt = new.fireAt }
      if new.isStale != old.isStale { $0.isStale = new.isStale }
      if new.armedFor != old.armedFor { $0.armedFor = new.armedFor }
    }.execute(db)
    try settle(of: old.reminderID, at: now, in: zone, db)
  }

  private static func snooze(
    _ until: Instant?, _ old: ReminderAlarm, _ values: Values, at now: Instant
  ) throws(DomainError) -> Instant? {
    guard let until else {
      guard old.state == .snoozed, values.state != .acknowledged else {
        throw .invalid("snoozedUntil", "can be removed only while the alarm is snoozed")
      }
      return nil
    }
    guard values.state != .acknowledged else {
      throw .invalid("snoozedUntil", "is not possible together with acknowledged")
    }
    let most = now.adding(milliseconds: Int64(AlarmTrigger.longestDays) * 86_400_000)
    guard until > now, until <= most else {
      throw .invalid(
        "snoozedUntil",
        "expected an instant in the future, at most \(AlarmTrigger.longestDays) days from now")
    }
    return until
  }

  /// Deletes an alarm. Throws ``DomainError/notFound(_:)`` if it does not exist in `lists`.
  public static func delete(_ id: Int, among lists: ListExtent, _ db: Connection) throws {
    _ = try stored(id, among: lists, db)
    try ReminderAlarm.find(id).delete().execute(db)
  }

  private static func stored(
    _ id: Int, among lists: ListExtent, _ db: Connection
  ) throws -> (ReminderAlarm, Reminder) {
    guard let alarm = try ReminderAlarm.find(id).fetchOne(db),
      let reminder = try Reminder.find(alarm.reminderID).fetchOne(db),
      lists.contains(reminder.remindersListID)
    else { throw DomainError.notFound(.alarm(id)) }
    return (alarm, reminder)
  }
}
