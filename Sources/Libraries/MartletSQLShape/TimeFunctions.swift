/// Detects SQL that reads the current time (https://sqlite.org/lang_datefunc.html).
package enum TimeFunctions {
  /// The date and time functions.
  package static let functions: Set<String> = [
    "date", "time", "datetime", "julianday", "unixepoch", "strftime", "timediff",
  ]
  /// The keywords for the current time.
  package static let keywords: Set<String> = ["current_time", "current_date", "current_timestamp"]

  /// Whether the nodes contain `'now'`, or a date function without a time argument.
  static func isNamed(in nodes: [SQLNode]) -> Bool {
    for (place, node) in nodes.enumerated() {
      switch node {
      case .token(let token):
        if token.kind == .string || token.kind == .quoted, token.text.lowercased() == "now" {
          return true
        }
      case .group(let group):
        if place > 0, let name = nodes[place - 1].token, name.isName,
          functions.contains(name.text.lowercased()),
          group.split(atMark: ",").count < (name.isWord("STRFTIME") ? 2 : 1)
            + (group.isEmpty ? 1 : 0)
        {
          return true
        }
        if isNamed(in: group) { return true }
      }
    }
    return false
  }
}
