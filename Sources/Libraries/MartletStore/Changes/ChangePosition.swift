import MartletSQLite

/// The counters of a file and the last line of its change table, as of one commit. Two of them tell
/// what other programs have changed in between.
struct ChangePosition {
  /// The number of the table's last line.
  var version: Int64 = 0
  /// The counters of changes by table.
  var counters: [String: Int64] = [:]

  init(_ connection: Connection, _ tables: FollowedTables) throws(SQLiteError) {
    if tables.isEmpty { return }
    counters = try TableCounters.values(connection)
    if let changeTable = tables.changeTable {
      version = try ChangePosition.version(changeTable, connection)
    }
  }

  static func version(_ changeTable: ChangeTable, _ connection: Connection) throws(SQLiteError)
    -> Int64
  {
    let rows = try connection.rows(
      "SELECT max(\"\(changeTable.version)\") FROM main.\"\(changeTable.table)\"")
    return rows.first?[0].integer ?? 0
  }

  /// Whether this position can be later than `last`: something has moved, and nothing went back, as
  /// it does if the file's content was replaced. If nothing has moved, the commit changed a table
  /// of which nothing is known, or a program without triggers wrote it.
  func follows(_ last: ChangePosition) -> Bool {
    version >= last.version && last.counters.allSatisfy { $0.value <= counters[$0.key] ?? 0 }
      && (version > last.version || counters != last.counters)
  }

  /// The tables and rows that have changed since `last`.
  func changes(
    since last: ChangePosition, _ followed: FollowedTables, _ watch: WatchList,
    _ connection: Connection
  ) throws(SQLiteError) -> ForeignChanges {
    var changes = ForeignChanges()
    for (table, value) in counters where value != last.counters[table] {
      changes.tables[table] = .anyRow
    }
    if let changeTable = followed.changeTable {
      let names = changeTable.sources.map(\.table) + [changeTable.table]
      if changes.tables[changeTable.table] == nil,
        let lines = try ChangeLines(changeTable, after: last.version, upTo: version, connection)
      {
        changes.tables.merge(lines.changes(changeTable, watch)) { whole, _ in whole }
      } else {
        for name in names { changes.tables[name] = .anyRow }
      }
      for (names, sources) in followed.indexes
      where sources.contains(where: { changes.tables[$0] != nil }) {
        for name in names { changes.tables[name] = .anyRow }
      }
    }
    for table in followed.unknown { changes.tables[table] = .anyRow }
    return changes
  }
}

/// The lines that other programs have added to the change table.
private struct ChangeLines {
  private struct Line {
    var version: Int64
    var kind: Int64
    var item: Int64
    var group: Int64
  }

  private var lines: [Line] = []

  /// Reads the lines after `last`. Returns `nil` if there are too many, or if they do not tell all
  /// changes because some have been deleted or are of an unknown kind.
  init?(
    _ changeTable: ChangeTable, after last: Int64, upTo end: Int64, _ connection: Connection
  ) throws(SQLiteError) {
    let count = end - last
    guard count <= TableChanges.rowLimit else { return nil }
    lines.reserveCapacity(Int(count))
    let statement = try connection.cached(
      """
      SELECT "\(changeTable.version)", "\(changeTable.kind)", "\(changeTable.item)", "\(changeTable.group)" \
      FROM main."\(changeTable.table)" WHERE "\(changeTable.version)" > ?
      """)
    try statement.bind([.integer(last)])
    while try statement.step() {
      lines.append(
        Line(
          version: statement.int64(at: 0), kind: statement.int64(at: 1),
          item: statement.int64(at: 2), group: statement.int64(at: 3)))
    }
    let kinds = Set(changeTable.sources.map(\.kind))
    guard lines.count == count, lines.allSatisfy({ kinds.contains($0.kind) }) else { return nil }
  }

  /// The changed rows of the change table and of its sources.
  func changes(_ changeTable: ChangeTable, _ watch: WatchList) -> [String: TableChanges] {
    if lines.isEmpty { return [:] }
    var changes: [String: TableChanges] = [:]
    changes[changeTable.table] = TableChanges(
      of: lines.map(\.version), .insert, watch.tables[changeTable.table]?.keys ?? [],
      [
        changeTable.version: { lines[$0].version }, changeTable.kind: { lines[$0].kind },
        changeTable.item: { lines[$0].item }, changeTable.group: { lines[$0].group },
      ])
    for source in changeTable.sources {
      let lines = lines.filter { $0.kind == source.kind }
      if lines.isEmpty { continue }
      var values: [String: (Int) -> Int64] = [source.id: { lines[$0].item }]
      if let group = source.group { values[group] = { lines[$0].group } }
      // A line does not say what happened to the row.
      changes[source.table] = TableChanges(
        of: lines.map(\.item), [.insert, .update, .delete],
        watch.tables[source.table]?.keys ?? [], values)
    }
    return changes
  }
}

extension TableChanges {
  /// Changes of rows by their IDs. `values` returns the value of a column by the row's index, for
  /// the columns whose values are known; `names` are the watched keys.
  fileprivate init(
    of rows: [Int64], _ operation: Operations, _ names: [String],
    _ values: [String: (Int) -> Int64]
  ) {
    let values = names.map { values[$0] }
    var keys: [ValueKey] = []
    keys.reserveCapacity(rows.count * values.count * 2)
    for row in rows.indices {
      for value in values {
        let key = value.map { ValueKey(integer: $0(row)) } ?? .null
        keys.append(key)
        keys.append(key)
      }
    }
    self.init(
      rows: rows.map { RowChange(operation: operation, oldRowID: $0, newRowID: $0) },
      columnCount: 0, keyCount: names.count, keys: keys)
    unknownKeys = Set(values.indices.filter { values[$0] == nil })
  }
}
