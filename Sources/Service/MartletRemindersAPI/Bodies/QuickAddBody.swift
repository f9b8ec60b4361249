import MartletHTTP
import MartletLiveAPI
import MartletQuickAdd
import MartletReminders
import MartletTime

/// The body of a request that adds a reminder by a line of text.
struct QuickAddBody {
  let text: String
  /// The list of a reminder whose text names none; `nil`: the first one.
  let listID: Int?
  /// The languages that are tried; of equal ones the first counts.
  let languages: [QuickAddLanguage]
  /// The time that the text is relative to; `nil`: the time of the server.
  let now: Instant?
  /// The zone of the text, and of the reminder; `nil`: the one of the server.
  let zone: ZoneInfo?

  init(_ request: Request) throws(APIProblem) {
    var body = try Body(request)
    let text = body.string("text", 1...QuickAddReader.longestText)
    body.require("text", text != nil)
    self.text = text ?? ""
    listID = body.integer("listID", in: 1...Int.max)
    let language = body.oneOf("language", QuickAddLanguage.all.map { ($0.code, $0) })
    let accepted = AcceptLanguage(request.fields.list("Accept-Language"))
    languages =
      language.map { [$0] }
      ?? accepted.sorted(QuickAddLanguage.all.map(\.code)).compactMap {
        QuickAddLanguage.named($0)
      }
      .filter { QuickAddLanguage.usual.contains($0) || accepted.accepts($0.code) }
    now = body.instant("now")
    zone = body.string("timeZone", 1...200).flatMap { body.zone(named: $0) }
    try body.finish()
  }

  /// Reads the text.
  func read(
    at time: Instant, in zone: ZoneInfo, _ lists: [QuickAddList], _ tags: [String]
  ) -> QuickAdd {
    QuickAddReader(
      languages: languages, now: now ?? time, zone: self.zone ?? zone, lists: lists, tags: tags
    ).read(text)
  }

  /// The reminder of a text. Throws if it has no title, or one that is too long.
  ///
  /// - Parameter list: The list of a text that names none.
  func values(
    _ read: QuickAdd, in list: Int
  ) throws(APIProblem) -> ReminderRepository.Values {
    let length = read.title.unicodeScalars.count
    guard length > 0 else {
      throw QuickAddBody.fault("expected a title beside what was recognized")
    }
    guard length <= ListBody.titleLengths.upperBound else {
      throw QuickAddBody.fault(
        "expected a title of at most \(ListBody.titleLengths.upperBound) characters, got \(length)")
    }
    var values = ReminderRepository.Values()
    values.listID = read.listID ?? list
    values.title = read.title
    values.notes = read.notes
    values.dueDate = read.due.map { .some(DueDate($0)) }
    // Also for a date alone: its alarms count from midnight there.
    if let zone, read.due != nil { values.timeZone = .some(zone.identifier) }
    values.recurrence = read.recurrence.map { .some(Recurrence.Values($0)) }
    values.priority = read.priority.map { .some(Reminder.Priority($0)) }
    values.isFlagged = read.isFlagged ? true : nil
    values.tags = read.tags.isEmpty ? nil : read.tags
    values.alarms = read.alarms.map { $0.map(AlarmTrigger.init) }
    return values
  }

  private static func fault(_ detail: String) -> APIProblem {
    APIProblem(
      .invalidBody, "The body is invalid.", errors: [FieldError(.pointer("/text"), detail)])
  }
}

extension Recurrence.Values {
  fileprivate init(_ recurrence: QuickAdd.Recurrence) {
    self.init()
    rule = recurrence.rule
    basis = Recurrence.Basis.allCases.first { $0.label == recurrence.basis.rawValue }
  }
}

extension Reminder.Priority {
  fileprivate init(_ priority: QuickAdd.Priority) {
    switch priority {
    case .low: self = .low
    case .medium: self = .medium
    case .high: self = .high
    }
  }
}

extension AlarmTrigger {
  fileprivate init(_ alarm: QuickAdd.Alarm) {
    let moment: Moment =
      switch alarm {
      case .at(let instant): .at(instant)
      case .offset(let offset): .offset(offset, from: .due)
      }
    self.init(moment)
  }
}
