/// A point in time: whole milliseconds since 1970-01-01T00:00:00Z, without leap seconds (POSIX
/// time).
///
/// Arithmetic saturates at the limits of `Int64` instead of trapping, because the numbers come from
/// requests and settings.
public struct Instant: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970 UTC, negative before it.
  public var milliseconds: Int64

  /// Makes an instant from milliseconds since 1970 UTC.
  @inlinable public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// Makes an instant from seconds since 1970 UTC, saturating.
  @inlinable public init(seconds: Int64) {
    milliseconds = Instant.saturatingProduct(seconds, 1000)
  }

  /// Midnight UTC at the start of `date`.
  public init(startOf date: CivilDate) {
    milliseconds = Instant.saturatingProduct(Int64(date.daysSinceEpoch), Instant.millisecondsPerDay)
  }

  /// Whole seconds since 1970 UTC, rounded toward the past.
  @inlinable public var seconds: Int64 {
    let quotient = milliseconds / 1000
    return milliseconds % 1000 < 0 ? quotient - 1 : quotient
  }

  /// 1970-01-01T00:00:00.000Z.
  public static let epoch = Instant(milliseconds: 0)
  /// 0001-01-01T00:00:00.000Z, the first instant with a text form.
  public static let earliest = Instant(milliseconds: -62_135_596_800_000)
  /// 9999-12-31T23:59:59.999Z, the last instant with a text form.
  public static let latest = Instant(milliseconds: 253_402_300_799_999)

  static let millisecondsPerDay: Int64 = 86_400_000

  /// Orders instants by time.
  @inlinable public static func < (left: Instant, right: Instant) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// The instant `more` milliseconds later, saturating.
  @inlinable public func adding(milliseconds more: Int64) -> Instant {
    let (sum, overflow) = milliseconds.addingReportingOverflow(more)
    return Instant(milliseconds: overflow ? (more < 0 ? .min : .max) : sum)
  }

  /// The instant `more` seconds later, saturating.
  @inlinable public func adding(seconds more: Int64) -> Instant {
    adding(milliseconds: Instant.saturatingProduct(more, 1000))
  }

  /// The milliseconds from `other` to this instant, negative if it is before `other`. Saturates.
  @inlinable public func milliseconds(since other: Instant) -> Int64 {
    let (difference, overflow) = milliseconds.subtractingReportingOverflow(other.milliseconds)
    return overflow ? (milliseconds < other.milliseconds ? .min : .max) : difference
  }

  @usableFromInline static func saturatingProduct(_ left: Int64, _ right: Int64) -> Int64 {
    let (product, overflow) = left.multipliedReportingOverflow(by: right)
    return overflow ? ((left < 0) == (right < 0) ? .max : .min) : product
  }
}

extension Instant: CustomStringConvertible {
  /// The text form of RFC 3339.
  public var description: String { RFC3339.string(self) }
}
