import FoundationEssentials

/// A value on its way into a statement's parameters.
///
/// Dates and UUIDs stay what they are until they are bound: inside a trigger a bound date is a mistake
/// that can be named (``QueryFragment/prepare(_:)``), a bound text is not.
public enum QueryBinding: Hashable, Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  case double(Double)
  case text(String)
  case blob([UInt8])
  case date(Date)
  case uuid(UUID)
  /// A value that cannot be stored, and why. Executing the statement throws.
  case invalid(reason: String)

  public static func invalid(_ error: any Error) -> QueryBinding { .invalid(reason: "\(error)") }
  var isStorable: Bool { if case .invalid = self { false } else { true } }
  /// What SQLite's signed INTEGER has no place for cannot be stored.
  public static func uint(_ value: UInt64) -> QueryBinding { UInt64.bind(value) }
}

/// A binding as SQLite takes it: a date and a UUID as the text they are stored as.
public enum PlainBinding: Sendable {
  case null
  case int(Int64)
  case double(Double)
  case text(String)
  case blob([UInt8])
  case invalid(reason: String)
}

extension QueryBinding {
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
