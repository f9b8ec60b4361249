import MartletICalendar
import MartletTime

/// The alarms of a to-do: its VALARM components (RFC 5545 section 3.6.6, RFC 9074), and the snooze
/// of Thunderbird.
struct TodoAlarms {
  /// An alarm, and its places among the components: some programs write two for one moment, to show
  /// a message and to make a sound.
  struct Item {
    var alarm: TransferAlarm
    var places: [Int]
    /// The action of the first component.
    var action: String?
  }

  /// The alarms that a reminder can have.
  private(set) var items: [Item] = []
  /// The places of the components that say until when another alarm is snoozed.
  private(set) var snoozes: [(place: Int, of: String, until: Instant)] = []

  /// The number of components that are alarms a reminder cannot have.
  private(set) var left = 0
  /// Whether there is a component for an alarm, or for none.
  private(set) var isNamed = false

  /// Reads the components of a to-do.
  ///
  /// - Parameters:
  ///   - extra: The lines of ``TodoGroup/snooze``.
  ///   - dates: What the alarms are counted from.
  ///   - house: The zone of times that name none.
  init(
    _ components: [[String]], _ extra: [ContentLine], _ dates: TodoDates,
    _ zones: inout CalendarZones, house: ZoneInfo
  ) {
    var names: [String: Int] = [:]
    for (place, component) in components.enumerated() {
      let lines = component.compactMap { try? ContentLine($0) }
      guard lines.first?.component == "VALARM" else { continue }
      isNamed = true
      let snooze = lines.first {
        $0.name == "RELATED-TO" && $0.parameter("RELTYPE")?.uppercased() == "SNOOZE"
      }
      if let snooze, case .at(let until)? = TodoAlarms.trigger(lines, dates, &zones, house)?.moment
      {
        snoozes.append((place, snooze.value, until))
        continue
      }
      guard let trigger = TodoAlarms.triggerOfReminder(lines, dates, &zones, house) else {
        // macOS writes such a time for no alarm.
        if lines.value("TRIGGER")?.hasPrefix("1976") != true { left += 1 }
        continue
      }
      let acknowledged = lines.value("ACKNOWLEDGED").flatMap { CalendarTime.instant($0, in: .utc) }
      let alarm = TransferAlarm(trigger)
      let (moment, action) = (alarm.moment(dates, house), lines.value("ACTION")?.uppercased())
      let number =
        items.firstIndex { item in
          item.alarm.trigger == trigger
            || item.action != action && moment != nil
              && item.alarm.moment(dates, house) == moment
        } ?? items.count
      guard number < ReminderAlarm.most else {
        left += 1
        continue
      }
      if number == items.count {
        items.append(Item(alarm: alarm, places: [], action: action))
        items[number].alarm.acknowledgedAt = acknowledged
      } else {
        // It rings as long as one of them does.
        if let known = items[number].alarm.acknowledgedAt {
          items[number].alarm.acknowledgedAt = acknowledged.map { min($0, known) }
        }
        let known = items[number].alarm.trigger.repetition
        items[number].alarm.trigger.repetition = known ?? trigger.repetition
      }
      items[number].places.append(place)
      if let uid = TodoAlarms.uid(of: component) { names[uid] = number }
    }
    for snooze in snoozes {
      if let item = names[snooze.of] { items[item].alarm.snoozedUntil = snooze.until }
    }
    readExtra(extra, dates, house)
    for place in items.indices {
      let alarm = items[place].alarm
      items[place].alarm = alarm.since(alarm.moment(dates, house)).settled
    }
  }

  /// Thunderbird says it once for all alarms.
  private mutating func readExtra(
    _ lines: [ContentLine], _ dates: TodoDates, _ house: ZoneInfo
  ) {
    func time(_ name: String) -> Instant? {
      lines.value(name).flatMap { CalendarTime.instant($0, in: .utc) }
    }
    if let last = time(TodoName.acknowledged) {
      for place in items.indices {
        let alarm = items[place].alarm
        // What the alarm says itself comes first, unless it is about an earlier moment.
        if alarm.since(alarm.moment(dates, house)).acknowledgedAt == nil {
          items[place].alarm.acknowledgedAt = last
        }
      }
    }
    // In a series, the name ends with the occurrence.
    let times = lines.filter { $0.name.hasPrefix(TodoName.snoozed) }
      .compactMap { CalendarTime.instant($0.value, in: .utc) }
    if let until = times.max(), !items.isEmpty,
      !items.contains(where: { $0.alarm.snoozedUntil != nil })
    {
      items[0].alarm.snoozedUntil = until
    }
  }

