import CMartletSQLite

extension PreparedStatement {
  /// The storage class of a value (https://sqlite.org/datatype3.html): `integer`, `real`, `text`,
  /// `blob` or `null`.
  public enum Storage: Sendable { case integer, real, text, blob, null }

  /// The number of result columns, or 0 if the statement returns no rows.
  public var columnCount: Int { Int(sqlite3_column_count(handle)) }
  /// The names of the result columns.
  public var columnNames: [String] { prepared.columnNames }
  /// The SQL text that was prepared.
  public var sql: String { prepared.sql }
  /// The tables and columns that the statement reads and writes, or `nil` if
  /// ``Authorizer/collects`` was off when it was prepared.
  public var accesses: StatementAccesses? { prepared.accesses }
  /// The SQL with the bound values in place of the parameters. It can contain private data.
  public var expandedSQL: String {
    guard let text = sqlite3_expanded_sql(handle) else { return sql }
    defer { sqlite3_free(text) }
    return String(cString: text)
  }
  /// Whether running the statement leaves the database unchanged
  /// (https://sqlite.org/c3ref/stmt_readonly.html).
  public var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }
  /// Whether the statement is an `EXPLAIN` or `EXPLAIN QUERY PLAN`.
  public var isExplain: Bool { sqlite3_stmt_isexplain(handle) != 0 }
  /// Whether the statement has been stepped and neither finished nor reset.
  public var isBusy: Bool { sqlite3_stmt_busy(handle) != 0 }

  /// The table column behind a result column, or `nil` for an expression
  /// (https://sqlite.org/c3ref/column_database_name.html).
  public func origin(ofColumn column: Int) -> StatementOrigin? {
    guard let table = sqlite3_column_table_name(handle, Int32(column)),
      let name = sqlite3_column_origin_name(handle, Int32(column))
    else { return nil }
    return StatementOrigin(table: String(cString: table), column: String(cString: name))
  }

  // MARK: Values of the current row; columns count from 0

  /// The storage class of a column.
  public func storage(at column: Int) -> Storage {
    switch sqlite3_column_type(handle, Int32(column)) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }

  /// Whether a column is NULL.
  public func isNull(at column: Int) -> Bool {
    sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL
  }

  /// A column as an integer; other types are converted by SQLite
  /// (https://sqlite.org/c3ref/column_blob.html).
  public func int64(at column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(column)) }

  /// A column as a floating-point number; other types are converted by SQLite.
  public func double(at column: Int) -> Double { sqlite3_column_double(handle, Int32(column)) }

  /// A column as text; `nil` for NULL. Other types are converted by SQLite.
  public func text(at column: Int) -> String? {
    textBytes(at: column).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The UTF-8 bytes of a column as text; `nil` for NULL. They are valid until the next step, reset
  /// or conversion of the column.
  package func textBytes(at column: Int) -> UnsafeBufferPointer<UInt8>? {
    guard let start = sqlite3_column_text(handle, Int32(column)) else { return nil }
    // The text before its length: the conversion to text changes the length.
    return UnsafeBufferPointer(
      start: start, count: Int(sqlite3_column_bytes(handle, Int32(column))))
  }

  /// The bytes of a column, as long valid as those of ``textBytes(at:)``. Empty for NULL and for an
  /// empty blob.
  package func blobBytes(at column: Int) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_blob(handle, Int32(column))
    return UnsafeRawBufferPointer(
      start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, Int32(column))))
  }

  /// A column as bytes; `nil` for NULL. Other types are converted by SQLite.
  public func blob(at column: Int) -> [UInt8]? {
    isNull(at: column) ? nil : Array(blobBytes(at: column))
  }

  /// A copy of a column's value.
  public func value(at column: Int) -> Value {
    switch storage(at: column) {
    case .integer: .integer(int64(at: column))
    case .real: .real(double(at: column))
    case .text: text(at: column).map(Value.text) ?? .null
    case .blob: .blob(Array(blobBytes(at: column)))
    case .null: .null
    }
  }

  /// A column as a Swift type, or `nil` if it is NULL or not convertible.
  public func value<T: SQLiteRepresentable>(at column: Int, as type: T.Type = T.self) -> T? {
    T(value(at: column))
  }

  // MARK: Counters

  /// A counter of a statement (https://sqlite.org/c3ref/c_stmtstatus_counter.html).
  ///
  /// `fullScanStep`: steps forward in a full table scan. `sort`: sorts. `automaticIndex`: rows
  /// inserted into automatic indexes. `virtualMachineStep`: virtual machine instructions.
  /// `reprepare`: times the statement was prepared again. `run`: runs. `memoryUsed`: bytes of
  /// memory.
  public enum Counter: Sendable {
    case fullScanStep, sort, automaticIndex, virtualMachineStep, reprepare, run, memoryUsed

    var code: Int32 {
      switch self {
      case .fullScanStep: SQLITE_STMTSTATUS_FULLSCAN_STEP
      case .sort: SQLITE_STMTSTATUS_SORT
      case .automaticIndex: SQLITE_STMTSTATUS_AUTOINDEX
      case .virtualMachineStep: SQLITE_STMTSTATUS_VM_STEP
      case .reprepare: SQLITE_STMTSTATUS_REPREPARE
      case .run: SQLITE_STMTSTATUS_RUN
      case .memoryUsed: SQLITE_STMTSTATUS_MEMUSED
      }
    }
  }

  /// The value of a counter since the statement was prepared or the counter was reset. `reset` sets
  /// it to zero afterwards.
  public func status(_ counter: Counter, reset: Bool = false) -> Int {
    if reset, counter == .reprepare { prepared.forgetColumnNames() }
    return Int(sqlite3_stmt_status(handle, counter.code, reset ? 1 : 0))
  }
}

/// The table column behind a result column.
public struct StatementOrigin: Hashable, Sendable {
  /// The name of the table.
  public var table: String
  /// The name of the column.
  public var column: String

  /// Names a column of a table.
  public init(table: String, column: String) {
    self.table = table
    self.column = column
  }
}
