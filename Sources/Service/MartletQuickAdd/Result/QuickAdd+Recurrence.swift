import MartletTime

extension QuickAdd {
  /// How a reminder recurs.
  public struct Recurrence: Hashable, Sendable {
    /// The rule, with `COUNT` or `UNTIL` if the text has an end. What it leaves out is taken from
    /// the due date.
    public var rule: RecurrenceRule
    /// The date that the next occurrence is counted from: the series, or the completion (`every!`).
    public var basis: RecurrenceBasis

    /// Makes a recurrence.
    ///
    /// - Parameters:
    ///   - rule: The rule.
    ///   - basis: What the next occurrence is counted from.
    public init(rule: RecurrenceRule, basis: RecurrenceBasis = .due) {
      self.rule = rule
      self.basis = basis
    }
  }
}
