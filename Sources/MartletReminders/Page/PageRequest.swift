import MartletSQLite
import MartletStore

/// Which part of a list is asked for.
public struct PageRequest: Hashable, Sendable {
  public static let limits = 1...500
  public static let defaultLimit = 50

  public var limit = PageRequest.defaultLimit
  public var cursor: PageCursor?
  public var wantsTotal = false

  public init() {}

  /// The sort keys that the page begins after; `nil` for the first page.
  func keys(for fingerprint: UInt64) throws(InvalidCursor) -> [Value]? {
    guard let cursor else { return nil }
    guard cursor.fingerprint == fingerprint else { throw InvalidCursor() }
    return cursor.keys
  }
}

/// The cursor belongs to another list: another sort, other filters.
public struct InvalidCursor: Error {
  public init() {}
}
