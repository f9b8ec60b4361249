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
