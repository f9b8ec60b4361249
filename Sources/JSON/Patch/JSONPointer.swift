/// A JSON Pointer, RFC 6901: the way from a document's root to one value in it.
public struct JSONPointer: Hashable, Sendable {
  /// Member names and array indices, unescaped. None: the whole document.
  public let tokens: [String]

  public init(_ tokens: [String] = []) {
    self.tokens = tokens
  }

  /// Reads the text form; `nil` unless it is empty or begins with a slash, and each `~` is followed
  /// by 0 or 1.
  public init?(parsing text: String) {
    guard !text.isEmpty else {
      self.init()
      return
    }
    // Over the UTF-8: a combining character behind a slash would make one Character of the two.
    guard text.utf8.first == UInt8(ascii: "/") else { return nil }
    var tokens: [String] = []
    for part in text.utf8.dropFirst()
      .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    {
      guard let token = JSONPointer.unescape(part) else { return nil }
      tokens.append(token)
    }
    self.init(tokens)
  }

  /// Tokens are compared byte by byte (RFC 6901 section 4).
  public static func == (left: JSONPointer, right: JSONPointer) -> Bool {
    left.tokens.elementsEqual(right.tokens, by: ExactText.areEqual)
  }

  public func hash(into hasher: inout Hasher) {
    for token in tokens { ExactText.hash(token, into: &hasher) }
  }

  public func appending(_ token: String) -> JSONPointer { JSONPointer(tokens + [token]) }

  public func appending(_ index: Int) -> JSONPointer { appending(String(index)) }

  /// The value it points to; `nil` when there is none. Of duplicate members it is the last; `-`,
  /// the place behind an array's end, has no value.
  public func resolve(in document: JSONValue) -> JSONValue? {
    var value = document
    for token in tokens {
      switch value {
      case .object(let object):
        guard let member = object[token] else { return nil }
        value = member
      case .array(let elements):
        guard let index = JSONPointer.index(token), index < elements.count else { return nil }
        value = elements[index]
      default:
        return nil
      }
    }
    return value
  }

  /// RFC 6901 section 4: digits without leading zeros.
  private static func index(_ token: String) -> Int? {
    let digits = token.utf8
    guard digits.allSatisfy({ $0 &- 0x30 < 10 }), digits.first != 0x30 || digits.count == 1 else {
      return nil
    }
    return Int(token)
  }

  private static func unescape(_ part: some Sequence<UInt8>) -> String? {
    var bytes: [UInt8] = []
    var isEscape = false
    for byte in part {
      switch (isEscape, byte) {
      case (true, UInt8(ascii: "0")): bytes.append(UInt8(ascii: "~"))
      case (true, UInt8(ascii: "1")): bytes.append(UInt8(ascii: "/"))
      case (true, _): return nil
      case (false, UInt8(ascii: "~")):
        isEscape = true
        continue
      case (false, _): bytes.append(byte)
      }
      isEscape = false
    }
    return isEscape ? nil : String(decoding: bytes, as: UTF8.self)
  }
}

extension JSONPointer: CustomStringConvertible {
  /// The text form: `/tags/0`, with `~` written as `~0` and `/` as `~1`.
  public var description: String {
    var bytes: [UInt8] = []
    for token in tokens {
      bytes.append(UInt8(ascii: "/"))
      for byte in token.utf8 {
        switch byte {
        case UInt8(ascii: "~"): bytes.append(contentsOf: "~0".utf8)
        case UInt8(ascii: "/"): bytes.append(contentsOf: "~1".utf8)
        default: bytes.append(byte)
        }
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
