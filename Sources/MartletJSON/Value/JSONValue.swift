/// A JSON text as a tree: for request bodies and tests. Answers are written straight into a
/// ``ByteBuffer`` by ``JSONWriter``.
///
/// Nothing is lost on the way in: integers are exact, other numbers keep their text, objects keep
/// the order and the duplicates of their members. `==` compares all of that, strings byte by byte;
/// ``isEquivalent(to:)`` compares what the values mean.
public enum JSONValue: Sendable {
  case null
  case bool(Bool)
  /// An integer without fraction and exponent that fits 64 bits. `-0` does not: it is a `number`.
  case integer(Int64)
  /// Every other number.
  case number(JSONNumber)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)

  /// Whether both mean the same: objects without regard to the order of their members, and with the
  /// last of duplicate members only; numbers however they are written.
  public func isEquivalent(to other: JSONValue) -> Bool {
    switch (self, other) {
    case (.array(let left), .array(let right)):
      return left.count == right.count && zip(left, right).allSatisfy { $0.isEquivalent(to: $1) }
    case (.object(let left), .object(let right)):
      let left = left.lastMembers
      let right = right.lastMembers
      return left.count == right.count
        && left.allSatisfy { name, value in right[name]?.isEquivalent(to: value) ?? false }
    case (.integer, .number), (.number, .integer), (.number, .number):
      // Whole numbers exactly; of others, what they are when they are counted with.
      if self == other { return true }
      guard let left = int64, let right = other.int64 else {
        return int64 == nil && other.int64 == nil && double == other.double
          && double?.isFinite == true
      }
      return left == right
    default:
      return self == other
    }
  }

  /// What kind of value it is, in the words of an error message: `a string`, `null`, …
  public var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .integer, .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension JSONValue: Hashable {
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.string(let left), .string(let right)): ExactText.areEqual(left, right)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .integer(let value): hasher.combine(value)
    case .number(let value): hasher.combine(value)
    case .string(let value): ExactText.hash(value, into: &hasher)
    case .array(let value): hasher.combine(value)
    case .object(let value): hasher.combine(value)
    }
  }
}

extension JSONValue {
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }

  public var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The number, when it is a whole one that fits 64 bits, however it is written: `7`, `7.0`,
  /// `70e-1`.
  public var int64: Int64? {
    switch self {
    case .integer(let value): value
    case .number(let value): value.int64
    default: nil
    }
  }

  /// The nearest `Double` of a number; infinite beyond its range.
  public var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value.double
    default: nil
    }
  }

  public var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  public var array: [JSONValue]? {
    if case .array(let value) = self { value } else { nil }
  }

  public var object: JSONObject? {
    if case .object(let value) = self { value } else { nil }
  }
}

// No `nil` literal: in an expression of type `JSONValue?` it would now mean "nothing", now "null".
extension JSONValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(floatLiteral value: Double) {
    self = JSONNumber(value).map(JSONValue.number) ?? .null
  }
  public init(stringLiteral value: String) { self = .string(value) }
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(elements))
  }
}

extension JSONValue: CustomStringConvertible {
  /// The JSON text, without spaces.
  public var description: String {
    let buffer = ByteBuffer(capacity: 256)
    writeJSON(into: buffer)
    return String(decoding: buffer.bytes, as: UTF8.self)
  }
}
