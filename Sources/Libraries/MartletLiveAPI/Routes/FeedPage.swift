/// The end of a page that a ``FeedSource`` has read.
public struct FeedPage: Sendable {
  /// The token after the page, from which the next page starts.
  ///
  /// It consists of visible ASCII characters, because clients send it in a header field.
  public let next: String
  /// Whether the page has no entries. A stream then sends nothing and goes on from ``next``.
  public let isEmpty: Bool
  /// Whether entries may follow after ``next``. A stream then reads the next page at once.
  public let hasMore: Bool

  /// The end of a page. `hasMore` is ignored if `next` is the token that the page started from.
  public init(next: String, isEmpty: Bool, hasMore: Bool) {
    self.next = next
    self.isEmpty = isEmpty
    self.hasMore = hasMore
  }
}
