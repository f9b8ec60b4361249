import Glibc
import MartletSQLite

/// Records the row changes of the writer's transaction. Changes undone by a savepoint are discarded
/// with it.
///
/// If a statement fails half-way and the error is caught, its changes stay recorded. A notification
/// may name too much, but never too little.
final class ChangeRecorder: RollbackObserver {
  private struct Event {
    var table: Int32
    /// Marks the point from which the table's changed rows are no longer recorded one by one.
    var isOverflow = false
    var change: TableChanges.RowChange
    /// The index in `keys` of the change's first key value.
    var keys: Int
    /// The captured touches before the change.
    var touches: Int
  }

  /// A table's names as SQLite passes them, so that recording a change compares bytes and creates
  /// no `String`.
  private struct Table {
    var database: [CChar]
    var table: [CChar]
    var name: String
    var isMain: Bool
    /// Whether its changes are of no interest to anyone.
    var isHidden: Bool
    /// Whether it belongs to a virtual table, such as a full-text index.
    var isShadow = false
    /// The number of recorded changes.
    var count = 0
    var isOverflown = false
    /// The operations of all changes, including ones that were not recorded or were undone.
    var operations: TableChanges.Operations = []
    var columns: UInt64 = 0
    var watched = WatchedTable()
  }

  let watch: Watch
  /// Captures the rows for the other nodes of a cluster.
  var capture: RowCapture?
  /// The number of rows that statements have changed since the connection was opened, including
  /// changes that were undone. Rows changed by triggers, and rows of a full-text index, are not
  /// counted.
  @exclusivity(unchecked) private(set) var rowsChanged = 0
  private var events: [Event] = []
  private var keys: [ValueKey] = []
  private var tables: [Table] = []
  private var last = 0
  private var version: UInt64 = .max
  private var watched: [String: WatchedTable] = [:]
  private var shadows: Set<String> = []

  private init(_ watch: Watch) { self.watch = watch }

  /// Installs a recorder. Call it before the connection's first statement.
  static func install(on connection: Connection, _ watch: Watch) -> ChangeRecorder {
    let recorder = ChangeRecorder(watch)
    connection.onPreupdate { recorder.record($0) }
    connection.rollbackObserver = recorder
    return recorder
  }

