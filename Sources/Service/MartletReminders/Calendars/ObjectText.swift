import MartletICalendar
import MartletJSON
import MartletTime

/// The text of a calendar object (RFC 4791 section 4.1): the to-dos of one UID.
package struct ObjectText: Sendable {
  /// A fault of a calendar text.
  package enum Fault: Error, Equatable, Sendable {
    /// It is no calendar, or has an invalid date.
    case invalid(String)
    /// It has several UIDs, or no UID, or a method.
    case notOneObject(String)
    /// It has no to-do, but something else.
    case otherComponent(String)

    /// The fault as a sentence.
    package var detail: String {
      switch self {
      case .invalid(let detail), .notOneObject(let detail), .otherComponent(let detail): detail
      }
    }
  }

  /// The to-do itself.
  package private(set) var master: Todo
  /// The occurrences that differ from the rule, by their due dates. Those of a series that
  /// cannot be evaluated are among the lines of the to-do.
  private(set) var parts: [TransferOccurrence] = []
  /// The UID of all.
  package var uid: String { master.uid }
  /// Whether all of the text was read (``CalendarReader/isWhole``).
  let isWhole: Bool

  /// The largest number of changes of single occurrences.
  static let mostParts = 1_000

  /// Parses a text.
  ///
  /// - Parameter house: The zone of times that name none.
  package init(
    _ bytes: UnsafeBufferPointer<UInt8>, house: ZoneInfo
  ) throws(Fault) {
    var collected = Collected(house: house)
    var reader = CalendarReader()
    do throws(CalendarError) {
      for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
        if let step = try reader.read(UnsafeBufferPointer(rebasing: line)) {
          try collected.take(step)
        }
      }
      if let step = try reader.finish() { try collected.take(step) }
    } catch {
      throw .invalid("Line \(reader.line): \(error.detail)")
    }
    isWhole = reader.isWhole
    if collected.hasMethod { throw .notOneObject("A stored calendar object has no METHOD.") }
    if let name = collected.other {
      throw .otherComponent("\(name) is not supported, only VTODO.")
    }
    guard !collected.todos.isEmpty else { throw .notOneObject("The calendar has no VTODO.") }
    guard collected.calendars == 1, collected.todos.count <= ObjectText.mostParts else {
      throw .notOneObject("Expected one calendar with the to-dos of one UID.")
    }
    var todos: [Todo] = []
    do throws(CalendarError) {
      for lines in collected.todos { todos.append(try Todo(lines, &collected.zones, house: house)) }
    } catch {
      throw .invalid(error.detail)
    }
    let uid = todos[0].uid
    guard !uid.isEmpty, todos.allSatisfy({ $0.uid == uid }) else {
      throw .notOneObject("Expected to-dos of one UID.")
    }
    let masters = todos.filter { $0.occurrence == nil }
    guard masters.count <= 1 else { throw .notOneObject("Two to-dos have the same UID.") }
    let place = todos.firstIndex { $0.occurrence == nil } ?? 0
    master = todos[place]
    var occurrences: [TransferOccurrence] = []
    for (index, todo) in todos.enumerated() where index != place || !masters.isEmpty {
      occurrences += todo.occurrences(collected.todos[index], &collected.zones, house: house)
    }
    (parts, collected.todos) = master.divide(occurrences)
    master.keep(collected.todos, collected.zones)
  }

  /// The components of a file.
  private struct Collected {
    var zones: CalendarZones
    var todos: [KeptLines] = []
    var calendars = 0
    var hasMethod = false
    /// A component that is not supported.
    var other: String?
    private var todo: KeptLines?
    private var inner: [String] = []

    init(house: ZoneInfo) { zones = CalendarZones(house: house) }

    mutating func take(_ step: CalendarReader.Step) throws(CalendarError) {
      switch (step.kind, step.depth) {
      case (.begin, 1): calendars += 1
      case (.begin("VTODO"), 2): todo = KeptLines()
      case (.begin(let name), 2):
        if ["VEVENT", "VJOURNAL", "VFREEBUSY", "VAVAILABILITY"].contains(name) { other = name }
        inner = [step.line.text]
      case (.begin, _): inner.append(step.line.text)
      case (.end("VTODO"), 2):
        if var todo {
          _ = todo.removeUnread()
          todos.append(todo)
        }
        todo = nil
      case (.end(let name), 2):
        if name == "VTIMEZONE" { try zones.define(inner + [step.line.text]) }
        inner = []
      case (.end, 3) where todo != nil:
        todo?.add(component: inner + [step.line.text])
        inner = []
      case (.end, _): inner.append(step.line.text)
      case (.property, 1):
        if step.line.name == "METHOD" { hasMethod = true }
        if step.line.name == "VERSION", step.line.value != "2.0" {
          throw CalendarError("iCalendar version \(step.line.value.excerpt) is not supported.")
        }
      case (.property, 2) where todo != nil: todo?.add(step.line)
      case (.property, _): inner.append(step.line.text)
      }
    }
  }

  // MARK: Writing

  /// The text made from a reminder: no client has written one, or the reminder has changed since.
  ///
  /// - Parameter hasLines: Whether a client has written its lines once.
  static func text(of reminder: TransferReminder, hasLines: Bool, house: ZoneInfo) -> String {
    let buffer = ByteBuffer(capacity: 1024)
    for line in CalendarFile.head { ContentLine.write(line, into: buffer) }
    write(reminder, isChanged: hasLines, house: house, into: buffer)
    ContentLine.write(CalendarFile.end, into: buffer)
    return String(decoding: buffer.bytes, as: UTF8.self)
  }

  private static func write(
    _ reminder: TransferReminder, isChanged: Bool, house: ZoneInfo, into buffer: ByteBuffer
  ) {
    let kept = KeptLines(reminder.calendar ?? "")
    let lines = TodoText.lines(of: reminder, kept, house: house, isChanged: isChanged)
    let dates = [
      reminder.values.dueDate ?? nil, reminder.values.startDate ?? nil,
      (reminder.values.recurrence ?? nil)?.start ?? nil,
    ].compactMap { $0?.start(in: .utc) }
    var zones: Set<[UInt8]> = []
    let definitions = TodoZones.definitions(
      namedBy: lines, kept, from: dates.min() ?? .epoch, except: &zones)
    for line in definitions + lines { ContentLine.write(line, into: buffer) }
  }
}
