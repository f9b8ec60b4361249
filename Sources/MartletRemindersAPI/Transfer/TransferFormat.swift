import MartletJSON
import MartletLiveAPI
import MartletReminders

/// How a transfer is written.
public enum TransferFormat: String, CaseIterable, Sendable {
  /// All of it.
  case ndjson
  /// The reminders, for spreadsheets.
  case csv
  /// The reminders, for calendar programs.
  case ics

  public var mediaType: String {
    switch self {
    case .ndjson: "application/x-ndjson"
    case .csv: "text/csv; charset=utf-8"
    case .ics: "text/calendar; charset=utf-8"
    }
  }

  /// Without its parameters.
  var shortType: String {
    switch self {
    case .ndjson: "application/x-ndjson"
    case .csv: "text/csv"
    case .ics: "text/calendar"
    }
  }

  public func writer() -> any TransferWriter {
    switch self {
    case .ndjson: NDJSON.Writer()
    case .csv: CSV.Writer()
    case .ics: ICalendar.Writer()
    }
  }

  public func reader(depthLimit: Int = 64) -> any TransferReader {
    switch self {
    case .ndjson: NDJSON.Reader(depthLimit: depthLimit)
    case .csv: CSV.Reader()
    case .ics: ICalendar.Reader()
    }
  }
}

/// Writes records, one after the other.
public protocol TransferWriter {
  func begin(into buffer: ByteBuffer)
  mutating func write(_ record: TransferRecord, into buffer: ByteBuffer)
  mutating func end(_ counts: TransferCounts, into buffer: ByteBuffer)
}

/// Reads line after line.
public protocol TransferReader {
  mutating func read(_ line: UnsafeBufferPointer<UInt8>) throws(APIProblem) -> [TransferRecord]
  /// After the last line: whether it was all.
  mutating func finish() throws(APIProblem)
  /// The number of the line that is at fault where something is.
  var line: Int { get }
}
