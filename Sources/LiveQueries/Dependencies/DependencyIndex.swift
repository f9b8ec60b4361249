import SQLite
import Store

/// Which queries read what. What a commit touches is found by its tables, columns and values: it costs as
/// much as rows were changed and queries are touched, not as queries are open.
struct DependencyIndex {
  typealias ID = UInt64

  private struct Reader {
    let id: ID
    /// The columns read, by their numbers in the watch list.
    let columns: UInt64
  }

  private struct Readers {
    /// Of any row.
    var whole: [ID: UInt64] = [:]
    /// Of rows with a value in a key, by the key's number.
    var pinned: [Int: [ValueKey: [Reader]]] = [:]
    /// All of them.
    var all: [ID: Int] = [:]
  }

  private let watch: Watch
  private var tables: [String: Readers] = [:]
  /// Queries that any commit may change.
  private var any: Set<ID> = []
  private var known: [ID: Dependencies] = [:]

  init(_ watch: Watch) { self.watch = watch }

  /// Gives whether they are others than before.
  @discardableResult
  mutating func set(_ dependencies: Dependencies, for id: ID) -> Bool {
    guard known[id] != dependencies else { return false }
    remove(id)
    known[id] = dependencies
    if dependencies.isUnknown { any.insert(id) }
    for (name, table) in dependencies.tables {
      let columns = mask(table.columns, of: name)
      tables[name, default: Readers()].all[id] = 1
      guard let pins = table.pins else {
        tables[name]?.whole[id] = columns
        continue
      }
      for pin in pins {
        let key = watch.key(pin.column, of: name)
        tables[name]?.pinned[key, default: [:]][pin.value, default: []]
          .append(Reader(id: id, columns: columns))
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
      tables[name]?.all[id] = nil
      tables[name]?.whole[id] = nil
      for pin in table.pins ?? [] {
        let key = watch.key(pin.column, of: name)
        tables[name]?.pinned[key]?[pin.value]?.removeAll { $0.id == id }
        if tables[name]?.pinned[key]?[pin.value]?.isEmpty == true {
          tables[name]?.pinned[key]?[pin.value] = nil
        }
      }
      if tables[name]?.all.isEmpty == true { tables[name] = nil }
    }
  }

  /// The queries that the commit may have changed.
  func touched(by notice: CommitNotice) -> Set<ID> {
    if notice.everything { return any.union(known.keys) }
    var touched = notice.tables.isEmpty ? [] : any
    for (name, changes) in notice.tables {
      if let readers = tables[name] { add(readers, changes, to: &touched) }
    }
    return touched
  }

  private func add(_ readers: Readers, _ changes: TableChanges, to touched: inout Set<ID>) {
    guard let rows = changes.rows else {
      touched.formUnion(readers.all.keys)
      return
    }
    // Columns that were not watched yet may have changed.
    let untold: UInt64 =
      changes.columnCount < 64 ? .max << UInt64(changes.columnCount) : 0
    addWhole(readers, changes, rows, untold, to: &touched)
    for (key, values) in readers.pinned {
      guard key < changes.keyCount else {
        for readers in values.values { touched.formUnion(readers.lazy.map(\.id)) }
        continue
      }
      for (place, row) in rows.enumerated() {
        let columns = row.columns | untold
        let (old, new) = changes.keys(ofRow: place, key: key)
        add(values[old], row, columns, to: &touched)
        if new != old { add(values[new], row, columns, to: &touched) }
      }
    }
  }

  private func addWhole(
    _ readers: Readers, _ changes: TableChanges, _ rows: [TableChanges.RowChange],
    _ untold: UInt64, to touched: inout Set<ID>
  ) {
    if readers.whole.isEmpty { return }
    if !changes.operations.isDisjoint(with: [.insert, .delete]) {
      touched.formUnion(readers.whole.keys)
      return
    }
    let columns = rows.reduce(untold) { $0 | $1.columns }
    for (id, read) in readers.whole where read & columns != 0 { touched.insert(id) }
  }

  private func add(
    _ readers: [Reader]?, _ row: TableChanges.RowChange, _ columns: UInt64,
    to touched: inout Set<ID>
  ) {
    for reader in readers ?? [] where row.operation != .update || reader.columns & columns != 0 {
      touched.insert(reader.id)
    }
  }
}
