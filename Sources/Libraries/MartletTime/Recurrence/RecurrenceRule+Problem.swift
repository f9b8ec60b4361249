extension RecurrenceRule {
  /// Why a text is not a rule that can be evaluated.
  public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the wrong part, such as `BYDAY`; `nil` if it is the rule as a whole.
    public let part: String?
    /// A sentence without its period, such as `INTERVAL must be 1...999`.
    public let description: String

    /// Makes an error. `fault` follows the name of the part.
    init(_ part: String, _ fault: String) {
      self.part = part
      description = "\(part) \(fault)"
    }

    init(_ description: String) {
      part = nil
      self.description = description
    }

    static let noParts = Problem("a rule is parts such as FREQ=DAILY, separated by semicolons")
    static let never = Problem("the rule never happens")
  }
}