  /// When an alarm rings; `nil` if it cannot be one of a reminder: it sends mail, rings at a place,
  /// has the trigger that macOS writes for none, or is counted from a date that is missing.
  private static func triggerOfReminder(
    _ lines: [ContentLine], _ dates: TodoDates, _ zones: inout CalendarZones, _ house: ZoneInfo
  ) -> AlarmTrigger? {
    guard ["DISPLAY", "AUDIO", nil].contains(lines.value("ACTION")?.uppercased()),
      lines.value("PROXIMITY") == nil, lines.value("X-APPLE-PROXIMITY") == nil
    else { return nil }
    return trigger(lines, dates, &zones, house)
  }

  /// Whether a component is an alarm at a fixed time.
  static func isFixed(_ component: [String]) -> Bool {
    let lines = component.compactMap { try? ContentLine($0) }
    guard let trigger = lines.value("TRIGGER") else { return false }
    return CivilDuration(trigger) == nil
  }

  /// When a VALARM rings, whatever it does then.
  static func trigger(
    _ lines: [ContentLine], _ dates: TodoDates, _ zones: inout CalendarZones, _ house: ZoneInfo
  ) -> AlarmTrigger? {
    guard let line = lines.first(where: { $0.name == "TRIGGER" }) else { return nil }
    let moment: AlarmTrigger.Moment
    // It has to be in UTC (RFC 5545 section 3.8.6.3), and some programs write a zone, or none.
    if case .instant(let instant)? = (try? TodoDates.date(line, line.value, &zones, house)) ?? nil {
      guard !line.value.hasPrefix("1976") else { return nil }
      moment = .at(instant)
    } else if let offset = AlarmTrigger.offset(line.value) {
      let isEnd = line.parameter("RELATED")?.uppercased() == "END"
      let anchor = isEnd || dates.start == nil ? ReminderAlarm.Anchor.due : .start
      guard (anchor == .due ? dates.due : dates.start) != nil else { return nil }
      moment = .offset(offset, from: anchor)
    } else {
      return nil
    }
    let times = lines.value("REPEAT").flatMap { Int($0) } ?? 0
    var repetition: AlarmTrigger.Repetition?
    if let every = lines.value("DURATION"), AlarmTrigger.Repetition.allowedTimes.contains(times) {
      repetition = AlarmTrigger.Repetition(every: every, times: times)
    }
    return AlarmTrigger(moment, repetition: repetition)
  }

  // MARK: Writing

  /// The components of a reminder's alarms: the stored ones, as they came, as far as they still
  /// mean what the reminder says, and the ones that mean nothing to it.
  static func components(
    of reminder: TransferReminder, _ dates: TodoDates, kept: KeptLines,
    _ zones: inout CalendarZones, house: ZoneInfo
  ) -> [[String]] {
    let stored = TodoAlarms(
      kept.components, kept.properties.filter { TodoGroup($0) == .snooze }, dates, &zones,
      house: house)
    var rest = said(reminder.alarms, dates, house)
    let isDone = (reminder.values.status ?? .incomplete) != .incomplete
    // Two alarms can have the same trigger.
    var names = Set(kept.components.compactMap { uid(of: $0) })
    var written: [Int: [String]] = [:]
    var snoozes: Set<Int> = []
    var added: [[String]] = []
    for (item, alarm) in zip(stored.items, matches(stored.items, &rest)) {
      for place in item.places {
        guard let alarm else {
          written[place] = []
          continue
        }
        var component = kept.components[place]
        let isMoved = alarm.trigger != item.alarm.trigger
        // The alarms of what is completed do not ring, so what was said of them stays.
        guard isMoved || alarm != item.alarm && !isDone else {
          written[place] = component
          if let snooze = snooze(of: component, among: stored) { snoozes.insert(snooze) }
          continue
        }
        if isMoved {
          let line = trigger(alarm.trigger.moment)
          component = component.map { $0.uppercased().hasPrefix("TRIGGER") ? line : $0 }
        }
        guard alarm.acknowledgedAt != nil || alarm.snoozedUntil != nil else {
          written[place] = component.filter { !$0.uppercased().hasPrefix("ACKNOWLEDGED") }
          continue
        }
        let changed = TodoAlarms.changed(component, to: alarm, reminder, &names)
        written[place] = changed.component
        if place == item.places.first, let snooze = changed.snooze { added.append(snooze) }
      }
    }
    for snooze in stored.snoozes where !snoozes.contains(snooze.place) {
      written[snooze.place] = []
    }
    let old = kept.components.enumerated().map { written[$0.offset] ?? $0.element }
    for alarm in rest {
      let component = component(alarm.trigger, reminder)
      let changed = TodoAlarms.changed(component, to: alarm, reminder, &names)
      added.append(changed.component)
      if let snooze = changed.snooze { added.append(snooze) }
    }
    return (old + added).filter { !$0.isEmpty && !$0.isOccurrence }
  }

