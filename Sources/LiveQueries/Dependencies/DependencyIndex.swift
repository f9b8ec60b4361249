import Store

/// Which queries read which table. A value: what a commit touches is a pure function of it.
struct DependencyIndex {
  typealias ID = UInt64

  private var readers: [String: Set<ID>] = [:]
  /// Queries that any commit may change: those that have not run yet among them.
  private var any: Set<ID> = []
  private var known: [ID: Dependencies] = [:]

  /// Adds a query whose dependencies are not known yet.
  mutating func add(_ id: ID) { any.insert(id) }

  mutating func set(_ dependencies: Dependencies, for id: ID) {
    guard known[id] != dependencies else { return }
    remove(id)
    known[id] = dependencies
    if dependencies.isUnknown { any.insert(id) }
    for table in dependencies.tables { readers[table, default: []].insert(id) }
  }

  mutating func remove(_ id: ID) {
    any.remove(id)
    guard let dependencies = known.removeValue(forKey: id) else { return }
    for table in dependencies.tables {
      readers[table]?.remove(id)
      if readers[table]?.isEmpty == true { readers[table] = nil }
    }
  }

  /// The queries that the commit may have changed.
  func touched(by notice: CommitNotice) -> Set<ID> {
    if notice.everything { return any.union(known.keys) }
    var touched = notice.tables.isEmpty ? [] : any
    for table in notice.tables.keys {
      if let ids = readers[table] { touched.formUnion(ids) }
    }
    return touched
  }
}
