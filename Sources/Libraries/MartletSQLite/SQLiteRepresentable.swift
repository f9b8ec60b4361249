/// A Swift type that can be bound, read from a column, and passed to and returned from SQL
/// functions.
public protocol SQLiteRepresentable {
  /// The value as SQLite stores it.
  var sqliteValue: SQLiteValue { get }
  /// Converts a value from SQLite. Returns `nil` if it is NULL or not convertible.
  init?(_ value: SQLiteValue)
}

extension Value: SQLiteRepresentable {
  /// The value itself.
  public var sqliteValue: SQLiteValue { self }
  /// Any value, including NULL.
  public init?(_ value: SQLiteValue) { self = value }
}

extension SQLiteRepresentable where Self: FixedWidthInteger {
  /// The integer, or the nearest real for values above `Int64.max`, which SQLite cannot store as an
  /// integer.
  public var sqliteValue: SQLiteValue {
    Int64(exactly: self).map(Value.integer) ?? .real(Double(self))
  }

  /// Converts an integer or a whole real that is in range.
  public init?(_ value: SQLiteValue) {
    switch value {
    case .integer(let integer): self.init(exactly: integer)
    case .real(let real): self.init(exactly: real)
    case .text, .blob, .null: return nil
    }
  }
}

extension Int: SQLiteRepresentable {}
extension Int8: SQLiteRepresentable {}
extension Int16: SQLiteRepresentable {}
extension Int32: SQLiteRepresentable {}
extension Int64: SQLiteRepresentable {}
extension UInt: SQLiteRepresentable {}
extension UInt8: SQLiteRepresentable {}
extension UInt16: SQLiteRepresentable {}
extension UInt32: SQLiteRepresentable {}
extension UInt64: SQLiteRepresentable {}

extension Double: SQLiteRepresentable {
  /// The number as a real.
  public var sqliteValue: SQLiteValue { .real(self) }
  /// Converts a real or an integer.
  public init?(_ value: SQLiteValue) {
    guard let real = value.real else { return nil }
    self = real
  }
}

extension Float: SQLiteRepresentable {
  /// The number as a real.
  public var sqliteValue: SQLiteValue { .real(Double(self)) }
  /// Converts a real or an integer, rounded to the nearest `Float`.
  public init?(_ value: SQLiteValue) {
    guard let real = value.real else { return nil }
    self = Float(real)
  }
}

extension Bool: SQLiteRepresentable {
  /// The integer 1 or 0.
  public var sqliteValue: SQLiteValue { .integer(self ? 1 : 0) }
  /// Converts a number. As in SQL, every number except zero is true.
  public init?(_ value: SQLiteValue) {
    guard let real = value.real else { return nil }
    self = real != 0
  }
}

extension String: SQLiteRepresentable {
  /// The string as a text.
  public var sqliteValue: SQLiteValue { .text(self) }
  /// Converts a text.
  public init?(_ value: SQLiteValue) {
    guard let text = value.text else { return nil }
    self = text
  }
}

extension [UInt8]: SQLiteRepresentable {
  /// The bytes as a blob.
  public var sqliteValue: SQLiteValue { .blob(self) }
  /// Converts a blob, or a text to its UTF-8 bytes.
  public init?(_ value: SQLiteValue) {
    switch value {
    case .blob(let bytes): self = bytes
    case .text(let text): self = Array(text.utf8)
    case .integer, .real, .null: return nil
    }
  }
}

extension Optional: SQLiteRepresentable where Wrapped: SQLiteRepresentable {
  /// The wrapped value, or NULL.
  public var sqliteValue: SQLiteValue { map(\.sqliteValue) ?? .null }
  /// Converts NULL to `.none` and other values to the wrapped type.
  public init?(_ value: SQLiteValue) {
    if value.isNull {
      self = .none
    } else if let wrapped = Wrapped(value) {
      self = .some(wrapped)
    } else {
      return nil
    }
  }
}
