import FoundationEssentials

/// A value to be bound to a parameter of a statement.
///
/// Dates and UUIDs keep their type until they are bound. ``QueryFragment/prepare(_:)`` can
/// therefore report a date bound in a trigger as a mistake, which it could not for text.
public enum QueryBinding: Hashable, Sendable {
  /// NULL.
  case null
  /// A Boolean, stored as 0 or 1.
  case bool(Bool)
  /// A signed 64-bit integer.
  case int(Int64)
  /// A floating-point number.
  case double(Double)
  /// A text.
  case text(String)
  /// Bytes.
  case blob([UInt8])
  /// A date, stored as text: `yyyy-MM-dd HH:mm:ss.SSS` in UTC.
  case date(Date)
  /// A UUID, stored as lowercase text.
  case uuid(UUID)
  /// A value that cannot be stored, with the reason. Executing the statement throws.
  case invalid(reason: String)

  /// A value that cannot be stored, with an error as the reason.
  public static func invalid(_ error: any Error) -> QueryBinding { .invalid(reason: "\(error)") }
  var isStorable: Bool { if case .invalid = self { false } else { true } }
  /// An unsigned integer. One that does not fit into SQLite's signed INTEGER is invalid.
  public static func uint(_ value: UInt64) -> QueryBinding { UInt64.bind(value) }
}

/// A binding in SQLite's own types: dates and UUIDs are text, Booleans integers.
public enum PlainBinding: Sendable {
  /// NULL.
  case null
  /// INTEGER.
  case int(Int64)
  /// REAL.
  case double(Double)
  /// TEXT.
  case text(String)
  /// BLOB.
  case blob([UInt8])
  /// A value that cannot be stored, with the reason.
  case invalid(reason: String)
}

extension QueryBinding {
  /// The value in SQLite's own types.
  public var plain: PlainBinding {
    switch self {
    case .null: .null
    case .bool(let value): .int(value ? 1 : 0)
    case .int(let value): .int(value)
    case .double(let value): .double(value)
    case .text(let text): .text(text)
    case .blob(let bytes): .blob(bytes)
    case .date(let date): .text(date.sqliteText)
    case .uuid(let uuid): .text(uuid.uuidString.lowercased())
    case .invalid(let reason): .invalid(reason: reason)
    }
  }
}