  /// Loads the current watch list. Called before the first change of a transaction.
  func begin(on connection: Connection, schemaMayHaveChanged: Bool) throws(SQLiteError) {
    try capture?.begin(connection, schemaMayHaveChanged: schemaMayHaveChanged)
    if schemaMayHaveChanged || version == .max {
      let names = try connection.rows(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow'")
      shadows = Set(names.compactMap { $0[0].text })
      for index in tables.indices { tables[index].isShadow = shadows.contains(tables[index].name) }
    }
    let list = watch.list
    guard schemaMayHaveChanged || list.version != version else { return }
    watched = [:]
    for (name, table) in list.tables {
      watched[name] = WatchedTable(table, try connection.columnSchemas(of: name))
    }
    for index in tables.indices { tables[index].watched = watched[tables[index].name] ?? .init() }
    version = list.version
  }

  private func record(_ change: PreupdateChange) {
    // Temporary tables are visible to this connection only.
    if strcmp(change.databaseNameBytes, "temp") == 0 {
      rowsChanged &+= 1
      return
    }
    let table = index(of: change)
    if !tables[table].isShadow, change.depth == 0 { rowsChanged &+= 1 }
    if tables[table].isHidden { return }
    let touches = capture?.position ?? 0
    if let capture, tables[table].isMain {
      capture.touch(change, table: table, name: tables[table].name)
    }
    let operation: TableChanges.Operations =
      switch change.operation {
      case .insert: .insert
      case .update: .update
      case .delete: .delete
      }
    let columns = tables[table].watched.changedColumns(change)
    tables[table].operations.formUnion(operation)
    tables[table].columns |= columns
    if tables[table].isOverflown { return }
    var event = Event(
      table: Int32(table),
      change: .init(
        operation: operation, oldRowID: change.oldRowID, newRowID: change.newRowID,
        columns: columns),
      keys: keys.count, touches: touches)
    if tables[table].count == TableChanges.rowLimit {
      event.isOverflow = true
      tables[table].isOverflown = true
    } else {
      tables[table].watched.appendKeys(of: change, to: &keys)
      tables[table].count += 1
    }
    events.append(event)
  }

  private func index(of change: PreupdateChange) -> Int {
    if last < tables.count, matches(tables[last], change) { return last }
    if let known = tables.firstIndex(where: { matches($0, change) }) {
      last = known
    } else {
      let isMain = strcmp(change.databaseNameBytes, "main") == 0
      let name = isMain ? change.table : "\(change.database).\(change.table)"
      tables.append(
        Table(
          database: Array(change.database.utf8CString), table: Array(change.table.utf8CString),
          name: name, isMain: isMain, isHidden: isMain && name == NodePosition.table,
          isShadow: shadows.contains(name), watched: watched[name] ?? .init()))
      last = tables.count - 1
    }
    return last
  }

  private func matches(_ table: Table, _ change: PreupdateChange) -> Bool {
    strcmp(table.table, change.tableNameBytes) == 0
      && strcmp(table.database, change.databaseNameBytes) == 0
  }

  // MARK: RollbackObserver

  var position: Int { events.count }

  func discard(after position: Int) {
    guard events.count > position else { return }
    for event in events[position...] {
      let table = Int(event.table)
      if event.isOverflow { tables[table].isOverflown = false } else { tables[table].count -= 1 }
    }
    keys.removeLast(keys.count - events[position].keys)
    capture?.discard(after: events[position].touches)
    events.removeLast(events.count - position)
  }

  // MARK: The transaction in progress

  /// Whether a row of a table in the main database has changed.
  func hasChanged(_ name: String) -> Bool { changed(name) != nil }

  /// The index of a table, if one of its rows has changed.
  private func changed(_ name: String) -> Int? {
    let length = name.utf8.count
    return tables.firstIndex {
      ($0.count > 0 || $0.isOverflown) && $0.name.utf8.count == length && $0.name == name
    }
  }

  /// Rows that were added to a table.
  enum Additions { case none, upTo(Int64), unclear }

  /// The largest row ID added to a table in the main database. Unclear if rows were changed or
  /// deleted as well, or if not all were recorded.
  func additions(to name: String) -> Additions {
    guard let table = changed(name) else { return .none }
    var last = Int64.min
    for event in events where event.table == table {
      guard !event.isOverflow, event.change.operation == .insert else { return .unclear }
      last = max(last, event.change.newRowID)
    }
    return .upTo(last)
  }

  /// Creates the notification for the recorded changes and clears the record.
  func notice(number: UInt64, everything: Bool) -> CommitNotification {
    var changes = [TableChanges?](repeating: nil, count: tables.count)
    for (place, event) in events.enumerated() {
      let table = Int(event.table)
      var change = changes[table] ?? TableChanges(tables[table].watched)
      // Removed from the array so that appending to it does not copy it.
      changes[table] = nil
      let end = place + 1 < events.count ? events[place + 1].keys : keys.count
      if event.isOverflow {
        change.overflow(tables[table].operations, tables[table].columns)
      } else {
        change.add(event.change, keys[event.keys..<end])
      }
      changes[table] = change
    }
    events.removeAll(keepingCapacity: events.capacity <= 65_536)
    keys.removeAll(keepingCapacity: keys.capacity <= 65_536)
    var named: [String: TableChanges] = [:]
    for index in tables.indices {
      if let change = changes[index] { named[tables[index].name] = change }
      tables[index].count = 0
      tables[index].isOverflown = false
      tables[index].operations = []
      tables[index].columns = 0
    }
    return CommitNotification(number: number, everything: everything, tables: named)
  }
}

extension TableChanges {
  fileprivate init(_ watched: WatchedTable) {
    columnCount = watched.columns.count
    keyCount = watched.keys.count
  }

  fileprivate mutating func add(_ change: RowChange, _ more: ArraySlice<ValueKey>) {
    operations.formUnion(change.operation)
    columns |= change.columns
    rows?.append(change)
    keys += more
  }

  /// Drops the individual rows, because there are more than ``rowLimit``.
  fileprivate mutating func overflow(_ operations: Operations, _ columns: UInt64) {
    self.operations = operations
    self.columns = columns
    rows = nil
    keys = []
  }
}
