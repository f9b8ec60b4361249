import Foundation

/// What a trigger does, read from its SQL.
struct PrintedTrigger {
  /// The name without the prefix and the table.
  let name: String
  let table: String
  let event: String
  let refuses: [String]
  let writes: [String]
  /// The condition, in SQL without quotation marks of names.
  let condition: String?
  /// The text between BEGIN and END.
  let body: String

  init(_ name: String, _ sql: String) {
    let sql = sql.replacing("\"", with: "")
    let head = sql.firstMatch(
      of:
        #/CREATE TRIGGER \w+ (BEFORE|AFTER) (INSERT|DELETE|UPDATE(?: OF [\w, ]+)?) ON (\w+)(.*?)\bBEGIN\b/#
        .dotMatchesNewlines())
    let kind = head.map { "\($0.output.1) \($0.output.2)" } ?? ""
    table = head.map { String($0.output.3) } ?? ""
    condition = (head?.output.4).flatMap { text in
      text.firstRange(of: "WHEN ").map { String(text[$0.upperBound...]) }
    }
    event =
      kind.replacing("BEFORE", with: "before").replacing("AFTER", with: "after")
      .replacing("INSERT", with: "insert").replacing("DELETE", with: "delete")
      .replacing("UPDATE OF", with: "update of").replacing("UPDATE", with: "update")
      + (condition == nil ? "" : ", sometimes")
    self.name = name.replacing("martlet_", with: "").replacing("\(table)_", with: "")
    let rest = head.map { sql[$0.range.upperBound...] } ?? ""
    let body = rest.ranges(of: "END").last.map { String(rest[..<$0.lowerBound]) } ?? ""
    self.body = body
    refuses = body.matches(of: #/RAISE\(ABORT, 'martlet: ((?:[^']|'')*)'\)/#).map {
      String($0.output.1).replacing("''", with: "'")
    }.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    let statement =
      #/(?:INSERT (?:OR \w+ )?INTO (?<added>\w+)|DELETE FROM (?<deleted>\w+)|UPDATE (?:OR \w+ )?(?<set>\w+) SET )/#
    writes = body.matches(of: statement).map { match in
      if let table = match.output.added { return "adds to \(table)" }
      if let table = match.output.deleted { return "deletes from \(table)" }
      let columns = Self.columns(setBy: body[match.range.upperBound...]).joined(separator: ", ")
      return "sets \(columns) of \(match.output.set ?? "")"
    }
  }

  /// The columns that the text behind `SET` assigns, up to the end of the assignments.
  private static func columns(setBy text: Substring) -> [String] {
    var depth = 0
    var read = ""
    var columns: [String] = []
    for character in text {
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      read.append(character)
      if depth == 0, character == ";" || read.hasSuffix(" WHERE") { break }
      guard depth == 0, character == "=" else { continue }
      // The word before the sign, or the names in parentheses before it.
      let before = read.dropLast().trimmingCharacters(in: .whitespaces)
      if let names = before.firstMatch(of: #/\(([\w, ]+)\)$/#) {
        columns += names.output.1.split(separator: ", ").map(String.init)
      } else if let name = before.firstMatch(of: #/(?:^|, )(?:\w+\.)?(\w+)$/#) {
        columns.append(String(name.output.1))
      }
    }
    return columns
  }
}
