import MartletQueryBuilder
import MartletTime

/// How a reminder recurs.
public struct Recurrence: Equatable, Sendable {
  /// The date that the next occurrence is counted from when one is completed.
  public enum Basis: Int, QueryBindable, CaseIterable, Sendable {
    /// The series, skipping what was missed; the series; the completion.
    case due, each, completion

    public static var kind: ColumnKind { .labels(allCases.map(\.label)) }
    /// The name in the API.
    public var label: String { value.rawValue }

    /// The same for a series.
    var value: RecurrenceBasis {
      switch self {
      case .due: .due
      case .each: .each
      case .completion: .completion
      }
    }
  }

  /// The parts that a client sets. `nil` leaves a part unchanged; of a reminder that did not recur,
  /// it gives the default.
  public struct Values: Equatable, Sendable {
    /// The rule. Required if the reminder does not recur yet.
    public var rule: RecurrenceRule?
    /// The date that the next occurrence is counted from; ``Basis/due`` by default.
    public var basis: Basis?
    /// The first due date. The reminder's due date by default, and for `.some(nil)`; also if the
    /// rule changes.
    public var start: DueDate??
    /// The occurrences that are left out; none by default.
    public var excluded: [DueDate]?

    /// Values that set nothing.
    public init() {}
  }

  /// The maximum number of occurrences that are left out.
  public static let mostExcluded = 500

  /// The column of the occurrences that are left out.
  static func text(ofExcluded dates: [DueDate]) -> String? {
    dates.isEmpty ? nil : "[" + dates.map { "\"\($0)\"" }.joined(separator: ",") + "]"
  }
}

/// How a reminder recurs, as the API returns it.
@Selection
public struct RecurrenceItem: Equatable, Sendable {
  /// The value of an RRULE (RFC 5545).
  public let rule: String
  /// The date that the next occurrence is counted from.
  public let basis: Recurrence.Basis
  /// The first due date of the series.
  public let start: DueDate?
  /// The occurrences that are left out, as the API shows due dates.
  @Column(as: JSONArray<String>.self) public let excluded: [String]
}

extension Reminder.TableColumns {
  /// The columns of a ``RecurrenceItem``; all are NULL if the reminder does not recur.
  var recurrence: RecurrenceItem.Columns? {
    RecurrenceItem.Columns(
      rule: SQLQueryExpression("\(recurrenceRule)"),
      basis: SQLQueryExpression(
        "CASE WHEN \(recurrenceRule) IS NOT NULL THEN \(recurrenceBasis) END"),
      start: SQLQueryExpression(
        "CASE WHEN \(recurrenceRule) IS NOT NULL THEN coalesce(\(recurrenceStart), \(dueDate)) END"),
      excluded: SQLQueryExpression(
        "CASE WHEN \(recurrenceRule) IS NOT NULL THEN coalesce(\(recurrenceExcluded), '[]') END"))
  }
}

/// Reading and changing the recurrence of a stored reminder.
extension Reminder {
  /// The series, or `nil` if the reminder does not recur, or a program wrote a rule that cannot be
  /// evaluated.
  ///
  /// - Parameter zone: The zone of a reminder without one.
  func series(in zone: ZoneInfo) -> RecurrenceSeries? {
    guard let text = recurrenceRule, let rule = try? RecurrenceRule(text),
      let start = recurrenceStart ?? dueDate
    else { return nil }
    return RecurrenceSeries(
      start: Occurrence(start), rule: rule, excluded: Set(excluded.map { Occurrence($0) }),
      in: self.zone(or: zone))
  }

  /// The zone of the reminder's times of day.
  func zone(or zone: ZoneInfo) -> ZoneInfo {
    timeZone.flatMap { try? ZoneDatabase.system.zone(named: $0) } ?? zone
  }

  /// The occurrences that are left out. Other texts in the column are ignored.
  var excluded: [DueDate] {
    guard let text = recurrenceExcluded else { return [] }
    return text.split(separator: "\"").compactMap { try? DueDate(String($0)) }
  }

  /// Changes how the reminder recurs, after its other values have changed.
  ///
  /// - Parameters:
  ///   - values: `.some(nil)` ends the recurrence, `nil` leaves it.
  ///   - zone: The zone of a reminder that recurs at a time of day and has no zone.
  mutating func change(_ values: Recurrence.Values??, in zone: ZoneInfo) throws {
    switch values {
    case nil: break
    case .some(nil):
      recurrenceRule = nil
      (recurrenceBasis, recurrenceStart, recurrenceExcluded) = (.due, nil, nil)
    case .some(.some(let values)): try change(values, in: self.zone(or: zone))
    }
    if let start = startDate, let due = dueDate {
      guard start.isTimed == due.isTimed, start.stored <= due.stored else {
        throw RuleViolation.startDate
      }
    }
    guard recurrenceRule != nil else { return }
    guard let due = dueDate else { throw RuleViolation.recurrenceWithoutDue }
    if let start = recurrenceStart, start.isTimed != due.isTimed { recurrenceStart = due }
    if due.isTimed { timeZone = timeZone ?? zone.identifier }
  }

  private mutating func change(_ values: Recurrence.Values, in zone: ZoneInfo) throws {
    guard let due = dueDate else { throw RuleViolation.recurrenceWithoutDue }
    let old = recurrenceRule
    // Another program may have written a rule that cannot be evaluated.
    guard let rule = values.rule ?? old.flatMap({ try? RecurrenceRule($0) }) else {
      throw DomainError.recurrence(.rule, "is required")
    }
    recurrenceBasis = values.basis ?? recurrenceBasis
    if let excluded = values.excluded {
      recurrenceExcluded = Recurrence.text(ofExcluded: excluded)
    }
    if let given = values.start ?? nil {
      guard given.isTimed == due.isTimed else {
        throw DomainError.recurrence(.start, "expected \(due.kindName), as dueDate is one")
      }
      recurrenceStart = given
    } else if values.start != nil || recurrenceStart == nil || rule.description != old {
      recurrenceStart = due
    }
    let start = recurrenceStart ?? due
    do throws(RecurrenceRule.Problem) {
      // A rule that is counted from completions takes its day from each of them.
      let filled = try rule.filledIn(from: start.day(in: zone))
      recurrenceRule = recurrenceBasis == .completion ? rule.description : filled.description
    } catch {
      throw DomainError.recurrence(.rule, "\(error)")
    }
  }
}

extension DueDate {
  /// Whether it is an instant.
  public var isTimed: Bool { if case .instant = self { true } else { false } }

  /// The kind of the date in messages.
  fileprivate var kindName: String { isTimed ? "an instant" : "a date" }

  /// The due date of an occurrence.
  public init(_ occurrence: Occurrence) {
    switch occurrence {
    case .day(let day): self = .day(day)
    case .instant(let instant): self = .instant(instant)
    }
  }
}

extension Occurrence {
  /// The occurrence at a due date.
  public init(_ due: DueDate) {
    switch due {
    case .day(let day): self = .day(day)
    case .instant(let instant): self = .instant(instant)
    }
  }
}
