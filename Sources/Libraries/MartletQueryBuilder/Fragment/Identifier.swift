/// A name as an SQL identifier: `"it's ""quoted"""`.
package func quoted(identifier name: String) -> String { quoted(name, by: UInt8(ascii: "\"")) }

extension String {
  /// Appends a qualified column: `"reminders"."title"`.
  mutating func append(column name: String, of qualifier: String) {
    self += quoted(identifier: qualifier)
    self += "."
    self += quoted(identifier: name)
  }
}

/// A text as an SQL string literal: `'it''s'`.
///
/// SQLite ends a literal at a NUL byte, so a text that contains one is built from its bytes
/// (https://sqlite.org/nulinstr.html).
package func quoted(literal text: String) -> String {
  guard text.utf8.contains(0) else { return quoted(text, by: UInt8(ascii: "'")) }
  return "CAST(\(quoted(blob: Array(text.utf8))) AS TEXT)"
}

/// Bytes as an SQL blob literal: `X'01FF'`.
package func quoted(blob bytes: [UInt8]) -> String {
  var text = "X'"
  for byte in bytes {
    if byte < 16 { text += "0" }
    text += String(byte, radix: 16, uppercase: true)
  }
  return text + "'"
}

private func quoted(_ text: String, by mark: UInt8) -> String {
  let marks = count(of: mark, in: text)
  return String(unsafeUninitializedCapacity: text.utf8.count + marks + 2) { buffer in
    var quoted = TextBuffer(buffer)
    quoted.append(text, quotedBy: mark, isPlain: marks == 0)
    return quoted.count
  }
}

/// A type's name as it is written in code.
///
/// If the type is known at compile time, the optimizer gives a private type a longer name,
/// `(Email in _2ACB…)`. That is why the parameter is not generic and the function is not inlined.
@inline(never) @usableFromInline package func typeName(_ type: Any.Type) -> String { "\(type)" }
