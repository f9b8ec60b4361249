/// How a point in time is moved, step by step, from left to right:
/// `.startOfMonth.months(1).days(-1)` is the last day of the month
/// (https://sqlite.org/lang_datefunc.html#modifiers). All of it happens in UTC.
@dynamicMemberLookup
public struct DateModifier: Sendable {
  /// What becomes of 31 January plus one month.
  public enum Overflow: Sendable {
    /// 3 March (or 2): SQLite's way in every version.
    case ceiling
    /// 28 February (or 29). Needs SQLite 3.46.
    case floor
  }

  var steps: [QueryFragment]

  public static var startOfYear: Self { Self("'start of year'") }
  public static var startOfMonth: Self { Self("'start of month'") }
  public static var startOfDay: Self { Self("'start of day'") }
  public static func years(_ count: Int, _ overflow: Overflow = .ceiling) -> Self {
    Self(count, "years", overflow)
  }
  public static func months(_ count: Int, _ overflow: Overflow = .ceiling) -> Self {
    Self(count, "months", overflow)
  }
  public static func days(_ count: Int) -> Self { Self(count, "days") }
  public static func hours(_ count: Int) -> Self { Self(count, "hours") }
  public static func minutes(_ count: Int) -> Self { Self(count, "minutes") }
  public static func seconds(_ count: Int) -> Self { Self(count, "seconds") }
  public static func seconds(_ count: Double) -> Self { Self("\(count)", "seconds") }
  public static func milliseconds(_ count: Int) -> Self {
    let (seconds, rest) = count.magnitude.quotientAndRemainder(dividingBy: 1000)
    let digits = String(String(rest + 1000).dropFirst())
    return Self("\(count < 0 ? "-" : "")\(seconds).\(digits)", "seconds")
  }
  /// The same day, or the next one that is the `day`th of the week: 0 is Sunday.
  public static func weekday(_ day: Int) -> Self {
    Self("\(bind: "weekday \(day)")" as QueryFragment)
  }
  /// From UTC to the time zone of the process, as its C library knows it.
  public static var localtime: Self { Self("'localtime'") }
  /// From the time zone of the process to UTC.
  public static var utc: Self { Self("'utc'") }

  public var startOfYear: Self { then(.startOfYear) }
  public var startOfMonth: Self { then(.startOfMonth) }
  public var startOfDay: Self { then(.startOfDay) }
  public func years(_ count: Int, _ overflow: Overflow = .ceiling) -> Self {
    then(.years(count, overflow))
  }
  public func months(_ count: Int, _ overflow: Overflow = .ceiling) -> Self {
    then(.months(count, overflow))
  }
  public func days(_ count: Int) -> Self { then(.days(count)) }
  public func hours(_ count: Int) -> Self { then(.hours(count)) }
  public func minutes(_ count: Int) -> Self { then(.minutes(count)) }
  public func seconds(_ count: Int) -> Self { then(.seconds(count)) }
  public func seconds(_ count: Double) -> Self { then(.seconds(count)) }
  public func milliseconds(_ count: Int) -> Self { then(.milliseconds(count)) }
  public func weekday(_ day: Int) -> Self { then(.weekday(day)) }
  /// A modifier of one's own, declared as `extension DateModifier { static let endOfMonth = … }`, goes on
  /// from any other: `.months(1).endOfMonth`.
  public subscript(dynamicMember modifier: KeyPath<Self.Type, Self>) -> Self {
    then(Self.self[keyPath: modifier])
  }
  public var localtime: Self { then(.localtime) }
  public var utc: Self { then(.utc) }

  private init(_ step: QueryFragment) { steps = [step] }

  private init(_ count: Int, _ unit: String, _ overflow: Overflow = .ceiling) {
    self.init("\(count)", unit)
    if overflow == .floor {
      steps.append(
        ("'floor'" as QueryFragment).requiring("the date modifier 'floor'", since: 3, 46))
    }
  }

  /// A count is a value, hence bound: a query for another number of days is the same statement.
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

/// The name that it has elsewhere.
public typealias DateTimeModifier = DateModifier
