/// `name` as an SQL identifier: `"it's ""quoted"""`.
package func quoted(identifier name: String) -> String { quoted(name, by: UInt8(ascii: "\"")) }

extension String {
  /// The same at the end of a text.
  mutating func append(identifier name: String) {
    if name.utf8.contains(UInt8(ascii: "\"")) {
      self += quoted(identifier: name)
    } else {
      self += "\""
      self += name
      self += "\""
    }
  }

  /// `"reminders"."title"` at the end of a text.
  mutating func append(column name: String, of qualifier: String) {
    append(identifier: qualifier)
    self += "."
    append(identifier: name)
  }
}

/// `text` as an SQL string literal. SQLite ends a literal at a NUL byte, so such a text is built from
/// its bytes (https://sqlite.org/nulinstr.html).
package func quoted(literal text: String) -> String {
  guard text.utf8.contains(0) else { return quoted(text, by: UInt8(ascii: "'")) }
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

// Byte by byte: by characters it took half the time of building a query.
private func quoted(_ text: String, by mark: UInt8) -> String {
  let count = text.utf8.count
  let marks = text.utf8.count { $0 == mark }
  return String(unsafeUninitializedCapacity: count + marks + 2) { buffer in
    buffer[0] = mark
    var end = 1
    for byte in text.utf8 {
      buffer[end] = byte
      end += 1
      if byte == mark {
        buffer[end] = mark
        end += 1
      }
    }
    buffer[end] = mark
    return end + 1
  }
}
