import FoundationEssentials
import MartletTime

/// A representation of a point in time that SQLite's date functions read and write
/// (https://sqlite.org/lang_datefunc.html).
public protocol DateRepresentation: ColumnRepresentation {
  /// The modifier that says how a stored value is to be read.
  static var reading: QueryFragment? { get }
  /// A call that gives a point in time as it is stored.
  static func dateCall(_ arguments: QueryFragment) -> QueryFragment
}

/// Text: `strftime('%Y-%m-%d %H:%M:%f', …)`, which is `datetime(…, 'subsec')` (SQLite 3.42) in every
/// version.
extension DateRepresentation {
  public static var reading: QueryFragment? { nil }
  public static func dateCall(_ arguments: QueryFragment) -> QueryFragment {
    "strftime('%Y-%m-%d %H:%M:%f', \(arguments))"
  }
}
extension Date: DateRepresentation {}
extension Instant: DateRepresentation {}

extension Date.UnixTimeRepresentation: DateRepresentation {
  public static var reading: QueryFragment? { "'unixepoch'" }
  public static func dateCall(_ arguments: QueryFragment) -> QueryFragment {
    "unixepoch(\(arguments))"
  }
}

extension Date.JulianDayRepresentation: DateRepresentation {
  public static func dateCall(_ arguments: QueryFragment) -> QueryFragment {
    "julianday(\(arguments))"
  }
}

extension DateRepresentation {
  /// SQLite's *now*, moved: `Date.UnixTimeRepresentation.now(.days(-7))`. It stands still while a
  /// statement runs.
  public static func now(_ modifiers: DateModifier...) -> SQLQueryExpression<Self> {
    SQLQueryExpression(now(modifiers))
  }
  fileprivate static func now(_ modifiers: [DateModifier]) -> QueryFragment {
    dateCall((["'now'"] + modifiers.flatMap(\.steps)).joined(", "))
  }
}

extension QueryExpression where Self == SQLQueryExpression<Date> {
  /// `strftime('%Y-%m-%d %H:%M:%f', 'now')`. Where Foundation is imported and a `Date` would do as well,
  /// `.now` is Swift's, bound; `.now()` is always SQLite's.
  @_disfavoredOverload
  public static var now: Self { Date.now() }
}

extension SQLQueryExpression where QueryValue: DateRepresentation {
  /// `$0.dueDate < .now(.days(-7))`, in the column's own representation.
  public static func now(_ modifiers: DateModifier...) -> Self {
    SQLQueryExpression(QueryValue.now(modifiers))
  }
}

extension InPlace where QueryValue.Unwrapped: DateRepresentation {
  /// `$0.updatedAt = .now()`, in the column's own representation.
  public static func now(_ modifiers: DateModifier...) -> Self {
    Self(QueryValue.Unwrapped.now(modifiers))
  }
}

extension QueryExpression
where QueryValue: ColumnRepresentation, QueryValue.Unwrapped: DateRepresentation {
  /// The point in time, moved:
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

  /// The point in time in words of `format` (https://sqlite.org/lang_datefunc.html).
  public func strftime(
    _ format: String, _ modifiers: DateModifier...
  ) -> SQLQueryExpression<QueryValue.AsString> {
    SQLQueryExpression("strftime(\(bind: format), \(arguments(modifiers)))")
  }

  public var year: SQLQueryExpression<QueryValue.AsInt> { component("%Y", "INTEGER") }
  /// 1…12
  public var month: SQLQueryExpression<QueryValue.AsInt> { component("%m", "INTEGER") }
  /// 1…31
  public var day: SQLQueryExpression<QueryValue.AsInt> { component("%d", "INTEGER") }
  public var hour: SQLQueryExpression<QueryValue.AsInt> { component("%H", "INTEGER") }
  public var minute: SQLQueryExpression<QueryValue.AsInt> { component("%M", "INTEGER") }
  public var second: SQLQueryExpression<QueryValue.AsInt> { component("%S", "INTEGER") }
  /// 0.0…59.999
  public var fractionalSecond: SQLQueryExpression<QueryValue.AsDouble> { component("%f", "REAL") }
  /// 0 is Sunday.
  public var weekday: SQLQueryExpression<QueryValue.AsInt> { component("%w", "INTEGER") }
  /// 1…366
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
  @_disfavoredOverload
  public func dynamicallyCall(withArguments: [Any?]) -> SQLQueryExpression<QueryValue> {
    SQLQueryExpression(queryFragment)
  }
}
