import MartletHTTP
import MartletJSON
import MartletTime

/// The text format of the log: time, level, message, then fields as `name=value`.
enum LogText {
  /// Appends the time and the level.
  static func begin(_ level: Log.Level, in line: ByteBuffer) {
    Log.now(in: line, quoted: false)
    line.append(0x20)
    line.append(utf8: level.rawValue)
    line.append(0x20)
  }

  /// Appends a field, with its value in quotation marks if necessary.
  static func append(_ name: String, _ value: String, to line: ByteBuffer) {
    line.append(0x20)
    line.append(utf8: name)
    line.append(UInt8(ascii: "="))
    line.append(utf8: quoted(value))
  }

  /// Appends a request: `info GET /v1/lists 200 1234 bytes 0.312 ms client=127.0.0.1`.
  static func append(_ finished: FinishedRequest, to line: ByteBuffer) {
    begin(.info, in: line)
    line.append(utf8: finished.request.method.name)
    line.append(0x20)
    append(finished.request.path, to: line)
    line.append(0x20)
    line.append(decimal: Int(finished.status.rawValue))
    line.append(0x20)
    line.append(decimal: finished.bytes)
    line.append(" bytes ")
    let microseconds = Int(finished.duration.wholeNanoseconds / 1000)
    line.append(decimal: microseconds / 1000)
    line.append(UInt8(ascii: "."))
    line.append(utf8: String(String(1000 + microseconds % 1000).dropFirst()))
    line.append(" ms client=")
    line.append(utf8: finished.request.client.address)
    if let id = finished.fields["X-Request-ID"] { append("id", id, to: line) }
  }

  /// Appends a text with control characters escaped.
  static func append(_ text: String, to line: ByteBuffer) { line.append(utf8: escaped(text)) }

  private static func quoted(_ value: String) -> String {
    let text = escaped(value)
    let mark = UInt8(ascii: "\"")
    guard text.isEmpty || text.utf8.contains(where: { $0 == 0x20 || $0 == mark }) else {
      return text
    }
    // Split by bytes: a quotation mark followed by a combining mark is a different `Character`, and
    // would not be escaped.
    let parts = text.utf8.split(separator: mark, omittingEmptySubsequences: false)
    return "\"" + parts.map { String(Substring($0)) }.joined(separator: "\\\"") + "\""
  }

  private static func escaped(_ text: String) -> String {
    if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar.properties.generalCategory == .control {
        result += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
