import MartletJSON
import MartletLiveAPI
import MartletReminders
import MartletTime

/// A format of export and import.
public enum TransferFormat: String, CaseIterable, Sendable {
  /// Newline-delimited JSON, which contains all data.
  case ndjson
  /// A table of reminders for spreadsheets.
  case csv
  /// An iCalendar file with a to-do for each reminder.
  case ics

  /// The media type with its parameters, for `Content-Type`.
  public var mediaType: String {
    switch self {
    case .ndjson: "application/x-ndjson"
    case .csv: "text/csv; charset=utf-8"
    case .ics: CalendarFile.type
    }
  }

  /// The media type without parameters.
  var shortType: String {
    switch self {
    case .ndjson: "application/x-ndjson"
    case .csv: "text/csv"
    case .ics: "text/calendar"
    }
  }

  /// Whether an import can change what is there. The other formats have what a calendar does not
  /// have, such as completions, or no UIDs.
  public var canUpdate: Bool { self == .ics }

  /// Makes a writer for this format.
  ///
  /// - Parameter house: The zone of reminders that name none.
  public func writer(house: ZoneInfo = .utc) -> any TransferWriter {
    switch self {
    case .ndjson: NDJSON.Writer()
    case .csv: CSV.Writer()
    case .ics: ICalendar.Writer(house: house)
    }
  }

  /// Makes a reader for this format.
  ///
  /// - Parameters:
  ///   - depthLimit: The maximum nesting of arrays and objects in a line of JSON.
  ///   - house: The zone of times that name none, in a calendar that does not say it.
  public func reader(depthLimit: Int = 64, house: ZoneInfo = .utc) -> any TransferReader {
    switch self {
    case .ndjson: NDJSON.Reader(depthLimit: depthLimit)
    case .csv: CSV.Reader()
    case .ics: ICalendar.Reader(house: house)
    }
  }
}

/// Writes records in one format.
public protocol TransferWriter {
  /// Appends the beginning of the file. Called first.
  func begin(into buffer: ByteBuffer)
  /// Appends a record. Lists must come before their reminders.
  mutating func write(_ record: TransferRecord, into buffer: ByteBuffer)
  /// Appends the end of the file. Called last, with the number of records.
  mutating func end(_ counts: TransferCounts, into buffer: ByteBuffer)
}

/// Reads the lines of a file in one format.
public protocol TransferReader {
  /// Reads a line without its line break, and returns the records that are complete with it.
  ///
  /// Throws if the line is invalid; ``line`` then has its number.
  mutating func read(_ line: UnsafeBufferPointer<UInt8>) throws(APIProblem) -> [TransferRecord]
  /// Throws if the file is incomplete. Called after the last line.
  mutating func finish() throws(APIProblem)
  /// The number of the current line, from 1, for error messages; 0 if an error concerns the whole
  /// file.
  var line: Int { get }
}
