import MartletSQLite
import Synchronization

/// What somebody wants to be told of each changed row: which columns an update changed, and the values
/// before and after in some of them.
///
/// A column is watched under a number that it keeps, so that a notice which was made before a column was
/// watched can be read beside one that was made after: it tells less.
public struct WatchList: Sendable {
  public struct Table: Sendable {
    /// Columns whose changes are told apart, by number; at most ``columnLimit``.
    public fileprivate(set) var columns: [String] = []
    /// Columns whose values are told, by number.
    public fileprivate(set) var keys: [String] = []
  }

  /// Further columns are not told apart: each counts as changed.
  public static let columnLimit = 64

  public fileprivate(set) var tables: [String: Table] = [:]
  /// Grows with each change of the list.
  fileprivate(set) var version: UInt64 = 0
}

/// The watch list of a database. It only grows, at most to all columns of the schema.
public final class Watch: Sendable {
  private let current = Mutex(WatchList())

  public init() {}

  public var list: WatchList { current.withLock { $0 } }

  /// The number under which the column's changes are told; `nil` past the limit.
  public func column(_ name: String, of table: String) -> Int? {
    current.withLock { list in
      let known = list.tables[table]?.columns ?? []
      if let number = known.firstIndex(of: name) { return number }
      guard known.count < WatchList.columnLimit else { return nil }
      list.tables[table, default: .init()].columns.append(name)
      list.version += 1
      return known.count
    }
  }

  /// The number under which the column's values are told.
  public func key(_ name: String, of table: String) -> Int {
    current.withLock { list in
      let known = list.tables[table]?.keys ?? []
      if let number = known.firstIndex(of: name) { return number }
      list.tables[table, default: .init()].keys.append(name)
      list.version += 1
      return known.count
    }
  }
}
