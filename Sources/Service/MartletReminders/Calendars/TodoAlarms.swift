import MartletICalendar
import MartletTime

/// The alarms of a to-do: its VALARM components (RFC 5545 section 3.6.6, RFC 9074), and the snooze
/// of Thunderbird.
struct TodoAlarms {
  /// An alarm, and its place among the components.
  struct Item {
    var alarm: TransferAlarm
    var place: Int
  }

  /// The alarms that a reminder can have.
  private(set) var items: [Item] = []
  /// The places of the components that say until when another alarm is snoozed.
  private(set) var snoozes: [(place: Int, of: String, until: Instant)] = []

  /// Reads the components of a to-do.
  ///
  /// - Parameters:
  ///   - extra: The lines of ``TodoGroup/snooze``.
  ///   - dates: What the alarms are counted from.
  init(_ components: [[String]], _ extra: [ContentLine], _ dates: TodoDates) {
    var names: [String: Int] = [:]
    for (place, component) in components.enumerated() {
      let lines = component.compactMap { try? ContentLine($0) }
      guard lines.first?.component == "VALARM" else { continue }
      let snooze = lines.first {
        $0.name == "RELATED-TO" && $0.parameter("RELTYPE")?.uppercased() == "SNOOZE"
      }
      if let snooze, let trigger = lines.value("TRIGGER"),
        let until = CalendarTime.instant(trigger, in: .utc)
      {
        snoozes.append((place, snooze.value, until))
        continue
      }
      guard items.count < ReminderAlarm.most,
        let trigger = TodoAlarms.triggerOfReminder(lines, dates)
      else { continue }
      let acknowledged = lines.value("ACKNOWLEDGED").flatMap { CalendarTime.instant($0, in: .utc) }
      if let uid = TodoAlarms.uid(of: component) { names[uid] = items.count }
      items.append(
        Item(alarm: TransferAlarm(trigger, acknowledgedAt: acknowledged), place: place))
    }
    for snooze in snoozes {
      if let item = names[snooze.of] { items[item].alarm.snoozedUntil = snooze.until }
    }
    readExtra(extra)
    for place in items.indices { items[place].alarm = items[place].alarm.settled }
  }

  /// Thunderbird says it once for all alarms.
  private mutating func readExtra(_ lines: [ContentLine]) {
    func time(_ name: String) -> Instant? {
      lines.value(name).flatMap { CalendarTime.instant($0, in: .utc) }
    }
    if let last = time(TodoName.acknowledged) {
      for place in items.indices where items[place].alarm.acknowledgedAt == nil {
        items[place].alarm.acknowledgedAt = last
      }
    }
    if let until = time(TodoName.snoozed), !items.isEmpty,
      !items.contains(where: { $0.alarm.snoozedUntil != nil })
    {
      items[0].alarm.snoozedUntil = until
    }
  }

  /// When an alarm rings; `nil` if it cannot be one of a reminder: it sends mail, rings at a place,
  /// has the trigger that macOS writes for none, or is counted from a date that is missing.
  private static func triggerOfReminder(
    _ lines: [ContentLine], _ dates: TodoDates
  ) -> AlarmTrigger? {
    guard ["DISPLAY", "AUDIO", nil].contains(lines.value("ACTION")?.uppercased()),
      lines.value("PROXIMITY") == nil, lines.value("X-APPLE-PROXIMITY") == nil
    else { return nil }
    return trigger(lines, dates)
  }

  /// When a VALARM rings, whatever it does then.
  static func trigger(_ lines: [ContentLine], _ dates: TodoDates) -> AlarmTrigger? {
    guard let line = lines.first(where: { $0.name == "TRIGGER" }) else { return nil }
    let moment: AlarmTrigger.Moment
    if let instant = CalendarTime.instant(line.value, in: .utc) {
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
    of reminder: TransferReminder, _ dates: TodoDates, kept: KeptLines
  ) -> [[String]] {
    let stored = TodoAlarms(
      kept.components, kept.properties.filter { TodoGroup($0) == .snooze }, dates)
    var rest = shown(reminder.alarms, dates).map(\.settled)
    let isDone = (reminder.values.status ?? .incomplete) != .incomplete
    // Two alarms can have the same trigger.
    var names = Set(kept.components.compactMap { uid(of: $0) })
    var written: [Int: [String]] = [:]
    var snoozes: Set<Int> = []
    var added: [[String]] = []
    for item in stored.items {
      written[item.place] = []
      guard let place = rest.firstIndex(where: { $0.trigger == item.alarm.trigger }) else {
        continue
      }
      let alarm = rest.remove(at: place)
      let component = kept.components[item.place]
      // The alarms of what is completed do not ring, so what was said of them stays.
      guard alarm != item.alarm, !isDone else {
        written[item.place] = component
        if let snooze = snooze(of: component, among: stored) { snoozes.insert(snooze) }
        continue
      }
      let changed = TodoAlarms.changed(component, to: alarm, reminder, &names)
      written[item.place] = changed.component
      if let snooze = changed.snooze { added.append(snooze) }
    }
    for snooze in stored.snoozes where !snoozes.contains(snooze.place) {
      written[snooze.place] = []
    }
    let old = kept.components.enumerated().map { written[$0.offset] ?? $0.element }
    for alarm in rest {
      let component = TodoAlarms.component(alarm.trigger, reminder)
      let changed = TodoAlarms.changed(component, to: alarm, reminder, &names)
      added.append(changed.component)
      if let snooze = changed.snooze { added.append(snooze) }
    }
    return (old + added).filter { !$0.isEmpty && !$0.isOccurrence }
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
    var lines = ["BEGIN:VALARM"]
    switch trigger.moment {
    case .at(let instant):
      lines.append("TRIGGER;VALUE=DATE-TIME:\(CalendarTime.text(instant))")
    case .offset(let offset, .due): lines.append("TRIGGER;RELATED=END:\(offset)")
    case .offset(let offset, .start): lines.append("TRIGGER:\(offset)")
    }
    lines += ["ACTION:DISPLAY", "DESCRIPTION:\(description(of: reminder))"]
    if let repetition = trigger.repetition {
      lines += ["REPEAT:\(repetition.times)", "DURATION:\(repetition.every)"]
    }
    return lines + ["END:VALARM"]
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

  /// The lines of ``TodoGroup/snooze``.
  static func extra(of alarms: [TransferAlarm], _ dates: TodoDates) -> [String] {
    var lines: [String] = []
    let settled = shown(alarms, dates).map(\.settled)
    // It would acknowledge the others.
    let all = settled.compactMap(\.acknowledgedAt)
    if let last = all.max(), all.count == settled.count {
      lines.append("\(TodoName.acknowledged):\(CalendarTime.text(last))")
    }
    if let until = settled.compactMap(\.snoozedUntil).min() {
      lines.append("\(TodoName.snoozed):\(CalendarTime.text(until))")
    }
    return lines
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
  /// The alarm with what holds of the two times, in whole seconds: it is snoozed after it was
  /// acknowledged, or acknowledged.
  var settled: TransferAlarm {
    var alarm = self
    (alarm.snoozedUntil, alarm.acknowledgedAt) = (snoozedUntil?.whole, acknowledgedAt?.whole)
    alarm.trigger = trigger.whole
    if let until = alarm.snoozedUntil, alarm.acknowledgedAt.map({ $0 < until }) ?? true {
      alarm.acknowledgedAt = nil
    } else {
      alarm.snoozedUntil = nil
    }
    return alarm
  }
}

extension [ContentLine] {
  /// The value of the first property that has a name.
  fileprivate func value(_ name: String) -> String? { first { $0.name == name }?.value }
}
