/// `name` as an SQL identifier: `"it's ""quoted"""`.
package func quoted(identifier name: String) -> String { quoted(name, by: "\"") }

/// `text` as an SQL string literal. SQLite ends a literal at a NUL byte, so such a text is built from
/// its bytes (https://sqlite.org/nulinstr.html).
package func quoted(literal text: String) -> String {
  guard text.utf8.contains(0) else { return quoted(text, by: "'") }
  return "CAST(\(quoted(blob: Array(text.utf8))) AS TEXT)"
}

package func quoted(blob bytes: [UInt8]) -> String {
  var text = "X'"
  for byte in bytes {
    if byte < 16 { text += "0" }
    text += String(byte, radix: 16, uppercase: true)
  }
  return text + "'"
}

private func quoted(_ text: String, by mark: Character) -> String {
  guard text.contains(mark) else { return "\(mark)\(text)\(mark)" }
  var result = String(mark)
  for character in text {
    result.append(character)
    if character == mark { result.append(mark) }
  }
  result.append(mark)
  return result
}
