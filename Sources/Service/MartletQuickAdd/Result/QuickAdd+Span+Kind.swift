extension QuickAdd.Span {
  /// The meaning of a span. The raw value is its name in the API.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The due date.
    case due
    /// The recurrence, or the end of it.
    case recurrence
    /// An alarm, or `!!`.
    case alarm
    /// The list.
    case list
    /// A tag.
    case tag
    /// The priority.
    case priority
    /// The flag.
    case flag
    /// The notes, with the slashes in front of them.
    case notes
  }
}
