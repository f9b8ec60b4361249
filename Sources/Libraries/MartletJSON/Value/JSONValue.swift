/// A JSON value as a tree, for request bodies and tests. Responses are written directly into a
/// ``ByteBuffer`` with ``JSONWriter``.
///
/// Parsing is lossless: integers are exact, other numbers keep their text, and objects keep the
/// order and the duplicates of their members. `==` compares all of that, and strings by their
/// bytes. ``isEquivalent(to:)`` compares meanings.
public enum JSONValue: Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// An integer without fraction or exponent that fits in 64 bits. `-0` is a ``number(_:)``
  /// instead.
  case integer(Int64)
  /// Any other number.
  case number(JSONNumber)
  /// A string.
  case string(String)
  /// An array with its elements.
  case array([JSONValue])
  /// An object with its members.
  case object(JSONObject)

  /// Whether both values mean the same. The order of members, all but the last of duplicate
  /// members, and the spelling of numbers make no difference.
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
      // Whole numbers are compared exactly, other numbers as `Double`.
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

  /// The kind of value for an error message: `a string`, `null`, …
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
  /// Whether the value is `null`.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// The boolean, or `nil` for another kind of value.
  public var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The number if it is a whole number that fits in 64 bits, however it is written: `7`, `7.0`,
  /// `70e-1`. Otherwise `nil`.
  public var int64: Int64? {
    switch self {
    case .integer(let value): value
    case .number(let value): value.int64
    default: nil
    }
  }

  /// The nearest `Double` of a number, infinite outside its range, or `nil` for another kind of
  /// value.
  public var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value.double
    default: nil
    }
  }

  /// The string, or `nil` for another kind of value.
  public var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The elements of an array, or `nil` for another kind of value.
  public var array: [JSONValue]? {
    if case .array(let value) = self { value } else { nil }
  }

  /// The object, or `nil` for another kind of value.
  public var object: JSONObject? {
    if case .object(let value) = self { value } else { nil }
  }
}

// There is no `nil` literal: in an expression of type `JSONValue?` it could mean "missing" or
// "null".
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
  /// Makes an object from a dictionary literal, with its members in order.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(elements))
  }
}

extension JSONValue: CustomStringConvertible {
  /// The JSON text without whitespace.
  public var description: String {
    let buffer = ByteBuffer(capacity: 256)
    writeJSON(into: buffer)
    return String(decoding: buffer.bytes, as: UTF8.self)
  }
}

extension JSONValue {
  /// The member of an object, or `nil` if it is missing or the value is not an object.
  ///
  /// ```swift
  /// value["items"]?[0]?["title"]?.string
  /// ```
  public subscript(name: String) -> JSONValue? { object?[name] }

  /// The element of an array, or `nil` past its end or if the value is not an array.
  public subscript(index: Int) -> JSONValue? {
    guard let array, array.indices.contains(index) else { return nil }
    return array[index]
  }
}
