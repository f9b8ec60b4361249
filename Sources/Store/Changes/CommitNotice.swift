/// What one commit changed. A value: it may be kept and passed on.
public struct CommitNotice: Sendable, Hashable {
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

    public init(operation: Operations, oldRowID: Int64, newRowID: Int64) {
      self.operation = operation
      self.oldRowID = oldRowID
      self.newRowID = newRowID
    }
  }

  /// More changed rows than this are not named.
  public static let rowLimit = 1_000

  public private(set) var operations: Operations = []
  /// The changed rows; nil when they are more than ``rowLimit``: any row may have changed.
  public private(set) var rows: [RowChange]? = []

  public init() {}

  public mutating func add(_ change: RowChange) {
    operations.formUnion(change.operation)
    guard let count = rows?.count else { return }
    if count < Self.rowLimit { rows?.append(change) } else { rows = nil }
  }
}
