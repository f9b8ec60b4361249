import MartletSQLite

/// Which rows a transaction has touched, and what they are at its end.
///
/// The content of a row is read only then, so an entry is right whatever savepoints and failed
/// statements have undone. A row that was touched and undone has its old content.
final class RowCapture {
  private enum Key: Hashable {
    case id(Int64)
    case values([Value])
  }

  private struct Touch {
    let table: Int
    let key: Key
  }

  /// The tables by the index that the recorder gives them.
  private var shapes: [Int: Result<RowShape, ReplicationError>] = [:]
  private var known: [String: Result<RowShape, ReplicationError>]?
  private var touches: [Touch] = []
  /// Whether the entry has been made.
  private var isSealed = false
  /// Whether a row was touched after that.
  private(set) var hasMissed = false
  private var hasSequences = false
  /// The content of `sqlite_sequence` in the last entry; `nil` if that is not known.
  private var sequences: [Row]?

  /// The number of touches, for ``discard(after:)``.
  var position: Int { touches.count }

  /// Forgets the touches of the last transaction.
  func begin(_ connection: Connection, schemaMayHaveChanged: Bool) throws(SQLiteError) {
    if schemaMayHaveChanged || known == nil {
      known = try RowShape.all(connection)
      shapes = [:]
      hasSequences = try connection.tableExists("sqlite_sequence")
      sequences = nil
    }
    touches.removeAll(keepingCapacity: touches.capacity <= 65_536)
    (isSealed, hasMissed) = (false, false)
  }

  func discard(after position: Int) {
    if touches.count > position { touches.removeLast(touches.count - position) }
  }

  /// Notes that a row of the main database is about to change. `table` is the recorder's index.
  func touch(_ change: PreupdateChange, table: Int, name: String) {
    // SQLite's own tables: the sequences are read as a whole, statistics are not replicated.
    if name.hasPrefix("sqlite_") { return }
    if isSealed { hasMissed = true }
    let shape = shapes[table] ?? find(name, table)
    guard case .success(let shape) = shape else { return touch(table, .id(0)) }
    if shape.key.isEmpty {
      touch(table, .id(change.oldRowID))
      if change.newRowID != change.oldRowID { touch(table, .id(change.newRowID)) }
    } else {
      let old = shape.keyPositions.compactMap { change.old($0) }
      if !old.isEmpty { touch(table, .values(old)) }
      let new = shape.keyPositions.compactMap { change.new($0) }
      if !new.isEmpty, new != old { touch(table, .values(new)) }
    }
  }

  private func find(_ name: String, _ table: Int) -> Result<RowShape, ReplicationError> {
    let shape =
      known?[name]
      ?? .failure(.table(name, reason: "it was created while the cluster runs"))
    shapes[table] = shape
    return shape
  }

  private func touch(_ table: Int, _ key: Key) {
    if let last = touches.last, last.table == table, last.key == key { return }
    touches.append(Touch(table: table, key: key))
  }

  /// The entry for the open transaction; `nil` if nothing was touched.
  func entry(_ connection: Connection, tag: UInt64) throws -> [UInt8]? {
    isSealed = true
    let now = hasSequences ? try connection.rows(RowCapture.readSequences) : []
    let haveChanged = hasSequences && now != sequences
    guard !touches.isEmpty || haveChanged else { return nil }
    var writer = EntryWriter()
    writer.byte(RowEntry.version)
    writer.fixed(tag)
    let tables = Dictionary(grouping: touches, by: \.table)
    writer.number(tables.count)
    for (table, touches) in tables.sorted(by: { $0.key < $1.key }) {
      guard let shape = try shapes[table]?.get() else { continue }
      try write(shape, touches, connection, &writer)
    }
    writer.byte(haveChanged ? 1 : 0)
    if haveChanged {
      writer.number(now.count)
      for row in now {
        writer.value(row[0])
        writer.value(row[1])
      }
      sequences = now
    }
    guard writer.bytes.count <= RowEntry.sizeLimit else {
      throw ReplicationError.tooLarge(limit: RowEntry.sizeLimit)
    }
    return writer.bytes
  }

  static let readSequences = "SELECT name, seq FROM main.sqlite_sequence ORDER BY name, seq"

  /// Must be called if a transaction is rolled back, whose entry the log may not have.
  func forgetSequences() { sequences = nil }

  private func write(
    _ shape: RowShape, _ touches: [Touch], _ connection: Connection, _ writer: inout EntryWriter
  ) throws {
    writer.text(shape.name)
    writer.number(shape.columns.count)
    for column in shape.columns { writer.text(column) }
    writer.number(shape.key.count)
    for index in shape.key { writer.number(index) }
    if shape.key.isEmpty { writer.number(shape.rowID) }
    let statement = try connection.cached(shape.read)
    if shape.key.isEmpty {
      // In order of the IDs, which is the order of the rows in the file.
      var ids: [Int64] = touches.compactMap { if case .id(let id) = $0.key { id } else { nil } }
      ids.sort()
      var last: Int64?
      ids.removeAll { id in
        defer { last = id }
        return id == last
      }
      writer.number(ids.count)
      for id in ids {
        try statement.bind(int64: id, at: 1)
        let isThere = try statement.step()
        writer.byte(isThere ? 1 : 0)
        writer.signed(id)
        if isThere { try row(shape, statement, &writer) }
        statement.reset()
      }
    } else {
      let keys = Set(touches.map(\.key))
      writer.number(keys.count)
      for case .values(let values) in keys {
        try statement.bind(values)
        let isThere = try statement.step()
        writer.byte(isThere ? 1 : 0)
        if isThere {
          try row(shape, statement, &writer)
        } else {
          for value in values { writer.value(value) }
        }
        statement.reset()
      }
    }
  }

  private func row(
    _ shape: RowShape, _ statement: PreparedStatement, _ writer: inout EntryWriter
  ) throws {
    guard writer.bytes.count <= RowEntry.sizeLimit else {
      statement.reset()
      throw ReplicationError.tooLarge(limit: RowEntry.sizeLimit)
    }
    for index in shape.columns.indices { writer.column(index, of: statement) }
  }
}
