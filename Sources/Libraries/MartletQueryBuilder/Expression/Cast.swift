import FoundationEssentials

/// A type name for CAST, by the affinity it has (https://sqlite.org/datatype3.html#type_affinity).
public enum SQLiteTypeAffinity: String, Sendable {
  /// Signed 64-bit integers.
  case integer = "INTEGER"
  /// Floating-point numbers.
  case real = "REAL"
  /// Text.
  case text = "TEXT"
  /// Bytes, unconverted.
  case blob = "BLOB"
  /// Integers or floating-point numbers, whichever represents the value.
  case numeric = "NUMERIC"
}

/// A Swift type that `QueryExpression.cast(as:)` can convert a stored value to.
public protocol SQLiteType: ColumnRepresentation {
  /// The type name that CAST prints.
  static var typeAffinity: SQLiteTypeAffinity { get }
}

extension SQLiteType where Self: FixedWidthInteger {
  /// `INTEGER`.
  public static var typeAffinity: SQLiteTypeAffinity { .integer }
}
extension SQLiteType where Self: BinaryFloatingPoint {
  /// `REAL`.
  public static var typeAffinity: SQLiteTypeAffinity { .real }
}
/// Enums with a raw value are cast to the raw value's type: `extension Priority: SQLiteType {}`.
extension SQLiteType where Self: RawRepresentable, RawValue: SQLiteType {
  /// The type name of the raw value.
  public static var typeAffinity: SQLiteTypeAffinity { RawValue.typeAffinity }
}
extension Int8: SQLiteType {}
extension Int16: SQLiteType {}
extension Int32: SQLiteType {}
extension Int64: SQLiteType {}
extension Int: SQLiteType {}
extension UInt8: SQLiteType {}
extension UInt16: SQLiteType {}
extension UInt32: SQLiteType {}
extension UInt64: SQLiteType {}
extension UInt: SQLiteType {}
extension Double: SQLiteType {}
extension Float: SQLiteType {}
extension Bool: SQLiteType {
  /// `INTEGER`: a Boolean is stored as 0 or 1.
  public static var typeAffinity: SQLiteTypeAffinity { .integer }
}
extension String: SQLiteType {
  /// `TEXT`.
  public static var typeAffinity: SQLiteTypeAffinity { .text }
}
extension UUID: SQLiteType {
  /// `TEXT`: a UUID is stored as lowercase text.
  public static var typeAffinity: SQLiteTypeAffinity { .text }
}
extension Date: SQLiteType {
  /// `TEXT`: a date is stored as `yyyy-MM-dd HH:mm:ss.SSS`.
  public static var typeAffinity: SQLiteTypeAffinity { .text }
}
extension Data: SQLiteType {
  /// `BLOB`.
  public static var typeAffinity: SQLiteTypeAffinity { .blob }
}
extension Array: SQLiteType where Element == UInt8 {
  /// `BLOB`.
  public static var typeAffinity: SQLiteTypeAffinity { .blob }
}

extension QueryExpression where QueryValue: ColumnRepresentation {
  /// The value, converted to another type: `CAST("t"."b" AS INTEGER)`
  /// (https://sqlite.org/lang_expr.html#castexpr).
  ///
  /// The type can also be inferred from the context: `cast()`.
  public func cast<Other: SQLiteType>(as: Other.Type = Other.self) -> SQLQueryExpression<Other> {
    SQLQueryExpression("CAST(\(queryFragment) AS \(raw: Other.typeAffinity.rawValue))")
  }
  /// The optional value, converted to another type: `CAST("t"."b" AS INTEGER)`. NULL stays NULL.
  public func cast<Wrapped, Other: SQLiteType>(
    as: Other.Type = Other.self
  ) -> SQLQueryExpression<Other?> where QueryValue == Wrapped? {
    SQLQueryExpression("CAST(\(queryFragment) AS \(raw: Other.typeAffinity.rawValue))")
  }
  /// The value, converted to an optional type: `CAST("t"."b" AS INTEGER)`.
  public func cast<Other: SQLiteType>(as: Other?.Type) -> SQLQueryExpression<Other?> {
    SQLQueryExpression("CAST(\(queryFragment) AS \(raw: Other.typeAffinity.rawValue))")
  }
}