  /// The alarms that are those of the components, and `nil` for each that is gone. One of a fixed
  /// time can have another time: it has moved on with its reminder.
  private static func matches(
    _ items: [Item], _ rest: inout [TransferAlarm]
  ) -> [TransferAlarm?] {
    func isFixed(_ alarm: TransferAlarm) -> Bool {
      if case .at = alarm.trigger.moment { true } else { false }
    }
    var found = items.map { item in
      rest.firstIndex { $0.trigger == item.alarm.trigger }.map { rest.remove(at: $0) }
    }
    for (number, item) in items.enumerated() where found[number] == nil && isFixed(item.alarm) {
      let place = rest.firstIndex {
        isFixed($0) && $0.trigger.repetition == item.alarm.trigger.repetition
      }
      if let place { found[number] = rest.remove(at: place) }
    }
    return found
  }

  private static func snooze(of component: [String], among alarms: TodoAlarms) -> Int? {
    let uid = uid(of: component)
    return alarms.snoozes.first { $0.of == uid }?.place
  }

  private static func uid(of component: [String]) -> String? {
    let lines = component.compactMap { try? ContentLine($0) }
    // Alarms of macOS have both, in any order.
    let line = lines.first { $0.name == "UID" } ?? lines.first { $0.name == "X-WR-ALARMUID" }
    return line?.value
  }

  /// The component with what has become of the alarm, and the one that says that it is snoozed.
  private static func changed(
    _ component: [String], to alarm: TransferAlarm, _ reminder: TransferReminder,
    _ names: inout Set<String>
  ) -> (component: [String], snooze: [String]?) {
    var lines = component.filter { !$0.uppercased().hasPrefix("ACKNOWLEDGED") }
    var uid = uid(of: component)
    if uid == nil {
      let name = name(of: alarm.trigger, reminder)
      var number = 1
      var unique = name
      while !names.insert(unique).inserted {
        number += 1
        unique = "\(name)-\(number)"
      }
      uid = unique
      lines.insert("UID:\(unique)", at: 1)
    }
    // An alarm that is snoozed was acknowledged (RFC 9074 section 7.1).
    let time = alarm.snoozedUntil == nil ? alarm.acknowledgedAt : reminder.updatedAt ?? .epoch
    if let time { lines.insert("ACKNOWLEDGED:\(CalendarTime.text(time))", at: lines.count - 1) }
    guard let until = alarm.snoozedUntil else { return (lines, nil) }
    let snooze = [
      "BEGIN:VALARM", "UID:\(uid ?? "")-snooze",
      "TRIGGER;VALUE=DATE-TIME:\(CalendarTime.text(until))",
      "RELATED-TO;RELTYPE=SNOOZE:\(uid ?? "")", "ACTION:DISPLAY",
      "DESCRIPTION:\(description(of: reminder))", "END:VALARM",
    ]
    return (lines, snooze)
  }

  private static func component(
    _ trigger: AlarmTrigger, _ reminder: TransferReminder
  ) -> [String] {
    var lines = [
      "BEGIN:VALARM", self.trigger(trigger.moment), "ACTION:DISPLAY",
      "DESCRIPTION:\(description(of: reminder))",
    ]
    if let repetition = trigger.repetition {
      lines += ["REPEAT:\(repetition.times)", "DURATION:\(repetition.every)"]
    }
    return lines + ["END:VALARM"]
  }

