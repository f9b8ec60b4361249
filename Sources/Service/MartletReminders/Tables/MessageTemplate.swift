import MartletCourier
import MartletJSON

/// The body of a message with placeholders such as `{{title}}`, its URL, or a header field. There
/// is no logic.
///
/// Values are escaped: inside a string of JSON, as a value of a form
/// (https://url.spec.whatwg.org/#application/x-www-form-urlencoded), as a segment of a URL, and not
/// at all in other media types and in header fields.
struct MessageTemplate {
  /// A placeholder of a template.
  enum Name: String, CaseIterable {
    case title, notes, list, due, type, id, url, event, priority, answer, secret
  }

  private enum Part {
    case text(String)
    case value(Name)
  }

  private enum Escaping { case json, form, segment, none }

  /// The placeholders of URLs and header fields, where a text of a person has no place.
  private static let plain: [Name] = [.event, .secret]

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
    read(text, Name.allCases)
    guard problem == nil, escaping == .json else { return }
    // The values are strings, so any text shows whether the rest is JSON.
    if JSONValue.stored(filled { _ in "\"\\" }) == nil {
      problem =
        "is not JSON: each placeholder stands for a text inside a string, such as \"{{title}}\""
    }
  }

  /// A URL. Its host and its port are fixed.
  init(url: String) {
    escaping = .segment
    read(url, MessageTemplate.plain)
    let origins = ["1", "2"].map { text in
      filled { _ in text }.split(
        separator: "/", maxSplits: 3, omittingEmptySubsequences: false
      ).prefix(3).joined(separator: "/").prefix { $0 != "?" }
    }
    if problem == nil, origins[0] != origins[1] {
      problem = "has a placeholder before the path"
    }
  }

  /// The value of a header field.
  init(field: String) {
    escaping = .none
    read(field, MessageTemplate.plain)
  }

  private mutating func read(_ text: String, _ names: [Name]) {
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
      if let name = names.first(where: { $0.rawValue == word }) {
        parts.append(.value(name))
        count += 1
        rest = rest[end.upperBound...]
      } else if !word.isEmpty, word.utf8.allSatisfy(MessageTemplate.isWord) {
        let all = names.map { "{{\($0.rawValue)}}" }.joined(separator: ", ")
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
    case .form, .segment:
      let digits = Array("0123456789ABCDEF".utf8)
      var bytes: [UInt8] = []
      for byte in text.utf8 {
        if escaping == .form, byte == UInt8(ascii: " ") {
          bytes.append(UInt8(ascii: "+"))
        } else if MessageTemplate.isWord(byte)
          || (escaping == .form ? "-.*" : "-.~").utf8.contains(byte)
        {
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
