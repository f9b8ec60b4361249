import MartletICalendar
import MartletJSON
import MartletTime

/// Writes the records of an export as one calendar (RFC 5545): each reminder is a to-do.
package struct CalendarFile {
  /// The first lines of a calendar.
  package static let head = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//martlet//martlet//EN"]
  /// The last line.
  package static let end = "END:VCALENDAR"
  /// The media type.
  package static let type = "text/calendar; charset=utf-8"
  /// The name of the property that has the title of a calendar.
  package static let title = "X-WR-CALNAME"
  /// The name of the property that has its color.
  package static let color = "X-APPLE-CALENDAR-COLOR"

  /// The zone of times that name none.
  private let house: ZoneInfo
  /// Whether the to-dos do not name their list.
  private let isOneList: Bool
  /// The first list, and the titles of all lists by their IDs.
  private var firstList: TransferList?
  private var titles: [Int: String] = [:]
  private var isOpen = false
  /// The names of the time zones written so far.
  private var zones: Set<[UInt8]> = []

  package init(house: ZoneInfo, isOneList: Bool = false) {
    self.house = house
    self.isOneList = isOneList
  }

  package func begin(into buffer: ByteBuffer) {
    for line in CalendarFile.head + ["CALSCALE:GREGORIAN"] {
      ContentLine.write(line, into: buffer)
    }
  }

  package mutating func write(_ record: TransferRecord, into buffer: ByteBuffer) {
    switch record {
    case .list(let list):
      firstList = firstList ?? list
      titles[list.id] = list.title
    case .tag, .completion, .occurrence, .smartList: break
    case .reminder(let reminder):
      open(into: buffer)
      write(reminder, into: buffer)
    }
  }

  package mutating func end(into buffer: ByteBuffer) {
    open(into: buffer)
    ContentLine.write(CalendarFile.end, into: buffer)
  }

  /// Writes the title and the color of the calendar if there is only one list.
  private mutating func open(into buffer: ByteBuffer) {
    guard !isOpen else { return }
    isOpen = true
    guard titles.count == 1, let list = firstList else { return }
    ContentLine.write(
      "\(CalendarFile.title):\(ContentLine.escaped(list.title))", into: buffer)
    ContentLine.write(
      "\(CalendarFile.color):\(ListColor.text(list.color))", into: buffer)
  }

  private mutating func write(_ stored: TransferReminder, into buffer: ByteBuffer) {
    var reminder = stored
    reminder.splitDefaultAlarm()
    let kept = KeptLines(reminder.calendar ?? "")
    let lines = TodoText.lines(
      of: reminder, kept, house: house,
      list: isOneList ? nil : reminder.values.listID.flatMap { titles[$0] })
    let definitions = TodoZones.definitions(
      namedBy: lines, kept, from: .epoch, except: &zones)
    for line in definitions + lines { ContentLine.write(line, into: buffer) }
  }
}
