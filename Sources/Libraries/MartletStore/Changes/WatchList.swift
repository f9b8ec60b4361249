import MartletSQLite
import Synchronization

/// The columns for which commit notifications carry details: whether an update changed the column,
/// or its values before and after.
///
/// Each watched column has a fixed number, so a notification from before a column was watched can
/// still be read; it only contains less.
public struct WatchList: Sendable {
  /// The watched columns of one table.
  public struct Table: Sendable {
    /// The columns whose changes are distinguished, by number; at most ``columnLimit``.
    public fileprivate(set) var columns: [String] = []
    /// The columns whose values are included, by number.
    public fileprivate(set) var keys: [String] = []
  }

  /// The maximum number of columns per table whose changes are distinguished. Any further column
  /// counts as changed in every update.
  public static let columnLimit = 64

  /// The watched tables by name.
  public fileprivate(set) var tables: [String: Table] = [:]
  /// Increases with each change to the list.
  fileprivate(set) var version: UInt64 = 0
}

/// The watch list of a database. Columns can be added but not removed, so it grows at most to all
/// columns of the schema.
public final class Watch: Sendable {
  private let current = Mutex(WatchList())

  /// Creates an empty watch list.
  public init() {}

  /// The current list.
  public var list: WatchList { current.withLock { $0 } }

  /// Watches a column for changes and returns its number; `nil` if the limit of the table is
  /// reached.
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

  /// Watches the values of a column and returns its number.
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
