import CMartletSQLite

/// A compiled statement: its handle, its SQL and what was recorded while preparing it. Between uses
/// it stays in the cache.
final class Prepared {
  let handle: OpaquePointer
  let sql: String
  var accesses: StatementAccesses?
  var note: AnyObject?
  /// Used by the cache only.
  var isInUse = false
  var lastUse: UInt64 = 0
  private var names: (preparation: Int32, list: [String])?

  /// Read once per preparation: after a schema change SQLite prepares the statement again at its
  /// first step, and `SELECT *` can then have other columns
  /// (https://sqlite.org/c3ref/prepare.html).
  var columnNames: [String] {
    let preparation = sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_REPREPARE, 0)
    if let names, names.preparation == preparation { return names.list }
    let list = (0..<sqlite3_column_count(handle)).map {
      sqlite3_column_name(handle, $0).map { String(cString: $0) } ?? ""
    }
    names = (preparation, list)
    return list
  }

  /// Clears the cached names. Must be called when the reprepare counter is reset.
  func forgetColumnNames() { names = nil }

  init(handle: OpaquePointer, sql: String, accesses: StatementAccesses?) {
    self.handle = handle
    self.sql = sql
    self.accesses = accesses
  }

  deinit { sqlite3_finalize(handle) }
}

/// A prepared statement in use. Releasing the last reference resets it and returns it to the
/// connection's cache, or finalizes it if it did not come from the cache.
public final class PreparedStatement {
  /// SQLite's handle, valid while this object lives.
  public let handle: OpaquePointer
  /// The connection that prepared the statement.
  public let connection: Connection
  let prepared: Prepared
  private let returnsToCache: Bool
  /// The bound values, in order of their parameters.
  public private(set) var bound: [Value] = []
  private var isRunning = false
  /// When the first step began, if a profile hook is set.
  private var began: UInt64?

  init(_ prepared: Prepared, of connection: Connection, returnsToCache: Bool) {
    self.prepared = prepared
    self.connection = connection
    self.returnsToCache = returnsToCache
    handle = prepared.handle
  }

  deinit {
    ended()
    guard returnsToCache, !connection.isClosed else { return }
    sqlite3_reset(handle)
    if sqlite3_bind_parameter_count(handle) > 0 { sqlite3_clear_bindings(handle) }
    connection.statements.giveBack(prepared)
  }

  // MARK: Running

  /// Advances to the next row; returns `false` if there is no further row. An error resets the
  /// statement.
  public func step() throws(SQLiteError) -> Bool {
    let code = isRunning ? sqlite3_step(handle) : firstStep()
    isRunning = code == SQLITE_ROW
    if !isRunning { ended() }
    guard isRunning || code == SQLITE_DONE else { throw failure(code) }
    if isRunning, let observer = connection.observer { observer.row(of: self) }
    return isRunning
  }

  private func firstStep() -> Int32 {
    if connection.hooks.profile != nil { began = steadyNanoseconds() }
    guard connection.authorizer.collects else { return sqlite3_step(handle) }
    let code = connection.authorizer.collecting(in: prepared) { sqlite3_step(handle) }
    connection.observer?.began(self)
    return code
  }

  private func ended() {
    guard let began else { return }
    self.began = nil
    guard let profile = connection.hooks.profile else { return }
    let taken = steadyNanoseconds() - began
    if taken >= profile.threshold { profile.body(prepared.sql, taken) }
  }

  /// An object attached to the compiled statement by its users, such as an analysis of the query.
  /// It is retained as long as the compiled statement.
  public var note: AnyObject? {
    get { prepared.note }
    set { prepared.note = newValue }
  }

  /// Runs the statement to its end, ignores its rows and resets it.
  public func run() throws(SQLiteError) {
    defer { reset() }
    while try step() {}
  }

  /// Rewinds to before the first row and keeps the bound values. This ends the read transaction
  /// that an unfinished statement holds open.
  public func reset() {
    ended()
    sqlite3_reset(handle)
    isRunning = false
  }

  /// The error for the result code of a call on ``handle``. It resets the statement.
  public func failure(_ code: Int32) -> SQLiteError {
    var error = SQLiteError(
      handle: connection.handle, code: code, sql: prepared.sql, bindings: bound)
    error.underlying = connection.functionFailures.take(for: error.message)
    if error.code == SQLITE_AUTH, let reason = connection.authorizer.takeReason() {
      error.message = reason
    }
    reset()
    return error
  }

  // MARK: Binding

