import Glibc
import SQLite

/// Collects the writer's changes of rows while its transaction runs. What a savepoint undoes is
/// thrown away with it.
///
/// A statement that fails half-way and is caught leaves its events here: a notice may name too
/// much, never too little.
final class ChangeRecorder: RollbackObserver {
  private struct Event {
    var table: Int32
    var change: TableChanges.RowChange
  }

  /// A table's names as SQLite gives them, so that an event costs a comparison and no `String`.
  private struct Table {
    var database: [CChar]
    var table: [CChar]
    var name: String
  }

  private var events: [Event] = []
  private var tables: [Table] = []
  private var last = 0

  /// To be called before the connection's first statement.
  static func install(on connection: Connection) -> ChangeRecorder {
    let recorder = ChangeRecorder()
    connection.onPreupdate { recorder.record($0) }
    connection.rollbackObserver = recorder
    return recorder
  }

  private func record(_ change: PreupdateChange) {
    // Nobody else sees temporary tables.
    if strcmp(change.databaseNameBytes, "temp") == 0 { return }
    let operation: TableChanges.Operations =
      switch change.operation {
      case .insert: .insert
      case .update: .update
      case .delete: .delete
      }
    events.append(
      Event(
        table: Int32(index(of: change)),
        change: .init(
          operation: operation, oldRowID: change.oldRowID, newRowID: change.newRowID)))
  }

  private func index(of change: PreupdateChange) -> Int {
    if last < tables.count, matches(tables[last], change) { return last }
    if let known = tables.firstIndex(where: { matches($0, change) }) {
      last = known
    } else {
      let isMain = strcmp(change.databaseNameBytes, "main") == 0
      tables.append(
        Table(
          database: Array(change.database.utf8CString), table: Array(change.table.utf8CString),
          name: isMain ? change.table : "\(change.database).\(change.table)"))
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
    if events.count > position { events.removeLast(events.count - position) }
  }

  /// The notice of what was collected, which is then forgotten.
  func notice(number: UInt64, everything: Bool) -> CommitNotice {
    var changes = [TableChanges?](repeating: nil, count: tables.count)
    for event in events { changes[Int(event.table), default: TableChanges()].add(event.change) }
    events.removeAll(keepingCapacity: events.capacity <= 65_536)
    var named: [String: TableChanges] = [:]
    for (table, change) in zip(tables, changes) where change != nil { named[table.name] = change }
    return CommitNotice(number: number, everything: everything, tables: named)
  }
}

extension Array {
  fileprivate subscript<Value>(index: Int, default value: @autoclosure () -> Value) -> Value
  where Element == Value? {
    get { self[index] ?? value() }
    set { self[index] = newValue }
  }
}
