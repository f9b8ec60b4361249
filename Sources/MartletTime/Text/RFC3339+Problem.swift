extension RFC3339 {
  /// Why a text is no RFC 3339 date or time.
  public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// What should have stood there, such as `a month from 01 to 12`.
    public let expected: String
    /// The byte at which it should have stood, counted from 0.
    public let offset: Int

    public init(expected: String, offset: Int) {
      self.expected = expected
      self.offset = offset
    }

    public var description: String { "expected \(expected) at byte \(offset)" }
  }
}