  /// The number of parameters.
  public var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }

  /// The position of a named parameter, given with its prefix (`:id`), or `nil` if it does not
  /// exist.
  public func position(of name: String) -> Int? {
    let position = sqlite3_bind_parameter_index(handle, name)
    return position == 0 ? nil : Int(position)
  }

  /// Binds values to the parameters in order, starting with the first.
  public func bind(_ values: [Value]) throws(SQLiteError) {
    for (index, value) in values.enumerated() { try bind(value, at: index + 1) }
  }

  /// Binds one parameter. Positions start at 1.
  public func bind(_ value: Value, at position: Int) throws(SQLiteError) {
    switch value {
    case .integer(let integer): try bind(int64: integer, at: position)
    case .real(let real): try bind(double: real, at: position)
    case .text(let text): try bind(text: text, at: position)
    case .blob(let bytes): try bind(blob: bytes, at: position)
    case .null: try bindNull(at: position)
    }
  }

  /// Binds a Swift value.
  public func bind(_ value: some SQLiteRepresentable, at position: Int) throws(SQLiteError) {
    try bind(value.sqliteValue, at: position)
  }

  /// Binds an integer.
  public func bind(int64 value: Int64, at position: Int) throws(SQLiteError) {
    try check(sqlite3_bind_int64(handle, Int32(position), value))
    remember(.integer(value), at: position)
  }

  /// Binds a floating-point number.
  public func bind(double value: Double, at position: Int) throws(SQLiteError) {
    try check(sqlite3_bind_double(handle, Int32(position), value))
    remember(.real(value), at: position)
  }

  /// Binds a text. SQLite copies it from the string's own storage.
  public func bind(text value: String, at position: Int) throws(SQLiteError) {
    var text = value
    try check(
      text.withUTF8 { utf8 in
        // An empty string may have no storage, and a null pointer would bind NULL.
        let start = utf8.baseAddress.map { UnsafeRawPointer($0) } ?? UnsafeRawPointer(Self.empty)
        return sqlite3_bind_text64(
          handle, Int32(position), start.assumingMemoryBound(to: CChar.self), UInt64(utf8.count),
          transient, UInt8(SQLITE_UTF8))
      })
    remember(.text(value), at: position)
  }

  /// Binds a blob.
  public func bind(blob value: [UInt8], at position: Int) throws(SQLiteError) {
    try check(
      value.withUnsafeBytes { bytes in
        sqlite3_bind_blob64(
          handle, Int32(position), bytes.baseAddress ?? UnsafeRawPointer(Self.empty),
          UInt64(bytes.count), transient)
      })
    remember(.blob(value), at: position)
  }

  /// Binds UTF-8 bytes as a text without copying them. They must stay valid until the statement is
  /// reset and ``clearBindings()`` was called. They are not part of ``bound``.
  package func bind(
    borrowedText bytes: UnsafeRawBufferPointer, at position: Int
  ) throws(SQLiteError) {
    let start = bytes.baseAddress ?? UnsafeRawPointer(Self.empty)
    try check(
      sqlite3_bind_text64(
        handle, Int32(position), start.assumingMemoryBound(to: CChar.self), UInt64(bytes.count),
        nil, UInt8(SQLITE_UTF8)))
  }

  /// The same for a blob.
  package func bind(
    borrowedBlob bytes: UnsafeRawBufferPointer, at position: Int
  ) throws(SQLiteError) {
    try check(
      sqlite3_bind_blob64(
        handle, Int32(position), bytes.baseAddress ?? UnsafeRawPointer(Self.empty),
        UInt64(bytes.count), nil))
  }

  /// Binds NULL.
  public func bindNull(at position: Int) throws(SQLiteError) {
    try check(sqlite3_bind_null(handle, Int32(position)))
    remember(.null, at: position)
  }

  /// Sets all parameters to NULL.
  public func clearBindings() {
    sqlite3_clear_bindings(handle)
    bound.removeAll(keepingCapacity: true)
  }

  /// A valid address for empty values, never read or freed.
  nonisolated(unsafe) private static let empty = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)

  private func check(_ code: Int32) throws(SQLiteError) {
    guard code == SQLITE_OK else { throw failure(code) }
  }

  private func remember(_ value: Value, at position: Int) {
    while bound.count < position { bound.append(.null) }
    bound[position - 1] = value
  }
}

/// Makes SQLite copy the bytes before the call returns (https://sqlite.org/c3ref/c_static.html).
var transient: sqlite3_destructor_type {
  unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}
