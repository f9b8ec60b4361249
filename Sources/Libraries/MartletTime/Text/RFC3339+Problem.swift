extension RFC3339 {
  /// Why a text is not a valid RFC 3339 date or time.
  public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The expected text, such as `a month from 01 to 12`.
    public let expected: String
    /// The position of the fault in bytes, from 0.
    public let offset: Int

    /// Makes an error.
    public init(expected: String, offset: Int) {
      self.expected = expected
      self.offset = offset
    }

    public var description: String { "expected \(expected) at byte \(offset)" }
  }
}
