import MartletICalendar
import MartletTime

/// The lines of a to-do by group, and what the lines of a group mean.
struct TodoGroups {
  private var groups: [TodoGroup: [ContentLine]] = [:]
  /// The lines of no group.
  private(set) var others: [ContentLine] = []

  init(_ lines: KeptLines) {
    for line in lines.properties {
      if let group = TodoGroup(line) {
        groups[group, default: []].append(line)
      } else {
        others.append(line)
      }
    }
  }

  func lines(_ group: TodoGroup) -> [ContentLine] { groups[group] ?? [] }
  func first(_ group: TodoGroup) -> ContentLine? { groups[group]?.first }

  // MARK: What the lines of a group mean

  static func title(_ lines: [ContentLine]) -> String { text(lines, most: 1_000) }
  static func notes(_ lines: [ContentLine]) -> String { text(lines, most: 100_000) }

  private static func text(_ lines: [ContentLine], most: Int) -> String {
    guard let line = lines.first else { return "" }
    let text = ContentLine.text(line.value)
    guard text.utf8.count > most else { return text }
    var cut = String.UnicodeScalarView()
    cut.append(contentsOf: text.unicodeScalars.prefix(most))
    return String(cut)
  }

  /// The priority for a value of `PRIORITY` (RFC 5545 section 3.8.1.9): 1 is the highest, 9 the
  /// lowest, 0 none.
  static func priority(_ lines: [ContentLine]) -> Reminder.Priority? {
    switch lines.first.flatMap({ Int($0.value) }) {
    case 1?, 2?, 3?, 4?: .high
    case 5?: .medium
    case 6?, 7?, 8?, 9?: .low
    default: nil
    }
  }

  /// Whether it is done, and when it was.
  ///
  /// The time has to be in UTC (RFC 5545 section 3.8.2.1). Some programs write another zone, the
  /// one of the server, or a day.
  static func status(
    _ lines: [ContentLine], _ zones: inout CalendarZones, house: ZoneInfo
  ) -> (isDone: Bool, completedAt: Instant?) {
    func first(_ name: String) -> ContentLine? { lines.first { $0.name == name } }
    func value(_ name: String) -> String? { first(name)?.value }
    let time = first("COMPLETED")
    let isDone: Bool
    if let status = value("STATUS") {
      isDone = ["COMPLETED", "CANCELLED"].contains(status.uppercased())
    } else {
      isDone = time != nil || value("PERCENT-COMPLETE") == "100"
    }
    let date = time.flatMap { (try? TodoDates.date($0, $0.value, &zones, house)) ?? nil }
    return (isDone, date?.start(in: house))
  }

  /// Whether it is canceled.
  static func isCancelled(_ lines: [ContentLine]) -> Bool {
    lines.first { $0.name == "STATUS" }?.value.uppercased() == "CANCELLED"
  }

  /// The tags: at most five different ones. The others are what does not fit.
  /// How many titles of tags are read. More would only be a way to make a request slow.
  private static let mostTitles = 1_000

  static func tags(_ lines: [ContentLine]) -> (tags: [String], others: [String]) {
    var tags: [String] = []
    var others: [String] = []
    var count = 0
    for line in lines {
      let isExact = line.parameter(TodoName.exact) != nil
      let isOther = line.parameter(TodoName.kept) != nil
      for text in ContentLine.texts(line.value, most: mostTitles - count) {
        count += 1
        // Many programs write a space after the comma.
        let title = isExact ? text : String(text.unicodeScalars.drop { $0 == " " })
        if !isOther, case .success(let tag) = TagTitle.read(title) {
          if tags.contains(where: { Tag.key($0) == Tag.key(tag) }) { continue }
          if tags.count < Reminder.mostTags {
            tags.append(tag)
            continue
          }
        }
        if !title.isEmpty { others.append(title) }
      }
    }
    return (tags, others)
  }

  static func uid(_ lines: [ContentLine]) -> String? {
    lines.first.flatMap { UIDRule.stored(ContentLine.text($0.value)) }
  }

  /// The UIDs of the parents, without the to-do itself.
  static func parents(_ lines: [ContentLine], of uid: String?) -> [String] {
    lines.prefix(mostRelated).compactMap { TodoGroups.uid([$0]) }.filter { $0 != uid }
  }

  /// The UIDs of the subtasks that a to-do names (RFC 5545 section 3.2.15), among all its lines.
  static func children(_ lines: [ContentLine], of uid: String?) -> [String] {
    lines.lazy.filter(\.namesChild).prefix(mostRelated).compactMap { TodoGroups.uid([$0]) }
      .filter { $0 != uid }
  }

  /// More would only be a way to make a request slow.
  private static let mostRelated = 1_000
}
