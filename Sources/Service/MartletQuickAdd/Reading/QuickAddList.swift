/// A list that a text can name.
public struct QuickAddList: Hashable, Sendable {
  /// Its ID.
  public var id: Int
  /// Its title.
  public var title: String

  /// Makes a list.
  ///
  /// - Parameters:
  ///   - id: Its ID.
  ///   - title: Its title.
  public init(id: Int, title: String) {
    self.id = id
    self.title = title
  }
}
