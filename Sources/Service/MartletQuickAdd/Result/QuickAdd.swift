import MartletTime

/// The parts of a reminder that a line of text describes.
public struct QuickAdd: Hashable, Sendable {
  /// The code of the language that the text was read in.
  public var language = "en"
  /// The text outside of phrases, with each run of blanks as one space. It may be empty.
  public var title = ""
  /// When the reminder is due: on a day or at an instant; `nil` if the text says neither a date nor
  /// a recurrence.
  public var due: Occurrence?
  /// How it recurs; `nil` if it does not. A reminder that recurs always has a due date.
  public var recurrence: Recurrence?
  /// Its alarms, each once, in the order of the text. `nil` if the text has no phrase about alarms;
  /// empty if it has `!!`, so that the reminder gets no alarm.
  public var alarms: [Alarm]?
  /// The ID of the list that the text names; `nil` if it names none.
  public var listID: Int?
  /// Its tags in NFC, in the order of the text, without repetitions.
  public var tags: [String] = []
  /// Its priority; `nil` if the text has none.
  public var priority: Priority?
  /// Whether it is flagged.
  public var isFlagged = false
  /// The notes, without blanks at either end; `nil` if the text has none.
  public var notes: String?
  /// The phrases that were understood, in the order of the text. They do not overlap.
  public var spans: [Span] = []

  /// An empty reminder.
  public init() {}
}

extension QuickAdd {
  /// The priority of a reminder. The raw value is its name in the API.
  public enum Priority: String, Hashable, Sendable, CaseIterable {
    /// The lowest priority.
    case low
    /// The priority in the middle.
    case medium
    /// The highest priority.
    case high
  }
}

extension QuickAdd {
  /// When an alarm rings.
  public enum Alarm: Hashable, Sendable {
    /// At an instant.
    case at(Instant)
    /// A duration after the due date; before it, if the duration is negative. A date without a time
    /// counts as its midnight. Only a reminder with a due date has such an alarm.
    case offset(CivilDuration)

    /// The longest offset in days, in either direction.
    public static let longestDays = 366
  }
}

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
