import Glibc
import Time

/// One line for each thing worth telling, on standard error: time, level, text, then `key=value`.
///
/// Control characters come out as escapes, so that nobody can write lines of their own into the log.
struct Log: Sendable {
  enum Level: String, Sendable { case info, warning, error }

  func callAsFunction(
    _ level: Level, _ text: String, _ pairs: KeyValuePairs<String, String> = [:]
  ) {
    var line = "\(RFC3339.string(Clock.system.now())) \(level.rawValue) \(escaped(text))"
    for (key, value) in pairs { line += " \(key)=\(quoted(value))" }
    line += "\n"
    // One write for a line: those of several threads do not mix.
    line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  private func quoted(_ value: String) -> String {
    let text = escaped(value)
    return text.contains(" ") || text.contains("\"") || text.isEmpty
      ? "\""
        + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\"")
        + "\"" : text
  }

  private func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) {
        result += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
