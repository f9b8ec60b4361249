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
