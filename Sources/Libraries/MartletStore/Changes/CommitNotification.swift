import MartletSQLite

/// The changes of one commit.
public struct CommitNotification: Sendable, Hashable {
  /// The commit number. It increases with each notification.
  public var number: UInt64
  /// Whether anything may have changed: the schema changed, or another program wrote to the file
  /// and it is not known what.
  public var everything: Bool
  /// Whether another program made the commit. Then ``tables`` may contain rows and tables that it
  /// has not changed.
  public var isForeign: Bool
  /// The changed tables by name. Tables of an attached database are named `database.table`, FTS5
  /// tables by their shadow tables (`texts_content`, …). If another program made the commit, also
  /// the tables without a counter (``SchemaPart/counters(of:)``), which it may have changed.
  public var tables: [String: TableChanges]

  /// Creates a notification.
  public init(
    number: UInt64, everything: Bool, isForeign: Bool = false, tables: [String: TableChanges] = [:]
  ) {
    self.number = number
    self.everything = everything
    self.isForeign = isForeign
    self.tables = tables
  }
}

/// The changes that one commit made to one table.
public struct TableChanges: Sendable, Hashable {
  /// The kinds of changes that happened.
  public struct Operations: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Rows were inserted.
    public static let insert = Operations(rawValue: 1)
    /// Rows were updated.
    public static let update = Operations(rawValue: 2)
    /// Rows were deleted.
    public static let delete = Operations(rawValue: 4)
  }

  /// One change of one row. Changes are listed in the order they happened.
  public struct RowChange: Sendable, Hashable {
    /// The operation on the row. Several kinds if another program changed it, because it is not
    /// known which of them happened.
    public var operation: Operations
    /// The row ID before the change; for an insert, the new row's ID. Undefined for a `WITHOUT
    /// ROWID` table.
    public var oldRowID: Int64
    /// The row ID after the change; for a delete, the deleted row's ID. Undefined for a `WITHOUT
    /// ROWID` table.
    public var newRowID: Int64
    /// The watched columns that changed, one bit per column at its number in the ``WatchList``. All
    /// bits are set if the row was inserted, deleted or got another row ID, and if the columns
    /// cannot be determined.
    public var columns: UInt64

    /// Creates a change; by default, of all columns.
    public init(
      operation: Operations, oldRowID: Int64, newRowID: Int64, columns: UInt64 = .max
    ) {
      self.operation = operation
      self.oldRowID = oldRowID
      self.newRowID = newRowID
      self.columns = columns
    }
  }

  /// The maximum number of changed rows that are listed individually.
  public static let rowLimit = 10_000

  /// The kinds of changes that happened to the table's rows.
  public internal(set) var operations: Operations = []
  /// The changed rows; `nil` if there are more than ``rowLimit``, in which case any row may have
  /// changed.
  public internal(set) var rows: [RowChange]? = []
  /// The watched columns that changed in any row, in the format of ``RowChange/columns``.
  public internal(set) var columns: UInt64 = 0
  /// How many of the watched columns ``RowChange/columns`` distinguishes: the ones that were
  /// watched when the transaction began.
  public internal(set) var columnCount = 0
  /// How many of the watched keys have their values included, except those of ``unknownKeys``.
  public internal(set) var keyCount = 0
  /// The watched keys below ``keyCount`` whose values are not known, by number.
  public internal(set) var unknownKeys: Set<Int> = []
  var keys: [ValueKey] = []

  /// Creates an empty set of changes.
  public init() {}

  /// Any change to any row.
  public static let anyRow = {
    var changes = TableChanges()
    changes.operations = [.insert, .update, .delete]
    changes.rows = nil
    changes.columns = .max
    return changes
  }()

  /// Creates changes of the listed rows. `keys` contains two values, before and after, for each row
  /// and each of the first `keyCount` watched keys.
  public init(rows: [RowChange], columnCount: Int, keyCount: Int = 0, keys: [ValueKey] = []) {
    precondition(keys.count == rows.count * keyCount * 2, "two values for each row and key")
    self.rows = rows
    self.columnCount = columnCount
    self.keyCount = keyCount
    self.keys = keys
    for row in rows {
      operations.formUnion(row.operation)
      columns |= row.columns
    }
  }

  /// Whether the values of a watched key are known.
  public func hasKey(_ key: Int) -> Bool { key < keyCount && !unknownKeys.contains(key) }

  /// The value of a watched key before and after a row's change. For an insert both are the new
  /// value, for a delete the old value. ``hasKey(_:)`` must be true.
  public func keys(ofRow row: Int, key: Int) -> (old: ValueKey, new: ValueKey) {
    let place = (row * keyCount + key) * 2
    return (keys[place], keys[place + 1])
  }
}
