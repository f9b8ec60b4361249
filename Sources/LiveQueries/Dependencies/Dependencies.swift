import SQLite
import Store

/// What a query reads: tables by name.
public struct Dependencies: Equatable, Sendable {
  public private(set) var tables: Set<String> = []
  /// Some statement could not tell what it reads: any commit may change the result.
  public private(set) var isUnknown = false

  public init(tables: Set<String> = []) { self.tables = tables }

  mutating func add(_ accesses: StatementAccesses?) {
    guard let accesses else {
      isUnknown = true
      return
    }
    for table in accesses.reads.keys where table.database == "main" { tables.insert(table.name) }
  }

  mutating func add(tables more: some Sequence<String>) { tables.formUnion(more) }
}
