/// An SQL value: the content of a column, a bound parameter, or an argument or result of a
/// function.
///
/// The cases are the five storage classes of https://sqlite.org/datatype3.html.
public enum Value: Sendable, Hashable {
  /// A signed integer of up to 64 bits.
  case integer(Int64)
  /// A 64-bit floating-point number.
  case real(Double)
  /// A text.
  case text(String)
  /// Bytes.
  case blob([UInt8])
  /// NULL.
  case null
}

/// The name of ``Value`` in the signatures of functions.
public typealias SQLiteValue = Value

extension Value {
  /// Makes an integer from Swift's `Int`, as in `.integer(user.id)`.
  @_disfavoredOverload
  @inlinable public static func integer(_ value: Int) -> Value { .integer(Int64(value)) }

  /// Whether the value is NULL.
  @inlinable public var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// The integer, or `nil` for another type.
  @inlinable public var integer: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  /// The number as a `Double`, or `nil` if the value is neither a real nor an integer.
  @inlinable public var real: Double? {
    switch self {
    case .real(let value): value
    case .integer(let value): Double(value)
    case .text, .blob, .null: nil
    }
  }

  /// The text, or `nil` for another type.
  @inlinable public var text: String? {
    if case .text(let value) = self { value } else { nil }
  }

  /// The bytes of a blob, or `nil` for another type.
  @inlinable public var blob: [UInt8]? {
    if case .blob(let value) = self { value } else { nil }
  }
}

extension Value: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .real(value) }
  public init(stringLiteral value: String) { self = .text(value) }
  public init(booleanLiteral value: Bool) { self = .integer(value ? 1 : 0) }
  public init(nilLiteral: ()) { self = .null }
}

extension Value: CustomStringConvertible {
  /// The value as an SQL literal, for messages. Do not build SQL from it.
  public var description: String {
    switch self {
    case .integer(let value): return String(value)
    case .real(let value): return String(value)
    case .text(let value):
      // Split by bytes: Swift's `Character` merges a quotation mark with a following combining
      // mark.
      let parts = value.utf8.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false)
      return "'" + parts.map { String(Substring($0)) }.joined(separator: "''") + "'"
    case .blob(let bytes):
      let digits = Array("0123456789abcdef")
      return "x'" + String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }) + "'"
    case .null: return "NULL"
    }
  }
}
