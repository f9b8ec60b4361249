import FoundationEssentials
import MartletTime

/// A representation of a point in time that SQLite's date functions read and write
/// (https://sqlite.org/lang_datefunc.html).
public protocol DateRepresentation: ColumnRepresentation {
  /// The modifier that tells SQLite how to interpret a stored value, such as `'unixepoch'`; `nil`
  /// if none is needed.
  static var reading: QueryFragment? { get }
  /// The call that returns a point in time in the form in which it is stored.
  static func dateCall(_ arguments: QueryFragment) -> QueryFragment
}

/// Dates stored as text: `strftime('%Y-%m-%d %H:%M:%f', …)`.
///
/// This is what `datetime(…, 'subsec')` returns from SQLite 3.42 on, and works in every version.
extension DateRepresentation {
  /// No modifier: SQLite recognizes dates in text.
  public static var reading: QueryFragment? { nil }
  /// The date as text: `strftime('%Y-%m-%d %H:%M:%f', …)`.
  public static func dateCall(_ arguments: QueryFragment) -> QueryFragment {
    "strftime('%Y-%m-%d %H:%M:%f', \(arguments))"
  }
}
extension Date: DateRepresentation {}
extension Instant: DateRepresentation {}

extension Date.UnixTimeRepresentation: DateRepresentation {
  /// `'unixepoch'`: the stored number counts seconds since 1970.
  public static var reading: QueryFragment? { "'unixepoch'" }
  /// The date in seconds since 1970: `unixepoch(…)`.
  public static func dateCall(_ arguments: QueryFragment) -> QueryFragment {
    "unixepoch(\(arguments))"
  }
}

extension Date.JulianDayRepresentation: DateRepresentation {
  /// The date as a Julian day: `julianday(…)`.
  public static func dateCall(_ arguments: QueryFragment) -> QueryFragment {
    "julianday(\(arguments))"
  }
}

extension DateRepresentation {
  /// The time at which the statement runs, optionally moved:
  /// `Date.UnixTimeRepresentation.now(.days(-7))` prints `unixepoch('now', ?)`.
  ///
  /// SQLite returns the same time for the whole run of a statement.
  public static func now(_ modifiers: DateModifier...) -> SQLQueryExpression<Self> {
    SQLQueryExpression(now(modifiers))
  }
  fileprivate static func now(_ modifiers: [DateModifier]) -> QueryFragment {
    dateCall((["'now'"] + modifiers.flatMap(\.steps)).joined(", "))
  }
}

extension QueryExpression where Self == SQLQueryExpression<Date> {
  /// SQLite's current time: `strftime('%Y-%m-%d %H:%M:%f', 'now')`.
  ///
  /// If Foundation is imported and a `Date` fits as well, `.now` is Foundation's and its value is
  /// bound; `.now()` is always SQLite's.
  @_disfavoredOverload
  public static var now: Self { Date.now() }
}

extension SQLQueryExpression where QueryValue: DateRepresentation {
  /// The current time in the column's own representation: `$0.dueDate < .now(.days(-7))`.
  public static func now(_ modifiers: DateModifier...) -> Self {
    SQLQueryExpression(QueryValue.now(modifiers))
  }
}

extension InPlace where QueryValue.Unwrapped: DateRepresentation {
  /// The current time in the column's own representation: `$0.updatedAt = .now()`.
  public static func now(_ modifiers: DateModifier...) -> Self {
    Self(QueryValue.Unwrapped.now(modifiers))
  }
}

extension QueryExpression
where QueryValue: ColumnRepresentation, QueryValue.Unwrapped: DateRepresentation {
  /// The point in time, moved by modifiers:
  ///
  /// ```swift
  /// $0.dueDate(.startOfMonth.months(1).days(-1))
  /// // strftime('%Y-%m-%d %H:%M:%f', "reminders"."dueDate", 'start of month', ?, ?)
  /// ```
  public func dynamicallyCall(
    withArguments modifiers: [DateModifier]
  ) -> SQLQueryExpression<QueryValue> {
    SQLQueryExpression(QueryValue.Unwrapped.dateCall(arguments(modifiers)))
  }

  /// The point in time as text in a format of `strftime` (https://sqlite.org/lang_datefunc.html).
  ///
  /// Prints `strftime(?, "t"."a")`, with the modifiers as further arguments.
  public func strftime(
    _ format: String, _ modifiers: DateModifier...
  ) -> SQLQueryExpression<QueryValue.AsString> {
    SQLQueryExpression("strftime(\(bind: format), \(arguments(modifiers)))")
  }

  /// The year: `CAST(strftime('%Y', "t"."a") AS INTEGER)`.
  public var year: SQLQueryExpression<QueryValue.AsInt> { component("%Y", "INTEGER") }
  /// The month, 1…12: `CAST(strftime('%m', "t"."a") AS INTEGER)`.
  public var month: SQLQueryExpression<QueryValue.AsInt> { component("%m", "INTEGER") }
  /// The day of the month, 1…31: `CAST(strftime('%d', "t"."a") AS INTEGER)`.
  public var day: SQLQueryExpression<QueryValue.AsInt> { component("%d", "INTEGER") }
  /// The hour, 0…23: `CAST(strftime('%H', "t"."a") AS INTEGER)`.
  public var hour: SQLQueryExpression<QueryValue.AsInt> { component("%H", "INTEGER") }
  /// The minute, 0…59: `CAST(strftime('%M', "t"."a") AS INTEGER)`.
  public var minute: SQLQueryExpression<QueryValue.AsInt> { component("%M", "INTEGER") }
  /// The second, 0…59: `CAST(strftime('%S', "t"."a") AS INTEGER)`.
  public var second: SQLQueryExpression<QueryValue.AsInt> { component("%S", "INTEGER") }
  /// The second with its fraction, 0.0…59.999: `CAST(strftime('%f', "t"."a") AS REAL)`.
  public var fractionalSecond: SQLQueryExpression<QueryValue.AsDouble> { component("%f", "REAL") }
  /// The day of the week, 0 for Sunday: `CAST(strftime('%w', "t"."a") AS INTEGER)`.
  public var weekday: SQLQueryExpression<QueryValue.AsInt> { component("%w", "INTEGER") }
  /// The day of the year, 1…366: `CAST(strftime('%j', "t"."a") AS INTEGER)`.
  public var dayOfYear: SQLQueryExpression<QueryValue.AsInt> { component("%j", "INTEGER") }

  private func component<V>(_ format: String, _ type: String) -> SQLQueryExpression<V> {
    SQLQueryExpression("CAST(strftime('\(raw: format)', \(arguments([]))) AS \(raw: type))")
  }

  private func arguments(_ modifiers: [DateModifier]) -> QueryFragment {
    let reading = QueryValue.Unwrapped.reading.map { [$0] } ?? []
    return ([queryFragment] + reading + modifiers.flatMap(\.steps)).joined(", ")
  }
}

extension QueryExpression {
  @available(
    *, unavailable,
    message: "Only a date can be moved by calling it, as in '$0.dueDate(.startOfMonth.days(-1))'"
  )
  /// Reports that only a date can be moved by calling it.
  @_disfavoredOverload
  public func dynamicallyCall(withArguments: [Any?]) -> SQLQueryExpression<QueryValue> {
    SQLQueryExpression(queryFragment)
  }
}
