import MartletSQLite

/// The watched columns of a table, resolved to their positions on the writer's connection.
struct WatchedTable {
  /// The stored column for each watched column, by number; `nil` for the row ID, whose changes are
  /// visible without it.
  private(set) var columns: [ColumnSchema?] = []
  private(set) var keys: [(index: Int, collation: ValueKey.Collation)] = []

  /// Watches no columns.
  init() {}

  /// Resolves the watched columns. `stored` is `nil` if a change does not identify its columns;
  /// then nothing is watched. A column that is not found is not watched, nor are the ones after it.
  init(_ table: WatchList.Table, _ stored: [ColumnSchema]?) {
    guard let stored else { return }
    for name in table.columns {
      if name == "ROWID" {
        columns.append(nil)
      } else if let column = stored.first(where: { $0.name == name }) {
        columns.append(column)
      } else {
        break
      }
    }
    for name in table.keys {
      guard let column = stored.first(where: { $0.name == name }), let collation = column.collation
      else { break }
      keys.append((column.index, collation))
    }
  }

  func changedColumns(_ change: PreupdateChange) -> UInt64 {
    guard change.operation == .update, change.oldRowID == change.newRowID else { return .max }
    var changed: UInt64 = 0
    for (number, column) in columns.enumerated() {
      if let column, change.changes(column.index, hasDefault: column.hasDefault) {
        changed |= 1 << UInt64(number)
      }
    }
    return changed
  }

  func appendKeys(of change: PreupdateChange, to values: inout [ValueKey]) {
    for (column, collation) in keys {
      let old = change.oldKey(column, collation)
      let new = change.newKey(column, collation)
      values.append(old ?? new ?? .null)
      values.append(new ?? old ?? .null)
    }
  }
}
