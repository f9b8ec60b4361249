import MartletTime

/// The parts of a reminder that were understood so far.
struct Draft {
  private var due: Due?
  private var recurrence: (every: Every, time: TimeOfDay?, start: CivilDate?)?
  private var end: (end: End, phrase: Int)?
  private var alarms: [(time: AlarmTime, phrase: Int)] = []
  private var hasNoAlarms = false
  private var recurrencePhrase = 0
  private var listID: Int?
  private var tags = TagNames()
  private var priority: QuickAdd.Priority?
  private var isFlagged = false
  private var notes: String?
  /// The phrases in the order of the text, as places of scalars.
  private(set) var phrases: [(range: Range<Int>, kind: QuickAdd.Span.Kind)] = []
  /// The words that are known to be text, in the order of the text, as places of scalars.
  private(set) var texts: [Range<Int>] = []
  /// The words at the beginning that only say that it is a reminder.
  var lead: Lead?
  /// The phrases of which only a part is understood, as places of tokens.
  var doubts: [Range<Int>] = []

  /// The maximum number of alarms.
  static let mostAlarms = 20

  // MARK: Taking phrases

  /// Takes a name behind `#` or `@`. Returns false if it is text. A `#` names what there is: a
  /// list, or else a tag.
  mutating func take(
    name: String, behind sign: Unicode.Scalar, _ range: Range<Int>, of lists: ListIndex,
    _ known: Set<String>
  ) -> Bool {
    if sign == "#" {
      if let id = lists.list(named: name) {
        guard listID == nil else { return false }
        listID = id
        phrases.append((range, .list))
        return true
      }
      guard known.contains(TagNames.key(name)) else { return false }
    }
    guard tags.canAdd(name) else { return false }
    tags.add(name)
    phrases.append((range, .tag))
    return true
  }

  mutating func take(notes text: String, _ range: Range<Int>) {
    notes = text.isEmpty ? nil : text
    phrases.append((range, .notes))
  }

  /// Whether a phrase can be taken: its kind is not there yet, and what it needs is.
  func canTake(_ value: Value, _ calendar: PhraseCalendar) -> Bool {
    switch value {
    case .due(let due): canTake(due, calendar)
    case .recurrence(_, let time, let start):
      recurrence == nil && (start == nil || due?.hasDay != true)
        && (time == nil || due?.hasTime != true || Draft.makesExact(due, time))
    case .end: recurrence != nil && end == nil
    case .alarm: !hasNoAlarms && alarms.count < Draft.mostAlarms
    case .noAlarms: !hasNoAlarms && alarms.isEmpty
    case .flag: !isFlagged
    case .priority: priority == nil
    case .text: true
    case .ordinal, .time, .date, .every, .doubt: false
    }
  }

  private func canTake(_ due: Due, _ calendar: PhraseCalendar) -> Bool {
    guard let joined = joined(due, calendar) else { return false }
    if joined.hasDay, recurrence?.start != nil { return false }
    guard joined.hasTime, let time = recurrence?.time else { return true }
    return Draft.makesExact(due, time)
  }

  /// The due date with a further phrase: a day and a time are joined, in either order, and a time
  /// makes a part of the day exact. `nil` if the phrase cannot be used.
  private func joined(_ other: Due, _ calendar: PhraseCalendar) -> Due? {
    func dayTime(_ date: CivilDate, _ time: TimeOfDay) -> Due? {
      calendar.instant(date, time) == nil ? nil : .dayTime(date, time)
    }
    switch (due, other) {
    case (nil, _): return other
    case (.day(let date), .time(let time)), (.time(let time), .day(let date)):
      return dayTime(date, time)
    case (.dayTime(let date, let known), .time(let time)),
      (.time(let time), .dayTime(let date, let known)):
      guard let part = known.part, time.part == nil else { return nil }
      return dayTime(date, time.within(part))
    default: return nil
    }
  }

  /// Whether a phrase would be joined with a due date that is known.
  func joins(_ value: Value) -> Bool { if case .due = value { due != nil } else { false } }

