import MartletJSON

/// One unfolded line of a calendar file: `NAME;PARAMETER=value:value` (RFC 5545 section 3.1).
package struct ContentLine: Sendable {
  /// The name, in upper case.
  package let name: String
  /// The parameters: names in upper case, values without quotation marks.
  package let parameters: [(name: String, value: String)]
  /// The value, with its escape sequences.
  package let value: String
  /// The text of the line.
  package let text: String

  /// Parses an unfolded line.
  ///
  /// There may be blanks around parameters, which some programs write.
  package init(_ text: String) throws(CalendarError) {
    self.text = text
    var rest = text.utf8[...]
    name = ContentLine.name(&rest)
    guard !name.isEmpty else { throw ContentLine.malformed(text) }
    ContentLine.skipBlanks(&rest)
    var parameters: [(String, String)] = []
    while rest.first == UInt8(ascii: ";") {
      rest.removeFirst()
      ContentLine.skipBlanks(&rest)
      let name = ContentLine.name(&rest)
      ContentLine.skipBlanks(&rest)
      guard !name.isEmpty, rest.popFirst() == UInt8(ascii: "=") else {
        throw ContentLine.malformed(text)
      }
      ContentLine.skipBlanks(&rest)
      parameters.append((name, try ContentLine.parameterValue(&rest, text)))
    }
    guard rest.popFirst() == UInt8(ascii: ":") else { throw ContentLine.malformed(text) }
    self.parameters = parameters
    value = String(Substring(rest))
  }

  /// A line that takes the place of one that cannot be parsed, and has its text.
  static func unread(_ text: String) -> ContentLine {
    let value = escaped(text)
    return ContentLine(
      name: unread, parameters: [], value: value, text: "\(unread):\(value)")
  }

  private init(name: String, parameters: [(String, String)], value: String, text: String) {
    (self.name, self.parameters, self.value, self.text) = (name, parameters, value, text)
  }

  /// The name of ``unread(_:)``.
  static let unread = "X-MARTLET-UNREAD"

  /// The value of the first parameter with that name, given in upper case.
  package func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

  /// The line with an empty value.
  package var withoutValue: ContentLine {
    (try? ContentLine(String(Substring(text.utf8.dropLast(value.utf8.count))))) ?? self
  }

  private static func name(_ rest: inout Substring.UTF8View) -> String {
    let name = rest.prefix { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    rest = rest[name.endIndex...]
    return Substring(name).uppercased()
  }

  private static func skipBlanks(_ rest: inout Substring.UTF8View) {
    rest = rest.drop(while: isBlank)
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// Reads the value of a parameter, without blanks behind it. Several values stay joined by
  /// commas.
  private static func parameterValue(
    _ rest: inout Substring.UTF8View, _ text: String
  ) throws(CalendarError) -> String {
    var value: [UInt8] = []
    var end = 0
    var isQuoted = false
    while let byte = rest.first {
      if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
        end = value.count
      } else if !isQuoted, byte == UInt8(ascii: ";") || byte == UInt8(ascii: ":") {
        break
      } else {
        value.append(byte)
        if !isBlank(byte) { end = value.count }
      }
      rest.removeFirst()
    }
    guard !isQuoted else { throw malformed(text) }
    return String(decoding: value[..<end], as: UTF8.self)
  }

  private static func malformed(_ text: String) -> CalendarError {
    CalendarError("Expected NAME:value, got \"\(text.excerpt)\".")
  }

  /// The component that a `BEGIN` or `END` line names, in capitals. Some programs append blanks.
  package var component: String {
    String(value.unicodeScalars.prefix { $0 != " " && $0 != "\t" }).uppercased()
  }

  // MARK: Text (RFC 5545 section 3.3.11)

  /// Splits a value at its commas and removes the escapes. A value that is a single text can
  /// contain unescaped commas: use ``text(_:)`` for it.
  ///
  /// - Parameter most: How many are read; the rest of the value is ignored.
  package static func texts(_ value: String, most: Int = .max) -> [String] {
    guard most > 0 else { return [] }
    var texts: [String] = []
    var text: [UInt8] = []
    var isEscaped = false
    for byte in value.utf8 {
      switch byte {
      case UInt8(ascii: "\\") where !isEscaped:
        isEscaped = true
        continue
      case UInt8(ascii: ",") where !isEscaped:
        texts.append(String(decoding: text, as: UTF8.self))
        if texts.count == most { return texts }
        text = []
      case UInt8(ascii: "n") where isEscaped, UInt8(ascii: "N") where isEscaped: text.append(0x0A)
      case UInt8(ascii: "\\"), UInt8(ascii: ";"), UInt8(ascii: ","), UInt8(ascii: ":"),
        UInt8(ascii: "\""):
        text.append(byte)
      default:
        // No escape: a path of Windows, for example.
        if isEscaped { text.append(UInt8(ascii: "\\")) }
        text.append(byte)
      }
      isEscaped = false
    }
    if isEscaped { text.append(UInt8(ascii: "\\")) }
    return texts + [String(decoding: text, as: UTF8.self)]
  }

  /// The value as a single text, without escapes.
  package static func text(_ value: String) -> String { texts(value).joined(separator: ",") }

  /// The text with escapes, for use as a value.
  package static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: needsEscape) else { return text }
    var value: [UInt8] = []
    var last: UInt8 = 0
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\\"), UInt8(ascii: ";"), UInt8(ascii: ","):
        value.append(UInt8(ascii: "\\"))
        value.append(byte)
      case 0x0A where last == 0x0D: break
      case 0x0A, 0x0D: value.append(contentsOf: "\\n".utf8)
      case _ where isControl(byte): break
      default: value.append(byte)
      }
      last = byte
    }
    return String(decoding: value, as: UTF8.self)
  }

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\\") || byte == UInt8(ascii: ";") || byte == UInt8(ascii: ",")
      || isControl(byte)
  }

  /// Whether a content line must not contain the byte: CONTROL in section 3.1, which does not
  /// include U+0085 and similar characters.
  package static func isControl(_ byte: UInt8) -> Bool {
    byte < 0x20 && byte != 0x09 || byte == 0x7F
  }

  // MARK: Writing

  /// Writes a line, folded so that no piece is longer than 75 bytes. Characters are not split.
  package static func write(_ line: String, into buffer: ByteBuffer) {
    if line.utf8.count <= 75 {
      buffer.append(utf8: line)
      buffer.append("\r\n")
      return
    }
    var room = 75
    for byte in line.utf8 {
      // The first byte of a character, whose high bits give its length (RFC 3629 section 3).
      if byte & 0xC0 != 0x80 {
        let count = max((~byte).leadingZeroBitCount, 1)
        if count > room {
          buffer.append("\r\n ")
          room = 74
        }
        room -= count
      }
      buffer.append(byte)
    }
    buffer.append("\r\n")
  }
}
