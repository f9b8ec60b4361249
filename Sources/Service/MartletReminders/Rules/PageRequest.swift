import MartletSQLite
import MartletStore

/// The part of a collection that a client requests.
public struct PageRequest: Hashable, Sendable {
  /// The allowed page sizes.
  public static let limits = 1...500
  /// The page size if the client does not set one.
  public static let defaultLimit = 50

  /// The maximum number of rows on the page.
  public var limit = PageRequest.defaultLimit
  /// The position after which the page begins; `nil` for the first page.
  public var cursor: PageCursor?
  /// Whether to count all rows of the collection as well.
  public var wantsTotal = false

  /// The first page, with the default limit and without a total.
  public init() {}

  /// The sort keys after which the page begins; `nil` for the first page. Throws if the cursor
  /// belongs to another collection.
  func keys(for fingerprint: UInt64) throws(InvalidCursor) -> [Value]? {
    guard let cursor else { return nil }
    guard cursor.fingerprint == fingerprint else { throw InvalidCursor() }
    return cursor.keys
  }

  /// The ID after which a page of rows by ID begins; `nil` for the first page. Throws if the cursor
  /// belongs to another collection.
  func lastID(for fingerprint: UInt64) throws(InvalidCursor) -> Int? {
    guard let keys = try keys(for: fingerprint) else { return nil }
    guard keys.count == 1, let id = keys[0].integer else { throw InvalidCursor() }
    return Int(id)
  }
}

/// The cursor belongs to a collection with another sort order or other filters.
public struct InvalidCursor: Error {
  /// Creates the error.
  public init() {}
}
