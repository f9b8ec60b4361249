/// One SQL value: what a column holds, a parameter is bound to, a function receives and returns.
/// The five storage classes of https://sqlite.org/datatype3.html.
public enum Value: Sendable, Hashable {
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
  case null
}

/// The name under which functions see ``Value``.
public typealias SQLiteValue = Value

extension Value {
  /// An integer of Swift's usual width: `.integer(user.id)`.
  @_disfavoredOverload
  @inlinable public static func integer(_ value: Int) -> Value { .integer(Int64(value)) }

  /// Whether the value is NULL.
  @inlinable public var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// The integer, if the value is one.
  @inlinable public var integer: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  /// The number as a `Double`, if the value is a real or an integer.
  @inlinable public var real: Double? {
    switch self {
    case .real(let value): value
    case .integer(let value): Double(value)
    case .text, .blob, .null: nil
    }
  }

  /// The text, if the value is one.
  @inlinable public var text: String? {
    if case .text(let value) = self { value } else { nil }
  }

  /// The bytes, if the value is a blob.
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
  /// The value as an SQL literal, for messages; never for building SQL.
  public var description: String {
    switch self {
    case .integer(let value): return String(value)
    case .real(let value): return String(value)
    case .text(let value):
      // By bytes: to Swift's `Character` a quotation mark with an accent behind it is none.
      let parts = value.utf8.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false)
      return "'" + parts.map { String(Substring($0)) }.joined(separator: "''") + "'"
    case .blob(let bytes):
      let digits = Array("0123456789abcdef")
      return "x'" + String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }) + "'"
    case .null: return "NULL"
    }
  }
}
