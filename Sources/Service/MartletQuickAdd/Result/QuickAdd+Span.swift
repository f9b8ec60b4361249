extension QuickAdd {
  /// A part of the text that was understood as a phrase.
  public struct Span: Hashable, Sendable {
    /// The offset of its first UTF-16 code unit in the text.
    public var start: Int
    /// The offset behind its last UTF-16 code unit.
    public var end: Int
    /// The meaning of the span.
    public var kind: Kind
    /// The part of the text, unchanged.
    public var text: String

    /// Makes a span.
    ///
    /// - Parameters:
    ///   - start: The offset of its first UTF-16 code unit.
    ///   - end: The offset behind its last UTF-16 code unit.
    ///   - kind: What it describes.
    ///   - text: The part of the text.
    public init(start: Int, end: Int, kind: Kind, text: String) {
      self.start = start
      self.end = end
      self.kind = kind
      self.text = text
    }
  }
}

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
