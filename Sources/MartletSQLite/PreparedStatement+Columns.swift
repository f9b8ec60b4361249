import CMartletSQLite

extension PreparedStatement {
  /// The storage class of a value.
  public enum Storage: Sendable { case integer, real, text, blob, null }

  /// The number of result columns; 0 when the statement returns no rows.
  public var columnCount: Int { Int(sqlite3_column_count(handle)) }
  /// The names of the result columns.
  public var columnNames: [String] { prepared.columnNames }
  /// The SQL as it was prepared.
  public var sql: String { prepared.sql }
  /// What the statement reads and writes, when the authorizer collected while it was prepared.
  public var accesses: StatementAccesses? { prepared.accesses }
  /// The SQL with what is bound written into it. May be private.
  public var expandedSQL: String {
    guard let text = sqlite3_expanded_sql(handle) else { return sql }
    defer { sqlite3_free(text) }
    return String(cString: text)
  }
  /// Whether running the statement leaves the database file as it is
  /// (https://sqlite.org/c3ref/stmt_readonly.html).
  public var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }
  /// Whether the statement is an `EXPLAIN` or `EXPLAIN QUERY PLAN`.
  public var isExplain: Bool { sqlite3_stmt_isexplain(handle) != 0 }
  /// Whether the statement has been stepped and neither finished nor reset.
  public var isBusy: Bool { sqlite3_stmt_busy(handle) != 0 }

  /// The table's column that a result column shows; `nil` for an expression
  /// (https://sqlite.org/c3ref/column_database_name.html).
  public func origin(ofColumn column: Int) -> StatementOrigin? {
    guard let table = sqlite3_column_table_name(handle, Int32(column)),
      let name = sqlite3_column_origin_name(handle, Int32(column))
    else { return nil }
    return StatementOrigin(table: String(cString: table), column: String(cString: name))
  }

  // MARK: Values of the current row; columns count from 0

  public func storage(at column: Int) -> Storage {
    switch sqlite3_column_type(handle, Int32(column)) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }

  public func isNull(at column: Int) -> Bool {
    sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL
  }

  public func int64(at column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(column)) }

  public func double(at column: Int) -> Double { sqlite3_column_double(handle, Int32(column)) }

  /// The column as text; nil for NULL.
  public func text(at column: Int) -> String? {
    textBytes(at: column).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The UTF-8 bytes of the column as text, valid until the next step, reset or conversion of the
  /// column; nil for NULL.
  package func textBytes(at column: Int) -> UnsafeBufferPointer<UInt8>? {
    guard let start = sqlite3_column_text(handle, Int32(column)) else { return nil }
    // The text first, then its length: the other order measures what a conversion then changes.
    return UnsafeBufferPointer(
      start: start, count: Int(sqlite3_column_bytes(handle, Int32(column))))
  }

  /// The column's bytes, valid as those of ``textBytes(at:)``. Empty for NULL and an empty blob.
  package func blobBytes(at column: Int) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_blob(handle, Int32(column))
    return UnsafeRawBufferPointer(
      start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, Int32(column))))
  }

  public func blob(at column: Int) -> [UInt8]? {
    isNull(at: column) ? nil : Array(blobBytes(at: column))
  }

  public func value(at column: Int) -> Value {
    switch storage(at: column) {
    case .integer: .integer(int64(at: column))
    case .real: .real(double(at: column))
    case .text: text(at: column).map(Value.text) ?? .null
    case .blob: .blob(Array(blobBytes(at: column)))
    case .null: .null
    }
  }

  /// The column as a Swift type; nil when it is NULL or cannot be one.
  public func value<T: SQLiteRepresentable>(at column: Int, as type: T.Type = T.self) -> T? {
    T(value(at: column))
  }

  // MARK: Counters

  /// What SQLite counts while a statement runs
  /// (https://sqlite.org/c3ref/c_stmtstatus_counter.html).
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

  /// A counter since the statement was prepared, or last reset to zero here.
  public func status(_ counter: Counter, reset: Bool = false) -> Int {
    if reset, counter == .reprepare { prepared.forgetColumnNames() }
    return Int(sqlite3_stmt_status(handle, counter.code, reset ? 1 : 0))
  }
}

/// A column of a table, as a statement shows it.
public struct StatementOrigin: Hashable, Sendable {
  public var table: String
  public var column: String

  public init(table: String, column: String) {
    self.table = table
    self.column = column
  }
}
