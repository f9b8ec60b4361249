/// A Swift type that can be bound, read from a column, and passed to and from SQL functions.
public protocol SQLiteRepresentable {
  /// The value as SQLite stores it.
  var sqliteValue: SQLiteValue { get }
  /// Nil when `value` is NULL or cannot be this type.
  init?(_ value: SQLiteValue)
}

extension Value: SQLiteRepresentable {
  public var sqliteValue: SQLiteValue { self }
  public init?(_ value: SQLiteValue) { self = value }
}

extension SQLiteRepresentable where Self: FixedWidthInteger {
  /// Integers above `Int64.max` do not fit into SQLite and become the nearest real.
  public var sqliteValue: SQLiteValue {
    Int64(exactly: self).map(Value.integer) ?? .real(Double(self))
  }

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
  public var sqliteValue: SQLiteValue { .real(self) }
  public init?(_ value: SQLiteValue) {
    guard let real = value.real else { return nil }
    self = real
  }
}

extension Float: SQLiteRepresentable {
  public var sqliteValue: SQLiteValue { .real(Double(self)) }
  public init?(_ value: SQLiteValue) {
    guard let real = value.real else { return nil }
    self = Float(real)
  }
}

extension Bool: SQLiteRepresentable {
  public var sqliteValue: SQLiteValue { .integer(self ? 1 : 0) }
  /// Any number but zero is true, as in SQL.
  public init?(_ value: SQLiteValue) {
    guard let real = value.real else { return nil }
    self = real != 0
  }
}

extension String: SQLiteRepresentable {
  public var sqliteValue: SQLiteValue { .text(self) }
  public init?(_ value: SQLiteValue) {
    guard let text = value.text else { return nil }
    self = text
  }
}

extension [UInt8]: SQLiteRepresentable {
  public var sqliteValue: SQLiteValue { .blob(self) }
  /// A text gives its UTF-8 bytes.
  public init?(_ value: SQLiteValue) {
    switch value {
    case .blob(let bytes): self = bytes
    case .text(let text): self = Array(text.utf8)
    case .integer, .real, .null: return nil
    }
  }
}

extension Optional: SQLiteRepresentable where Wrapped: SQLiteRepresentable {
  public var sqliteValue: SQLiteValue { map(\.sqliteValue) ?? .null }
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