  /// Whether a phrase is a time, and the other time is only a part of the day.
  private static func makesExact(_ due: Due?, _ other: TimeOfDay?) -> Bool {
    guard case .time(let time) = due else { return false }
    return time.part == nil && other?.part != nil
  }

  private mutating func take(_ due: Due, _ calendar: PhraseCalendar) {
    if case .time(let time) = due, let part = recurrence?.time?.part {
      recurrence?.time = time.within(part)
    } else {
      self.due = joined(due, calendar)
    }
  }

  mutating func take(_ value: Value, _ range: Range<Int>, _ calendar: PhraseCalendar) {
    let kind: QuickAdd.Span.Kind
    switch value {
    case .due(let due):
      take(due, calendar)
      kind = .due
    case .recurrence(let every, let time, let start):
      if case .time(let exact) = due, let part = time?.part { due = .time(exact.within(part)) }
      recurrence = (every, time, start)
      recurrencePhrase = phrases.count
      kind = .recurrence
    case .end(let end):
      self.end = (end, phrases.count)
      kind = .recurrence
    case .alarm(let time):
      alarms.append((time, phrases.count))
      kind = .alarm
    case .noAlarms:
      hasNoAlarms = true
      kind = .alarm
    case .flag:
      isFlagged = true
      kind = .flag
    case .priority(let priority):
      self.priority = priority
      kind = .priority
    case .text:
      texts.append(range)
      return
    case .ordinal, .time, .date, .every, .doubt: return
    }
    phrases.append((range, kind))
  }

  // MARK: The words at the beginning

  /// `remind me to` at the beginning of the text.
  struct Lead {
    /// Its place in the text.
    let range: Range<Int>
    /// The place of the token behind it.
    let end: Int
    /// Whether it is all that leads to the title. If not, a date and `to` have to follow.
    var isWhole: Bool
  }

  /// Takes the words at the beginning as a part of the due date, if there is one and a title is
  /// left.
  mutating func finishLead(_ result: QuickAdd, _ scanned: ScannedText) {
    guard let lead, lead.isWhole, result.due != nil else { return }
    let phrases = [(range: lead.range, kind: QuickAdd.Span.Kind.due)] + phrases
    if !scanned.title(without: phrases.map(\.range)).isEmpty { self.phrases = phrases }
  }

  // MARK: Refusing dates

  /// Whether there is a time, but nothing that says its day.
  var hasTimeOnly: Bool {
    if case .time = due { recurrence == nil } else { false }
  }

  /// Whether there is the end of a recurrence.
  var hasEnd: Bool { end != nil }

  /// Whether there are phrases that a doubt concerns.
  var hasDates: Bool { due != nil || recurrence != nil || !alarms.isEmpty }

  /// Gives up all dates, recurrences and alarms, which become text.
  mutating func refuseDates() {
    (due, recurrence, end, alarms) = (nil, nil, nil, [])
    phrases.removeAll { phrase in
      switch phrase.kind {
      case .due, .recurrence: true
      case .alarm: !hasNoAlarms
      default: false
      }
    }
  }

  // MARK: The result

  /// The parts of the reminder, except title and spans.
  ///
  /// Drops phrases that have no meaning in the end, so that they become text: an alarm before the
  /// due date of a reminder without one, an end before the due date.
  mutating func finish(_ calendar: PhraseCalendar) -> QuickAdd {
    var dropped: Set<Int> = []
    var result = QuickAdd()
    result.due = dueDate(calendar, &dropped)
    result.recurrence = rule(from: result.due, calendar, &dropped)
    if hasNoAlarms { result.alarms = [] }
    for (time, phrase) in alarms {
      guard let alarm = alarm(time, result.due, calendar) else {
        dropped.insert(phrase)
        continue
      }
      if result.alarms?.contains(alarm) != true { result.alarms = (result.alarms ?? []) + [alarm] }
    }
    result.listID = listID
    result.tags = tags.names
    result.priority = priority
    result.isFlagged = isFlagged
    result.notes = notes
    phrases = phrases.enumerated().filter { !dropped.contains($0.offset) }.map { $0.element }
    return result
  }

