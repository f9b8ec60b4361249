import MartletJSON
import MartletReminders
import MartletTime

/// The export and import format iCalendar (RFC 5545): each reminder is a to-do. `TodoText` says
/// what is in one, and `Todo` how it is read.
public enum ICalendar {
  /// The name of the property that has the default zone of a calendar.
  static let calendarZone = "X-WR-TIMEZONE"

  /// Writes a calendar.
  struct Writer: TransferWriter {
    private var file: CalendarFile

    init(house: ZoneInfo = .utc) { file = CalendarFile(house: house) }

    func begin(into buffer: ByteBuffer) { file.begin(into: buffer) }
    mutating func write(_ record: TransferRecord, into buffer: ByteBuffer) {
      file.write(record, into: buffer)
    }
    mutating func end(_ counts: TransferCounts, into buffer: ByteBuffer) {
      file.end(into: buffer)
    }
  }
}
