import JSON
import LiveAPI

/// One line of a calendar file, unfolded: `NAME;PARAMETER=value:value` (RFC 5545 section 3.1).
struct ContentLine {
  /// In capitals.
  let name: String
  /// Names in capitals, values without their quotation marks.
  let parameters: [(name: String, value: String)]
  let value: String
  /// As it came.
  let text: String

  init(_ text: String) throws(APIProblem) {
    self.text = text
    var rest = text.utf8[...]
    name = ContentLine.name(&rest)
    guard !name.isEmpty else { throw ContentLine.malformed(text) }
    var parameters: [(String, String)] = []
    while rest.first == UInt8(ascii: ";") {
      rest.removeFirst()
      let name = ContentLine.name(&rest)
      guard !name.isEmpty, rest.popFirst() == UInt8(ascii: "=") else {
        throw ContentLine.malformed(text)
      }
      parameters.append((name, try ContentLine.parameterValue(&rest, text)))
    }
    guard rest.popFirst() == UInt8(ascii: ":") else { throw ContentLine.malformed(text) }
    self.parameters = parameters
    value = String(Substring(rest))
  }

  func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

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

  /// All values of a parameter that has several, commas included.
  private static func parameterValue(
    _ rest: inout Substring.UTF8View, _ text: String
  ) throws(APIProblem) -> String {
    var value: [UInt8] = []
    var isQuoted = false
    while let byte = rest.first {
      if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
      } else if !isQuoted, byte == UInt8(ascii: ";") || byte == UInt8(ascii: ":") {
        break
      } else {
        value.append(byte)
      }
      rest.removeFirst()
    }
    guard !isQuoted else { throw malformed(text) }
    return String(decoding: value, as: UTF8.self)
  }

  private static func malformed(_ text: String) -> APIProblem {
    APIProblem(.invalidBody, "Expected NAME:value, got \"\(text.prefix(60))\".")
  }

  // MARK: Text (RFC 5545 section 3.3.11)

  /// The texts of a value, which stand between commas; a value of one text may have commas of its own.
  static func texts(_ value: String) -> [String] {
    var texts = [String.UnicodeScalarView()]
    var isEscaped = false
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\\" where !isEscaped:
        isEscaped = true
        continue
      case "," where !isEscaped: texts.append(String.UnicodeScalarView())
      case "n" where isEscaped, "N" where isEscaped: texts[texts.count - 1].append("\n")
      default: texts[texts.count - 1].append(scalar)
      }
      isEscaped = false
    }
    return texts.map { String($0) }
  }

  static func text(_ value: String) -> String { texts(value).joined(separator: ",") }

  static func escaped(_ text: String) -> String {
    var value = String.UnicodeScalarView()
    var last: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", ";", ",":
        value.append("\\")
        value.append(scalar)
      case "\n" where last == "\r": break
      case "\n", "\r": value.append(contentsOf: "\\n".unicodeScalars)
      // What a content line cannot hold.
      case _ where scalar.properties.generalCategory == .control && scalar != "\t": break
      default: value.append(scalar)
      }
      last = scalar
    }
    return String(value)
  }

  // MARK: Writing

  /// Folded, so that no line is longer than 75 bytes; a character stays whole.
  static func write(_ line: String, into buffer: ByteBuffer) {
    if line.utf8.count <= 75 {
      buffer.append(utf8: line)
      buffer.append("\r\n")
      return
    }
    var room = 75
    for scalar in line.unicodeScalars {
      let count = UTF8.width(scalar)
      if count > room {
        buffer.append("\r\n ")
        room = 74
      }
      buffer.append(utf8: String(scalar))
      room -= count
    }
    buffer.append("\r\n")
  }
}
