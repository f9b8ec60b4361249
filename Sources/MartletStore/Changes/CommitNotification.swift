import MartletSQLite

/// What one commit changed. A value: it may be kept and passed on.
public struct CommitNotification: Sendable, Hashable {
  /// The commit's number; each notice has a higher one than that before it.
  public var number: UInt64
  /// Anything may have changed: another program wrote, or the schema changed.
  public var everything: Bool
  /// The changed tables by name; those of an attached database as `database.table`. FTS5 tables are
  /// named by their shadow tables (`texts_content`, …).
  public var tables: [String: TableChanges]

  public init(number: UInt64, everything: Bool, tables: [String: TableChanges] = [:]) {
    self.number = number
    self.everything = everything
    self.tables = tables
  }
}

/// What one commit changed in one table.
public struct TableChanges: Sendable, Hashable {
  /// The kinds of changes.
  public struct Operations: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let insert = Operations(rawValue: 1)
    public static let update = Operations(rawValue: 2)
    public static let delete = Operations(rawValue: 4)
  }

  /// One change of one row, in the order in which they happened.
  public struct RowChange: Sendable, Hashable {
    public var operation: Operations
    /// Before the change; of an insert, the new row's. Meaningless in a `WITHOUT ROWID` table.
    public var oldRowID: Int64
    /// After the change; of a delete, the old row's.
    public var newRowID: Int64
    /// The watched columns that were changed, a bit for each by its number in the ``WatchList``; all of
    /// them where the row came, went or moved, and where it cannot be told.
    public var columns: UInt64

    public init(
      operation: Operations, oldRowID: Int64, newRowID: Int64, columns: UInt64 = .max
    ) {
      self.operation = operation
      self.oldRowID = oldRowID
      self.newRowID = newRowID
      self.columns = columns
    }
  }

  /// More changed rows than this are not named.
  public static let rowLimit = 10_000

  public internal(set) var operations: Operations = []
  /// The changed rows; nil when they are more than ``rowLimit``: any row may have changed.
  public internal(set) var rows: [RowChange]? = []
  /// The watched columns that were changed in any row, as ``RowChange/columns``.
  public internal(set) var columns: UInt64 = 0
  /// How many of the watched columns are told apart in ``RowChange/columns``: those that were watched
  /// when the transaction began.
  public internal(set) var columnCount = 0
  /// How many of the watched keys are told.
  public internal(set) var keyCount = 0
  var keys: [ValueKey] = []

  public init() {}

  /// Changes of any rows.
  public static let anyRow = {
    var changes = TableChanges()
    changes.operations = [.insert, .update, .delete]
    changes.rows = nil
    changes.columns = .max
    return changes
  }()

  /// `keys` are, for each row and each of the first `keyCount` watched keys, the values before and after.
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

  /// The values of a row in a watched key before and after its change. Of a row that came they are both
  /// the new one, of a row that went the old one.
  public func keys(ofRow row: Int, key: Int) -> (old: ValueKey, new: ValueKey) {
    let place = (row * keyCount + key) * 2
    return (keys[place], keys[place + 1])
  }
}
