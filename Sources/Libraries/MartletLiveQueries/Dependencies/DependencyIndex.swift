import MartletSQLite
import MartletStore

/// Finds the queries that a commit may have changed, by its tables, columns and values. The cost
/// depends on the number of changed rows and touched queries, not on the number of open queries.
struct DependencyIndex {
  typealias ID = UInt64

  private struct Readers {
    /// Queries that read any row: the columns read, as a mask of their numbers in the watch list.
    var whole: [ID: UInt64] = [:]
    /// The same for queries that read only rows with a certain value in a key, by the key's number.
    var pinned: [Int: [ValueKey: [ID: UInt64]]] = [:]
    /// The number of queries that read the table.
    var count = 0
  }

  private let watch: Watch
  private var tables: [String: Readers] = [:]
  /// Queries that any commit may change.
  private var any: Set<ID> = []
  private var known: [ID: Dependencies] = [:]

  init(_ watch: Watch) { self.watch = watch }

  /// Stores the dependencies of a query. Returns whether they differ from the previous ones.
  @discardableResult
  mutating func set(_ dependencies: Dependencies, for id: ID) -> Bool {
    guard known[id] != dependencies else { return false }
    remove(id)
    known[id] = dependencies
    if dependencies.isUnknown { any.insert(id) }
    for (name, table) in dependencies.tables {
      let columns = mask(table.columns, of: name)
      tables[name, default: Readers()].count += 1
      guard let pins = table.pins else {
        tables[name]?.whole[id] = columns
        continue
      }
      for pin in pins {
        let key = watch.key(pin.column, of: name)
        tables[name]?.pinned[key, default: [:]][pin.value, default: [:]][id] = columns
      }
    }
    return true
  }

  private func mask(_ columns: Set<String>?, of table: String) -> UInt64 {
    guard let columns else { return .max }
    var mask: UInt64 = 0
    for column in columns {
      guard let number = watch.column(column, of: table) else { return .max }
      mask |= 1 << UInt64(number)
    }
    return mask
  }

  mutating func remove(_ id: ID) {
    any.remove(id)
    guard let dependencies = known.removeValue(forKey: id) else { return }
    for (name, table) in dependencies.tables {
      tables[name]?.count -= 1
      tables[name]?.whole[id] = nil
      for pin in table.pins ?? [] {
        let key = watch.key(pin.column, of: name)
        tables[name]?.pinned[key]?[pin.value]?[id] = nil
        if tables[name]?.pinned[key]?[pin.value]?.isEmpty == true {
          tables[name]?.pinned[key]?[pin.value] = nil
        }
      }
      if tables[name]?.count == 0 { tables[name] = nil }
    }
  }

  /// The queries that the commit may have changed.
  func touched(by notice: CommitNotification) -> Set<ID> {
    if notice.everything { return any.union(known.keys) }
    var touched = notice.tables.isEmpty ? [] : any
    for (name, changes) in notice.tables {
      if let readers = tables[name] { add(readers, changes, to: &touched) }
    }
    return touched
  }

  private func add(_ readers: Readers, _ changes: TableChanges, to touched: inout Set<ID>) {
    // Columns watched only after the commit are treated as changed.
    let untold: UInt64 =
      changes.columnCount < 64 ? .max << UInt64(changes.columnCount) : 0
    let isUpdate = changes.operations.isDisjoint(with: [.insert, .delete])
    let columns = changes.columns | untold
    func addAny(of readers: some Sequence<(ID, UInt64)>) {
      for (id, read) in readers where !isUpdate || read & columns != 0 { touched.insert(id) }
    }
    addAny(of: readers.whole.lazy.map { ($0, $1) })
    for (key, values) in readers.pinned {
      guard let rows = changes.rows, changes.hasKey(key) else {
        for readers in values.values { addAny(of: readers.lazy.map { ($0, $1) }) }
        continue
      }
      for (place, row) in rows.enumerated() {
        let (old, new) = changes.keys(ofRow: place, key: key)
        add(values[old], row, row.columns | untold, to: &touched)
        if new != old { add(values[new], row, row.columns | untold, to: &touched) }
      }
    }
  }

  private func add(
    _ readers: [ID: UInt64]?, _ row: TableChanges.RowChange, _ columns: UInt64,
    to touched: inout Set<ID>
  ) {
    for (id, read) in readers ?? [:] where row.operation != .update || read & columns != 0 {
      touched.insert(id)
    }
  }
}