  private mutating func dueDate(
    _ calendar: PhraseCalendar, _ dropped: inout Set<Int>
  ) -> Occurrence? {
    func occurrence(_ date: CivilDate, _ time: TimeOfDay?) -> Occurrence {
      time.flatMap { calendar.instant(date, $0) }.map { .instant($0) } ?? .day(date)
    }
    var time = recurrence?.time
    switch due {
    case .instant(let instant): return .instant(instant)
    case .dayTime(let date, let time): return occurrence(date, time)
    case .day(let date): return occurrence(date, time.map(Draft.onDay))
    case .time(let own): time = own
    case nil: break
    }
    if let (every, _, start) = recurrence {
      let time = time.map(Draft.onDay)
      if let first = calendar.firstDay(of: every, from: start, at: time) {
        return occurrence(first, time)
      }
      // It would begin after the year 9999.
      dropped.insert(recurrencePhrase)
      recurrence = nil
    }
    if case .time(let time) = due { return calendar.nextComing(time).map { .instant($0) } }
    return nil
  }

  /// The time on the days of a recurrence, where midnight is 00:00.
  private static func onDay(_ time: TimeOfDay) -> TimeOfDay { TimeOfDay(minutes: time.onClock) }

  private func rule(
    from due: Occurrence?, _ calendar: PhraseCalendar, _ dropped: inout Set<Int>
  ) -> QuickAdd.Recurrence? {
    guard let every = self.recurrence?.every, let due else {
      if let end { dropped.insert(end.phrase) }
      return nil
    }
    let date = calendar.date(of: due)
    // There is nothing after the year 9999.
    func recurrence(_ rule: RecurrenceRule?) -> QuickAdd.Recurrence? {
      guard let rule, (try? rule.filledIn(from: date)) != nil else { return nil }
      return QuickAdd.Recurrence(rule: rule, basis: every.basis)
    }
    if let end {
      if !end.end.isBefore(date), let text = calendar.text(of: end.end, from: date),
        let recurrence = recurrence(every.rule(ending: text))
      {
        return recurrence
      }
      dropped.insert(end.phrase)
    }
    if let recurrence = recurrence(every.rule()) { return recurrence }
    dropped.insert(recurrencePhrase)
    return nil
  }

  private func alarm(
    _ time: AlarmTime, _ due: Occurrence?, _ calendar: PhraseCalendar
  ) -> QuickAdd.Alarm? {
    switch (time, due) {
    case (.instant(let instant), _): .at(instant)
    case (.time(let time), nil): calendar.nextComing(time).map { .at($0) }
    case (.before, nil), (.daysBefore, nil): nil
    case (.before(let offset), _): .offset(offset)
    case (.time(let time), .some(let due)):
      calendar.offset(to: time, daysBefore: 0, due).map { .offset($0) }
    case (.daysBefore(let days, let time), .some(let due)):
      calendar.offset(to: time, daysBefore: days, due).map { .offset($0) }
    }
  }
}

extension PhraseCalendar {
  /// The date of an occurrence in the zone.
  func date(of occurrence: Occurrence) -> CivilDate {
    switch occurrence {
    case .day(let date): date
    case .instant(let instant): zone.time(at: instant).date
    }
  }

  /// How long after a due date it is a time of day, so many days before it.
  ///
  /// The offset of a date is what clocks show after its midnight. That of an instant has days if
  /// possible, so that it stays the same time of day when the reminder recurs.
  fileprivate func offset(
    to time: TimeOfDay, daysBefore days: Int, _ due: Occurrence
  ) -> CivilDuration? {
    switch due {
    case .day:
      return CivilDuration(
        milliseconds: Int64(time.minutes - days * TimeOfDay.day) * 60_000)
    case .instant(let instant):
      guard let date = day(after: date(of: due), -days),
        let target = self.instant(date, time), let whole = CivilDuration(days: -days)
      else { return nil }
      let rest = target.milliseconds(since: whole.instant(after: instant, in: zone))
      return CivilDuration(days: -days, milliseconds: rest)
        ?? CivilDuration(milliseconds: target.milliseconds(since: instant))
    }
  }
}