  private static func trigger(_ moment: AlarmTrigger.Moment) -> String {
    switch moment {
    case .at(let instant): "TRIGGER;VALUE=DATE-TIME:\(CalendarTime.text(instant))"
    case .offset(let offset, .due): "TRIGGER;RELATED=END:\(offset)"
    case .offset(let offset, .start): "TRIGGER:\(offset)"
    }
  }

  /// It must not be empty: some clients drop such an alarm.
  private static func description(of reminder: TransferReminder) -> String {
    let title = ContentLine.escaped(reminder.values.title ?? "")
    return title.isEmpty ? "Reminder" : title
  }

  /// A UID derived from the trigger, so that the same trigger always has the same one.
  private static func name(of trigger: AlarmTrigger, _ reminder: TransferReminder) -> String {
    var hash = Fingerprint("alarm")
    switch trigger.moment {
    case .at(let instant): hash.combine("\(instant)")
    case .offset(let offset, let anchor): hash.combine("\(anchor.label) \(offset)")
    }
    let uid = ContentLine.escaped(reminder.values.uid ?? "")
    return "\(uid)-\(String(hash.value & 0xFFFF_FFFF, radix: 36))"
  }

  /// The alarms that a calendar can say. One that is counted from a date that the reminder does not
  /// have never rings, and would be counted from another date there.
  static func shown(_ alarms: [TransferAlarm], _ dates: TodoDates) -> [TransferAlarm] {
    alarms.filter { alarm in
      guard case .offset(_, let anchor) = alarm.trigger.moment else { return true }
      return (anchor == .due ? dates.due : dates.start) != nil
    }
  }

  /// The alarms as a calendar says them.
  static func said(
    _ alarms: [TransferAlarm], _ dates: TodoDates, _ house: ZoneInfo
  ) -> [TransferAlarm] {
    shown(alarms, dates).map(\.settled).map { $0.acknowledged(for: $0.moment(dates, house)) }
  }

  /// The lines of ``TodoGroup/snooze``.
  static func extra(
    of alarms: [TransferAlarm], _ dates: TodoDates, _ house: ZoneInfo
  ) -> [String] {
    var lines: [String] = []
    let settled = said(alarms, dates, house)
    // It would acknowledge the others.
    let all = settled.compactMap(\.acknowledgedAt)
    if let last = all.max(), all.count == settled.count {
      lines.append("\(TodoName.acknowledged):\(CalendarTime.text(last))")
    }
    if let until = settled.compactMap(\.snoozedUntil).min() {
      lines.append("\(TodoName.snoozed)\(occurrence(dates)):\(CalendarTime.text(until))")
    }
    return lines
  }

  /// The end of the name of Thunderbird's snooze: the current occurrence of a series, in µs.
  private static func occurrence(_ dates: TodoDates) -> String {
    guard dates.rule != nil, let date = dates.start ?? dates.due else { return "" }
    return "-\(date.start(in: .utc).milliseconds)000"
  }
}

extension AlarmTrigger {
  /// The trigger in whole seconds, as calendars have it (RFC 5545 section 3.3.6).
  var whole: AlarmTrigger {
    func whole(_ duration: CivilDuration) -> CivilDuration {
      CivilDuration(
        days: duration.days, milliseconds: duration.milliseconds / 1_000 * 1_000) ?? duration
    }
    var trigger = self
    switch moment {
    case .at(let instant): trigger.moment = .at(instant.whole)
    case .offset(let offset, let anchor): trigger.moment = .offset(whole(offset), from: anchor)
    }
    if let every = repetition?.every { trigger.repetition?.every = whole(every) }
    return trigger
  }
}

extension TransferAlarm {
  /// When it rings first.
  fileprivate func moment(_ dates: TodoDates, _ house: ZoneInfo) -> Instant? {
    trigger.moment.instant(due: dates.due, start: dates.start, in: dates.own(or: house))
  }
}

extension [ContentLine] {
  /// The value of the first property that has a name.
  fileprivate func value(_ name: String) -> String? { first { $0.name == name }?.value }
}
