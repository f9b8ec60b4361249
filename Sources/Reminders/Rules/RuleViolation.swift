/// A rule of the domain that a change broke. The raw value is the message of the trigger that
/// refuses it.
public enum RuleViolation: String, Error, Sendable, CaseIterable {
  case unknownList = "martlet: unknown list"
  case tooManyTags = "martlet: too many tags"
}

/// What a repository answers when it cannot do what it was asked.
public enum DomainError: Error, Equatable, Sendable {
  case notFound
  /// The tag's title after a rename is another tag's.
  case tagExists(title: String)
  /// `PUT …/order` names other rows than there are.
  case notAllOfThem(missing: [Int], unknown: [Int], repeated: [Int])
}
