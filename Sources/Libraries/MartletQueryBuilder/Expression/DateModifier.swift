/// A change to a point in time, as a sequence of steps that SQLite applies from left to right
/// (https://sqlite.org/lang_datefunc.html#modifiers).
///
/// `.startOfMonth.months(1).days(-1)` is the last day of the month. Steps are computed in UTC.
@dynamicMemberLookup
public struct DateModifier: Sendable {
  /// How a date is adjusted if the month has no such day, as for January 31 plus one month.
  public enum Overflow: Sendable {
    /// The surplus days go into the next month: March 3, or March 2 in a leap year. SQLite does
    /// this in every version.
    case ceiling
    /// The last day of the month: February 28 or 29. Needs SQLite 3.46.
    case floor
  }

  var steps: [QueryFragment]

  /// Midnight on January 1: `'start of year'`.
  public static var startOfYear: Self { Self("'start of year'") }
  /// Midnight on the first of the month: `'start of month'`.
  public static var startOfMonth: Self { Self("'start of month'") }
  /// Midnight of the same day: `'start of day'`.
  public static var startOfDay: Self { Self("'start of day'") }
  /// Adds years: `'+1 years'`. Negative counts go back.
  public static func years(_ count: Int, _ overflow: Overflow = .ceiling) -> Self {
    Self(count, "years", overflow)
  }
  /// Adds months: `'+1 months'`.
  public static func months(_ count: Int, _ overflow: Overflow = .ceiling) -> Self {
    Self(count, "months", overflow)
  }
  /// Adds days: `'+1 days'`.
  public static func days(_ count: Int) -> Self { Self(count, "days") }
  /// Adds hours: `'+1 hours'`.
  public static func hours(_ count: Int) -> Self { Self(count, "hours") }
  /// Adds minutes: `'+1 minutes'`.
  public static func minutes(_ count: Int) -> Self { Self(count, "minutes") }
  /// Adds seconds: `'+1 seconds'`.
  public static func seconds(_ count: Int) -> Self { Self(count, "seconds") }
  /// Adds seconds with a fraction: `'+1.5 seconds'`.
  public static func seconds(_ count: Double) -> Self { Self("\(count)", "seconds") }
  /// Adds milliseconds, as seconds with three decimals: `'+1.250 seconds'`.
  public static func milliseconds(_ count: Int) -> Self {
    let (seconds, rest) = count.magnitude.quotientAndRemainder(dividingBy: 1000)
    let digits = String(String(rest + 1000).dropFirst())
    return Self("\(count < 0 ? "-" : "")\(seconds).\(digits)", "seconds")
  }
  /// Moves forward to the given day of the week, 0 for Sunday, unless it is that day already:
  /// `'weekday 1'`.
  public static func weekday(_ day: Int) -> Self {
    Self("\(bind: "weekday \(day)")" as QueryFragment)
  }
  /// Converts UTC to the time zone of the process, as its C library determines it: `'localtime'`.
  public static var localtime: Self { Self("'localtime'") }
  /// Converts the time zone of the process to UTC: `'utc'`.
  public static var utc: Self { Self("'utc'") }

  /// Then midnight on January 1: `'start of year'`.
  public var startOfYear: Self { then(.startOfYear) }
  /// Then midnight on the first of the month: `'start of month'`.
  public var startOfMonth: Self { then(.startOfMonth) }
  /// Then midnight of the same day: `'start of day'`.
  public var startOfDay: Self { then(.startOfDay) }
  /// Then adds years: `'+1 years'`.
  public func years(_ count: Int, _ overflow: Overflow = .ceiling) -> Self {
    then(.years(count, overflow))
  }
  /// Then adds months: `'+1 months'`.
  public func months(_ count: Int, _ overflow: Overflow = .ceiling) -> Self {
    then(.months(count, overflow))
  }
  /// Then adds days: `'+1 days'`.
  public func days(_ count: Int) -> Self { then(.days(count)) }
  /// Then adds hours: `'+1 hours'`.
  public func hours(_ count: Int) -> Self { then(.hours(count)) }
  /// Then adds minutes: `'+1 minutes'`.
  public func minutes(_ count: Int) -> Self { then(.minutes(count)) }
  /// Then adds seconds: `'+1 seconds'`.
  public func seconds(_ count: Int) -> Self { then(.seconds(count)) }
  /// Then adds seconds with a fraction: `'+1.5 seconds'`.
  public func seconds(_ count: Double) -> Self { then(.seconds(count)) }
  /// Then adds milliseconds: `'+1.250 seconds'`.
  public func milliseconds(_ count: Int) -> Self { then(.milliseconds(count)) }
  /// Then moves forward to the given day of the week: `'weekday 1'`.
  public func weekday(_ day: Int) -> Self { then(.weekday(day)) }
  /// Then applies a custom modifier, declared as
  /// `extension DateModifier { static let endOfMonth = … }`: `.months(1).endOfMonth`.
  public subscript(dynamicMember modifier: KeyPath<Self.Type, Self>) -> Self {
    then(Self.self[keyPath: modifier])
  }
  /// Then converts UTC to the time zone of the process: `'localtime'`.
  public var localtime: Self { then(.localtime) }
  /// Then converts the time zone of the process to UTC: `'utc'`.
  public var utc: Self { then(.utc) }

  private init(_ step: QueryFragment) { steps = [step] }

  private init(_ count: Int, _ unit: String, _ overflow: Overflow = .ceiling) {
    self.init("\(count)", unit)
    if overflow == .floor {
      steps.append(
        ("'floor'" as QueryFragment).requiring("the date modifier 'floor'", since: 3, 46))
    }
  }

  /// The count is bound, so that a query for another number of days is the same statement.
  private init(_ count: String, _ unit: String) {
    let sign = count.hasPrefix("-") ? "" : "+"
    self.init("\(bind: "\(sign)\(count) \(unit)")" as QueryFragment)
  }

  private func then(_ other: Self) -> Self {
    var copy = self
    copy.steps += other.steps
    return copy
  }
}

/// Another name of ``DateModifier``.
public typealias DateTimeModifier = DateModifier
