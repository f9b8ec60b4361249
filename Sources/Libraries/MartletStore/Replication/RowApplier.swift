import MartletQueryBuilder
import MartletSQLite

/// Makes a file have the rows that entries describe, in the caller's transaction.
///
/// The connection runs no triggers, no foreign key actions and no CHECK constraints: what they did
/// is in the entry.
final class RowApplier {
  private struct Statements {
    let delete: String
    let update: String
    let insert: String
  }

  /// A table as it is described in one entry.
  private struct Described {
    let columns: [String]
    let key: [Int]
    let statements: Statements

    /// The number of the parameter with the row ID.
    var rowID: Int { columns.count + 1 }
  }

  /// A row whose unique value another row has that is yet to change.
  private struct Blocked {
    let table: Described
    let id: Int64?
    /// The position of its values in the entry.
    let position: Int
  }

  private let connection: Connection
  private var described: [String: Described] = [:]

  /// Takes a connection on which everything is prepared.
  init(_ connection: Connection) throws {
    self.connection = connection
    connection.setTriggersEnabled(false)
    // Temporary triggers still run (https://sqlite.org/c3ref/c_dbconfig_defensive.html).
    for row in try connection.rows("SELECT name FROM temp.sqlite_schema WHERE type = 'trigger'") {
      try connection.execute("DROP TRIGGER temp.\(quoted(identifier: row[0].text ?? ""))")
    }
    try connection.pragma("foreign_keys", set: "OFF")
    try connection.pragma("ignore_check_constraints", set: "ON")
  }

  func apply(_ entry: [UInt8]) throws {
    do {
      try entry.withUnsafeBytes { try apply($0) }
    } catch let error as SQLiteError where error.isMisfit {
      throw ReplicationError.contradiction(error.message)
    }
  }

  private func apply(_ bytes: UnsafeRawBufferPointer) throws {
    // First the rows that are gone, then the others: a unique value may have moved from one row to
    // another.
    for isDeleting in [true, false] {
      var reader = EntryReader(bytes)
      guard try reader.byte() == RowEntry.version else { throw ReplicationError.damaged }
      _ = try reader.fixed()
      var blocked: [Blocked] = []
      for _ in 0..<(try reader.number()) {
        let table = try table(&reader)
        let count = try reader.number()
        if isDeleting {
          try delete(count, table, &reader)
        } else {
          try put(count, table, &reader, &blocked)
        }
      }
      if isDeleting { continue }
      try put(blocked, bytes)
      if try reader.byte() == 1 { try setSequences(&reader) }
      guard reader.isAtEnd else { throw ReplicationError.damaged }
    }
  }

  private func table(_ reader: inout EntryReader) throws -> Described {
    let name = try reader.text()
    let columns = try (0..<(try reader.number())).map { _ in try reader.text() }
    let key = try (0..<(try reader.number())).map { _ in try reader.index(below: columns.count) }
    let rowID = key.isEmpty ? try reader.index(below: RowShape.rowIDs.count) : 0
    guard !columns.isEmpty else { throw ReplicationError.damaged }
    if let known = described[name], known.columns == columns, known.key == key { return known }
    let table = Described(
      columns: columns, key: key, statements: statements(name, columns, key, rowID))
    described[name] = table
    return table
  }

  /// The statements of a table. `OR ABORT` replaces the conflict clauses of its constraints, so
  /// that a conflict is an error and nothing else.
  private func statements(
    _ name: String, _ columns: [String], _ key: [Int], _ rowID: Int
  ) -> Statements {
    let table = "main." + quoted(identifier: name)
    let set = columns.indices.map { "\(quoted(identifier: columns[$0])) = ?\($0 + 1)" }
      .joined(separator: ", ")
    let values = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    let list = RowShape.list(columns)
    guard key.isEmpty else {
      let names = key.map { columns[$0] }
      let condition = key.map { "\(quoted(identifier: columns[$0])) = ?\($0 + 1)" }
        .joined(separator: " AND ")
      return Statements(
        delete: "DELETE FROM \(table) WHERE \(RowShape.condition(names, from: 1))",
        update: "UPDATE OR ABORT \(table) SET \(set) WHERE \(condition)",
        insert: "INSERT OR ABORT INTO \(table) (\(list)) VALUES (\(values))")
    }
    let rowID = RowShape.rowIDs[rowID]
    let parameter = columns.count + 1
    return Statements(
      delete: "DELETE FROM \(table) WHERE \(rowID) = ?1",
      update: "UPDATE OR ABORT \(table) SET \(set) WHERE \(rowID) = ?\(parameter)",
      insert:
        "INSERT OR ABORT INTO \(table) (\(rowID), \(list)) VALUES (?\(parameter), \(values))")
  }

