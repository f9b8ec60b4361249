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
}
