import MartletTime

// The alarm of a to-do whose program names none. The reminder has it, and the to-do does not: its
// text stays as it was written, and a phone that alarms by itself does not ring twice.
extension TransferReminder {
  /// The alarms to store: those of the text, and the default one.
  var storedAlarms: [TransferAlarm] { alarms + [defaultAlarm].compactMap { $0 } }

  /// The lines to store. The last one says which alarm is not in the text.
  var storedLines: String? {
    guard case .offset(let offset, .due)? = defaultAlarm?.trigger.moment else { return calendar }
    return (calendar ?? "\(TodoName.form):2") + "\n\(TodoName.defaultAlarm):\(offset)"
  }

  /// Takes the default alarm out of the alarms of a stored reminder. A client may have deleted it.
  mutating func splitDefaultAlarm() {
    // The last line alone: a text may have a megabyte.
    guard let calendar, let end = calendar.utf8.lastIndex(of: UInt8(ascii: "\n")) else { return }
    let line = calendar[end...].dropFirst().split(separator: ":", maxSplits: 1)
    guard line.count == 2, line[0] == TodoName.defaultAlarm,
      let offset = AlarmTrigger.offset(String(line[1]))
    else { return }
    let trigger = AlarmTrigger(.offset(offset, from: .due))
    guard let place = alarms.firstIndex(where: { $0.trigger == trigger }) else { return }
    defaultAlarm = alarms.remove(at: place)
  }

  /// Sets the default alarm of a to-do that a program writes.
  ///
  /// - Parameters:
  ///   - before: The reminder as it is stored; `nil` if it is new.
  ///   - defaults: The default alarms; `nil`: it keeps the one that it has.
  mutating func setDefaultAlarm(over before: TransferReminder?, _ defaults: DefaultAlarms?) {
    let known = before?.alarms.map(\.trigger.whole) ?? []
    // A program writes back what it has read: alarms that a person has added in the app.
    let namesOthers =
      namesAlarms && (alarms.isEmpty || !alarms.allSatisfy { known.contains($0.trigger.whole) })
    guard !namesOthers else { return }
    defaultAlarm = before?.defaultAlarm
    guard !namesAlarms else { return }
    guard let defaults, values.status != .completed,
      defaultAlarm != nil || before?.alarms.isEmpty ?? true
    else { return }
    let old = before?.values.dueDate ?? nil
    let new = defaults.triggers(
      from: old, to: values.dueDate ?? nil, instead: [defaultAlarm?.trigger].compactMap { $0 })
    if let new { defaultAlarm = new.first.map { TransferAlarm($0) } }
  }
}
