import MartletCourier
import MartletJSON

/// The body of a message with placeholders such as `{{title}}`. There is no logic.
///
/// Values are escaped for the media type: inside a string of JSON, as a value of a form
/// (https://url.spec.whatwg.org/#application/x-www-form-urlencoded), and not at all otherwise.
struct MessageTemplate {
  /// A placeholder of a template.
  enum Name: String, CaseIterable {
    case title, notes, list, due, type, id, url, event, priority, answer
  }

  private enum Part {
    case text(String)
    case value(Name)
  }

  private enum Escaping { case json, form, none }

  /// The maximum number of placeholders.
  static let mostPlaceholders = 100

  private var parts: [Part] = []
  private let escaping: Escaping
  /// Why the template is invalid; `nil` if it is valid.
  private(set) var problem: String?

  /// - Parameter mediaType: The type of the body, in lower case and without parameters.
  init(_ text: String, mediaType: String) {
    escaping =
      switch mediaType {
      case "application/x-www-form-urlencoded": .form
      case "application/json": .json
      default: mediaType.hasSuffix("+json") ? .json : .none
      }
    read(text)
    guard problem == nil, escaping == .json else { return }
    // The values are strings, so any text shows whether the rest is JSON.
    if JSONValue.stored(filled { _ in "\"\\" }) == nil {
      problem =
        "is not JSON: each placeholder stands for a text inside a string, such as \"{{title}}\""
    }
  }

  private mutating func read(_ text: String) {
    var rest = Substring(text)
    var count = 0
    while let start = rest.firstRange(of: "{{") {
      parts.append(.text(String(rest[..<start.lowerBound])))
      guard let end = rest[start.upperBound...].firstRange(of: "}}") else {
        // Two braces may be a part of JSON.
        return parts.append(.text(String(rest[start.lowerBound...])))
      }
      let inner = rest[start.upperBound..<end.lowerBound]
      let word = inner.trimming { $0 == " " }
      if let name = Name(rawValue: word) {
        parts.append(.value(name))
        count += 1
        rest = rest[end.upperBound...]
      } else if !word.isEmpty, word.utf8.allSatisfy(MessageTemplate.isWord) {
        let all = Name.allCases.map { "{{\($0.rawValue)}}" }.joined(separator: ", ")
        return problem = "{{\(word)}} is unknown; expected \(all)"
      } else {
        parts.append(.text("{{"))
        rest = rest[start.upperBound...]
      }
    }
    parts.append(.text(String(rest)))
    if count > MessageTemplate.mostPlaceholders {
      problem = "expected at most \(MessageTemplate.mostPlaceholders) placeholders, got \(count)"
    }
  }

  /// The text with the values in place of the placeholders.
  func filled(_ value: (Name) -> String) -> String {
    var result = ""
    for part in parts {
      switch part {
      case .text(let text): result += text
      case .value(let name): result += escaped(value(name))
      }
    }
    return result
  }

  private func escaped(_ text: String) -> String {
    switch escaping {
    case .none: return text
    case .json:
      let buffer = ByteBuffer(capacity: text.utf8.count + 2)
      JSONWriter.string(text, into: buffer)
      return String(decoding: buffer.bytes.dropFirst().dropLast(), as: UTF8.self)
    case .form:
      let digits = Array("0123456789ABCDEF".utf8)
      var bytes: [UInt8] = []
      for byte in text.utf8 {
        if byte == UInt8(ascii: " ") {
          bytes.append(UInt8(ascii: "+"))
        } else if MessageTemplate.isWord(byte) || "-.*".utf8.contains(byte) {
          bytes.append(byte)
        } else {
          bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

extension Substring {
  /// Without the characters at both ends that satisfy a condition.
  fileprivate func trimming(_ isTrimmed: (Character) -> Bool) -> String {
    var text = self.drop(while: isTrimmed)
    while let last = text.last, isTrimmed(last) { text.removeLast() }
    return String(text)
  }
}
