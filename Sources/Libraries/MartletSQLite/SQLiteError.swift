import CMartletSQLite

/// An error reported by SQLite, with its code, its message and the statement that caused it.
public struct SQLiteError: Error, Sendable {
  /// The primary result code, for example `SQLITE_CONSTRAINT` (https://sqlite.org/rescode.html).
  public var code: Int32
  /// The extended result code, for example `SQLITE_CONSTRAINT_UNIQUE`.
  public var extendedCode: Int32
  /// SQLite's message, or that of the error thrown by a function.
  public var message: String
  /// The statement that failed, if known.
  public var sql: String?
  /// The position of the fault in `sql` in UTF-8 bytes, if SQLite reports it.
  public var offset: Int?
  /// The values bound to the statement. They can be private and are not part of ``description``.
  public var bindings: [Value]
  /// The Swift error that caused this one: thrown by a function, or by the body of a transaction
  /// whose rollback also failed.
  public var underlying: (any Error)?

  /// Makes an error, for example to throw from a function. `code` can be an extended code.
  public init(
    code: Int32, message: String, sql: String? = nil, offset: Int? = nil, bindings: [Value] = [],
    underlying: (any Error)? = nil
  ) {
    self.code = code & 0xff
    extendedCode = code
    self.message = message
    self.sql = sql
    self.offset = offset
    self.bindings = bindings
    self.underlying = underlying
  }

  /// The last error of a connection.
  init(
    handle: OpaquePointer?, code: Int32, sql: String? = nil, bindings: [Value] = [],
    underlying: (any Error)? = nil
  ) {
    // The handle's message describes `code` only if it is also the handle's last code.
    let extended = handle.map { sqlite3_extended_errcode($0) } ?? code
    let isAboutThis = extended & 0xff == code & 0xff
    self.init(
      code: isAboutThis ? extended : code,
      message: String(
        cString: isAboutThis && handle != nil
          ? sqlite3_errmsg(handle) : sqlite3_errstr(code)),
      sql: sql, bindings: bindings, underlying: underlying)
    let offset = isAboutThis && handle != nil ? sqlite3_error_offset(handle) : -1
    self.offset = offset >= 0 ? Int(offset) : nil
  }
}

extension SQLiteError {
  /// The name of the primary code, such as `SQLITE_BUSY`, or `SQLITE_` and the number for an
  /// unknown code.
  public var symbol: String { Self.symbols[code] ?? "SQLITE_\(code)" }

  /// Whether the file is damaged or not a database (https://sqlite.org/rescode.html#corrupt).
  public var isCorruption: Bool { code == SQLITE_CORRUPT || code == SQLITE_NOTADB }

  /// Whether a constraint, or `RAISE` in a trigger, rejected the statement.
  public var isConstraint: Bool { code == SQLITE_CONSTRAINT }
  /// The kind of a violated constraint.
  public enum Constraint: Sendable {
    /// `UNIQUE`, or a primary key.
    case unique
    /// A foreign key.
    case foreignKey
    /// `NOT NULL`, `CHECK`, the type of a STRICT column, or `RAISE` in a trigger.
    case other
  }

  /// The kind of the violated constraint. Meaningful only if ``isConstraint``.
  public var constraint: Constraint {
    switch extendedCode {
    case SQLITE_CONSTRAINT | 8 << 8, SQLITE_CONSTRAINT | 6 << 8, SQLITE_CONSTRAINT | 10 << 8:
      .unique
    case SQLITE_CONSTRAINT | 3 << 8: .foreignKey
    default: .other
    }
  }

  /// Whether another connection held the lock.
  public var isBusy: Bool { code == SQLITE_BUSY || code == SQLITE_LOCKED }
  /// Whether the statement was interrupted, by ``Connection/interrupt()`` or a progress handler.
  public var isInterrupt: Bool { code == SQLITE_INTERRUPT }
  /// Whether the disk is full.
  public var isFull: Bool { code == SQLITE_FULL }

  private static let symbols: [Int32: String] = [
    SQLITE_OK: "SQLITE_OK", SQLITE_ERROR: "SQLITE_ERROR", SQLITE_INTERNAL: "SQLITE_INTERNAL",
    SQLITE_PERM: "SQLITE_PERM", SQLITE_ABORT: "SQLITE_ABORT", SQLITE_BUSY: "SQLITE_BUSY",
    SQLITE_LOCKED: "SQLITE_LOCKED", SQLITE_NOMEM: "SQLITE_NOMEM",
    SQLITE_READONLY: "SQLITE_READONLY", SQLITE_INTERRUPT: "SQLITE_INTERRUPT",
    SQLITE_IOERR: "SQLITE_IOERR", SQLITE_CORRUPT: "SQLITE_CORRUPT",
    SQLITE_NOTFOUND: "SQLITE_NOTFOUND", SQLITE_FULL: "SQLITE_FULL",
    SQLITE_CANTOPEN: "SQLITE_CANTOPEN", SQLITE_PROTOCOL: "SQLITE_PROTOCOL",
    SQLITE_SCHEMA: "SQLITE_SCHEMA", SQLITE_TOOBIG: "SQLITE_TOOBIG",
    SQLITE_CONSTRAINT: "SQLITE_CONSTRAINT", SQLITE_MISMATCH: "SQLITE_MISMATCH",
    SQLITE_MISUSE: "SQLITE_MISUSE", SQLITE_NOLFS: "SQLITE_NOLFS", SQLITE_AUTH: "SQLITE_AUTH",
    SQLITE_RANGE: "SQLITE_RANGE", SQLITE_NOTADB: "SQLITE_NOTADB",
  ]
}

extension SQLiteError: CustomStringConvertible {
  /// The message and the code, without the SQL: for a person who runs the program and did not write
  /// it.
  public var cause: String {
    "\(message) (\(symbol)\(extendedCode != code ? " \(extendedCode)" : ""))"
  }

  /// One line with the message, the code, and the SQL with `⟶` in front of the fault.
  public var description: String {
    guard let sql else { return cause }
    guard let offset, offset <= sql.utf8.count else { return cause + " in: " + sql }
    let place = sql.utf8.index(sql.utf8.startIndex, offsetBy: offset)
    return cause + " in: " + String(sql[..<place]) + "⟶" + String(sql[place...])
  }
}

extension SQLiteError: Equatable {
  /// Compares everything except ``underlying``, which need not be `Equatable`.
  public static func == (left: SQLiteError, right: SQLiteError) -> Bool {
    left.extendedCode == right.extendedCode && left.code == right.code
      && left.message == right.message && left.sql == right.sql && left.offset == right.offset
      && left.bindings == right.bindings
  }
}
