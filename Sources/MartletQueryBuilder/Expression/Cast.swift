import FoundationEssentials

/// What CAST may name (https://sqlite.org/datatype3.html#type_affinity).
public enum SQLiteTypeAffinity: String, Sendable {
  case integer = "INTEGER"
  case real = "REAL"
  case text = "TEXT"
  case blob = "BLOB"
  case numeric = "NUMERIC"
}

/// A Swift type that a stored value can be cast to.
public protocol SQLiteType: ColumnRepresentation {
  static var typeAffinity: SQLiteTypeAffinity { get }
}

extension SQLiteType where Self: FixedWidthInteger {
  public static var typeAffinity: SQLiteTypeAffinity { .integer }
}
extension SQLiteType where Self: BinaryFloatingPoint {
  public static var typeAffinity: SQLiteTypeAffinity { .real }
}
/// Enums with a raw value: `extension Priority: SQLiteType {}`.
extension SQLiteType where Self: RawRepresentable, RawValue: SQLiteType {
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
  public static var typeAffinity: SQLiteTypeAffinity { .integer }
}
extension String: SQLiteType {
  public static var typeAffinity: SQLiteTypeAffinity { .text }
}
extension UUID: SQLiteType {
  public static var typeAffinity: SQLiteTypeAffinity { .text }
}
extension Date: SQLiteType {
  public static var typeAffinity: SQLiteTypeAffinity { .text }
}
extension Data: SQLiteType {
  public static var typeAffinity: SQLiteTypeAffinity { .blob }
}
extension Array: SQLiteType where Element == UInt8 {
  public static var typeAffinity: SQLiteTypeAffinity { .blob }
}

extension QueryExpression where QueryValue: ColumnRepresentation {
  /// `CAST("t"."b" AS INTEGER)` (https://sqlite.org/lang_expr.html#castexpr). The type may also be found
  /// from the context: `cast()`.
  public func cast<Other: SQLiteType>(as: Other.Type = Other.self) -> SQLQueryExpression<Other> {
    SQLQueryExpression("CAST(\(queryFragment) AS \(raw: Other.typeAffinity.rawValue))")
  }
  /// NULL stays NULL.
  public func cast<Wrapped, Other: SQLiteType>(
    as: Other.Type = Other.self
  ) -> SQLQueryExpression<Other?> where QueryValue == Wrapped? {
    SQLQueryExpression("CAST(\(queryFragment) AS \(raw: Other.typeAffinity.rawValue))")
  }
  public func cast<Other: SQLiteType>(as: Other?.Type) -> SQLQueryExpression<Other?> {
    SQLQueryExpression("CAST(\(queryFragment) AS \(raw: Other.typeAffinity.rawValue))")
  }
}