  /// Deletes the rows of a table that are gone.
  private func delete(
    _ count: Int, _ table: Described, _ reader: inout EntryReader
  ) throws {
    let statement = try connection.cached(table.statements.delete)
    for _ in 0..<count {
      let isThere = try reader.byte() == 1
      if isThere {
        if table.key.isEmpty { _ = try reader.signed() }
        for _ in table.columns { try reader.skipValue() }
        continue
      }
      if table.key.isEmpty {
        try statement.bind(int64: try reader.signed(), at: 1)
      } else {
        for index in table.key.indices { try reader.bind(to: statement, at: index + 1) }
      }
      try run(statement)
    }
  }

  /// Updates or inserts the rows of a table that are there.
  private func put(
    _ count: Int, _ table: Described, _ reader: inout EntryReader, _ blocked: inout [Blocked]
  ) throws {
    let update = try connection.cached(table.statements.update)
    let insert = try connection.cached(table.statements.insert)
    for _ in 0..<count {
      guard try reader.byte() == 1 else {
        if table.key.isEmpty { _ = try reader.signed() }
        for _ in table.key { try reader.skipValue() }
        continue
      }
      let id = table.key.isEmpty ? try reader.signed() : nil
      let start = reader
      do {
        try bind(table, id, &reader, to: update)
        try run(update)
        if connection.changes == 0 {
          reader = start
          try bind(table, id, &reader, to: insert)
          try run(insert)
        }
      } catch let error as SQLiteError where error.code == SQLITE_CONSTRAINT {
        blocked.append(Blocked(table: table, id: id, position: start.position))
      }
    }
  }

  /// Puts the rows whose unique values were still in use: first all away, then all in.
  private func put(_ blocked: [Blocked], _ bytes: UnsafeRawBufferPointer) throws {
    for row in blocked {
      let statement = try connection.cached(row.table.statements.delete)
      if let id = row.id { try statement.bind(int64: id, at: 1) }
      for (place, column) in row.table.key.enumerated() {
        var reader = EntryReader(bytes, at: row.position)
        for _ in 0..<column { try reader.skipValue() }
        try reader.bind(to: statement, at: place + 1)
      }
      try run(statement)
    }
    for row in blocked {
      let statement = try connection.cached(row.table.statements.insert)
      var reader = EntryReader(bytes, at: row.position)
      try bind(row.table, row.id, &reader, to: statement)
      try run(statement)
    }
  }

  private func bind(
    _ table: Described, _ id: Int64?, _ reader: inout EntryReader,
    to statement: PreparedStatement
  ) throws {
    for index in table.columns.indices { try reader.bind(to: statement, at: index + 1) }
    if let id { try statement.bind(int64: id, at: table.rowID) }
  }

  /// Runs a statement and forgets its values, which are bytes of the entry.
  private func run(_ statement: PreparedStatement) throws(SQLiteError) {
    defer { statement.clearBindings() }
    try statement.run()
  }

  private func setSequences(_ reader: inout EntryReader) throws {
    var rows: [(name: Value, number: Value)] = []
    for _ in 0..<(try reader.number()) { rows.append((try reader.value(), try reader.value())) }
    let stored = try connection.rows(RowCapture.readSequences)
    if stored.count == rows.count, zip(stored, rows).allSatisfy({ $0[0] == $1.0 && $0[1] == $1.1 })
    {
      return
    }
    try connection.execute("DELETE FROM main.sqlite_sequence")
    for row in rows {
      try connection.run(
        "INSERT INTO main.sqlite_sequence (name, seq) VALUES (?, ?)", row.name, row.number)
    }
  }
}

extension SQLiteError {
  /// Whether a statement did not fit the schema or the rows, as opposed to a failing disk.
  fileprivate var isMisfit: Bool {
    [SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_TOOBIG, SQLITE_RANGE].contains(code)
  }
}
