import Glibc
import MartletHTTP
import MartletJSON
import MartletSQLite
import MartletTime

/// The log on standard error: one line per event, as text or as JSON.
///
/// Control characters are escaped in both formats, so that a client cannot forge log lines.
struct Log: Sendable {
  /// The severity of a line.
  enum Level: String, CaseIterable, Comparable, Sendable {
    case debug, info, warning, error

    static func < (one: Level, other: Level) -> Bool { one.rank < other.rank }
    private var rank: Int { Level.allCases.firstIndex(of: self) ?? 0 }
  }

  /// The format of the lines.
  enum Format: String, CaseIterable, Sendable { case text, json }

  /// A value of a line's named fields. In JSON a number is written as a number.
  enum Value: ExpressibleByStringInterpolation, CustomStringConvertible {
    case text(String), number(Int), absent

    /// An error without its SQL: its cause is outside the program, so the statement says nothing.
    static func cause(_ error: any Error) -> Value {
      .text((error as? SQLiteError)?.cause ?? "\(error)")
    }

    init(stringLiteral text: String) { self = .text(text) }

    var description: String {
      switch self {
      case .text(let text): text
      case .number(let number): "\(number)"
      case .absent: ""
      }
    }
  }

  private let level: Level
  private let format: Format
  private let sink: LogSink

  init(_ level: Level = .info, _ format: Format = .text, to descriptor: Int32 = STDERR_FILENO) {
    self.level = level
    self.format = format
    sink = LogSink(descriptor) { count, line in
      Log.append(
        .warning, "log lines were dropped", ["lines": .number(count)], format, to: line)
    }
  }

  /// Whether lines of this level are logged.
  func tells(_ level: Level) -> Bool { level >= self.level }

  /// Logs a line with a message and named fields.
  func callAsFunction(
    _ level: Level, _ text: String, _ pairs: KeyValuePairs<String, Value> = [:]
  ) {
    guard tells(level) else { return }
    sink.add(atOnce: level >= .warning) { Log.append(level, text, pairs, format, to: $0) }
  }

  /// Writes a line immediately and regardless of the level.
  ///
  /// In the text format the line has only the text, without time and level.
  func announce(_ text: String, to descriptor: Int32) {
    guard format == .json else { return Output.line(text, to: descriptor) }
    let line = ByteBuffer(capacity: 256)
    Log.append(.info, text, [:], format, to: line)
    _ = Output.write(UnsafeRawBufferPointer(line.bytes), to: descriptor)
  }

  private static func append(
    _ level: Level, _ text: String, _ pairs: KeyValuePairs<String, Value>, _ format: Format,
    to line: ByteBuffer
  ) {
    switch format {
    case .text:
      LogText.begin(level, in: line)
      LogText.append(text, to: line)
      for (name, value) in pairs { LogText.append(name, value.description, to: line) }
    case .json:
      JSONWriter.object(into: line) { object in
        object.member("time") { Log.now(in: $0, quoted: true) }
        object.member("level", level.rawValue)
        object.member("message", text)
        for (name, value) in pairs {
          object.name(dynamic: name)
          switch value {
          case .text(let text): JSONWriter.string(text, into: line)
          case .number(let number): JSONWriter.integer(Int64(number), into: line)
          case .absent: JSONWriter.null(into: line)
          }
        }
      }
    }
    line.append(0x0A)
  }

  /// Logs a request and its response, without the query, which may contain secrets.
  func callAsFunction(_ finished: FinishedRequest) {
    guard tells(.info) else { return }
    sink.add(atOnce: false) { line in
      switch format {
      case .text: LogText.append(finished, to: line)
      case .json: Log.append(finished, to: line)
      }
      line.append(0x0A)
    }
  }

  private static func append(_ finished: FinishedRequest, to line: ByteBuffer) {
    let request = finished.request
    JSONWriter.object(into: line) { object in
      object.member("time") { now(in: $0, quoted: true) }
      object.member("level", "info")
      object.member("message", "request")
      object.member("method", request.method.name)
      object.member("path") { line in request.withPath { JSONWriter.string($0, into: line) } }
      if let route = request.route { object.member("route", route) }
      object.member("status", Int(finished.status.rawValue))
      object.member("bytes", finished.bytes)
      object.member("microseconds", Int(finished.duration.wholeNanoseconds / 1000))
      object.member("client") { line in
        line.append(UInt8(ascii: "\""))
        request.client.writeAddress(to: line)
        line.append(UInt8(ascii: "\""))
      }
      finished.fields.withFirst("X-Request-ID") { id in
        object.member("id") { JSONWriter.string(id, into: $0) }
      }
    }
  }

  /// Appends the current time (RFC 3339).
  static func now(in line: ByteBuffer, quoted: Bool) {
    if quoted { line.append(UInt8(ascii: "\"")) }
    _ = line.append(upTo: RFC3339.length) { room in
      if let start = room.baseAddress { RFC3339.write(Clock.system.now(), to: start) }
      return RFC3339.length
    }
    if quoted { line.append(UInt8(ascii: "\"")) }
  }

  /// Returns when all lines are written, or after a second if they cannot be written.
  func finish() { sink.finish() }
}
