import MartletJSON
import MartletQueryBuilder
import MartletSQLite

let columnAccess = ColumnAccess(
  type: sqlite3_column_type, int: sqlite3_column_int64, double: sqlite3_column_double,
  text: sqlite3_column_text, blob: sqlite3_column_blob, bytes: sqlite3_column_bytes)

extension Connection {
  /// Returns a prepared statement for the query from the connection's cache, with the query's
  /// values bound.
  public func statement(for query: Query) throws -> PreparedStatement {
    if let printed = query.printed {
      return try statement(
        printed.sql, printed.hash, query.values, requiring: printed.requirements)
    }
    let printed = query.fragment.prepare()
    return try statement(
      printed.sql, printed.sql.hashValue, printed.bindings, requiring: printed.requirements)
  }

  private func statement(
    _ sql: String, _ hash: Int, _ bindings: [QueryBinding], requiring requirements: [Requirement]
  ) throws -> PreparedStatement {
    // Checked first, because SQLite's own error message would name an unrelated problem.
    for requirement in requirements
    where Version.library < Version(requirement.major, requirement.minor) {
      throw SQLiteError(
        code: SQLITE_ERROR, message: requirement.message(found: "\(Version.library)"),
        sql: sql)
    }
    for case .invalid(let reason) in bindings {
      throw SQLiteError(code: SQLITE_MISMATCH, message: reason, sql: sql)
    }
    let statement = try cached(sql, hash: hash)
    for (index, binding) in bindings.enumerated() {
      try statement.bind(binding.plain, at: index + 1, in: sql)
    }
    return statement
  }
}

extension PreparedStatement {
  fileprivate func bind(_ binding: PlainBinding, at position: Int, in sql: String) throws {
    switch binding {
    case .null: try bindNull(at: position)
    case .int(let value): try bind(int64: value, at: position)
    case .double(let value): try bind(double: value, at: position)
    case .text(let value): try bind(text: value, at: position)
    case .blob(let value): try bind(blob: value, at: position)
    case .invalid(let reason): throw SQLiteError(code: SQLITE_MISMATCH, message: reason, sql: sql)
    }
  }
}

extension MartletQueryBuilder.Statement {
  /// Runs the statement and ignores its rows.
  public func execute(_ db: Connection) throws {
    let query = query
    if query.isEmpty { return }
    try db.statement(for: query).run()
  }

  /// Returns all rows. Throws ``RowDecodingError`` if a value does not match its Swift type.
  public func fetchAll(_ db: Connection) throws -> [Output] {
    var rows: [Output] = []
    try fetch(db) { rows.append($0) }
    return rows
  }

  /// Returns the first row; `nil` if the query has no rows. This does not add a LIMIT to the query:
  /// use `limit(1)`.
  public func fetchOne(_ db: Connection) throws -> Output? {
    var first: Output?
    try fetch(db, limit: 1) { first = $0 }
    return first
  }

  /// Passes the rows to `take` one by one. The stored values are appended to `stored`: if its bytes
  /// equal those of an earlier call, so do the rows.
  package func fetch(
    _ db: Connection, limit: Int = .max, stored: ByteBuffer? = nil, _ take: (Output) -> Void
  ) throws {
    let query = query
    if query.isEmpty { return }
    let statement = try db.statement(for: query)
    defer { statement.reset() }
    let decode = decode
    var reader = RowReader(statement: statement.handle, access: columnAccess)
    var count = 0
    while count < limit, try statement.step() {
      // Before decoding, because reading a value as another type may convert it in place.
      if let stored { StoredRow.append(statement, to: stored) }
      reader.rewind()
      do throws(DecodingProblem) {
        take(try decode(&reader))
      } catch {
        throw RowDecodingError(error, statement, query.columns)
      }
      count += 1
    }
  }
}

extension Sequence where Element: MartletQueryBuilder.Statement {
  /// Runs the statements in order, for example the triggers of a full-text table.
  public func execute(_ db: Connection) throws {
    for statement in self { try statement.execute(db) }
  }
}

extension SelectStatement {
  /// Returns the number of rows.
  public func fetchCount(_ db: Connection) throws -> Int {
    let query = query
    if query.isEmpty { return 0 }
    let count = try db.statement(for: Query("SELECT count(*) FROM (\(query.fragment))"))
    defer { count.reset() }
    return try count.step() ? Int(count.int64(at: 0)) : 0
  }
}

/// A query that must return a row returned none.
public struct NotFound: Error, Hashable, Sendable, CustomStringConvertible {
  /// Creates the error.
  public init() {}
  public var description: String { "the query returned no row" }
}

extension Connection {
  /// Appends the query's first row as a JSON object. Returns false and appends nothing if there is
  /// no row.
  public func writeJSONObject(_ query: Query, into buffer: ByteBuffer) throws -> Bool {
    if query.isEmpty { return false }
    let statement = try statement(for: query)
    defer { statement.reset() }
    guard try statement.step() else { return false }
    JSONRows.of(query).write(statement, into: buffer)
    try rowGuard?.row(bytes: buffer.count)
    return true
  }
}
