import MartletSQLite

/// A table of the watch list, as the writer's connection stores it.
struct WatchedTable {
  /// Where each watched column is stored, by its number; `nil` for the row id, whose changes show without
  /// it.
  private(set) var columns: [ColumnSchema?] = []
  private(set) var keys: [(index: Int, collation: ValueKey.Collation)] = []

  /// Nothing is told apart.
  init() {}

  /// `stored` is `nil` where a change does not tell which column is which. Where a column is not found,
  /// that one and those after it are not told.
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
