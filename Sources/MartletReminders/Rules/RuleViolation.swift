/// A rule of the domain that a change broke. The raw value is the message of the trigger that
/// refuses it.
public enum RuleViolation: String, Error, Sendable, CaseIterable {
  case unknownList = "martlet: unknown list"
  case tooManyTags = "martlet: too many tags"
}

/// What a repository answers when it cannot do what it was asked.
public enum DomainError: Error, Equatable, Sendable {
  /// There is no such thing, or none that the caller may see.
  case notFound(Thing)
  /// The tag's title after a rename is another tag's.
  case tagExists(title: String)
  /// `PUT …/order` names other rows than there are.
  case notAllOfThem(missing: [Int], unknown: [Int], repeated: [Int])

  /// What was looked for.
  public enum Thing: Equatable, Sendable {
    case list(Int)
    case reminder(Int)
    case tag(String)
    /// A tag on a reminder that is there.
    case tagging(String, reminder: Int)
  }
}
