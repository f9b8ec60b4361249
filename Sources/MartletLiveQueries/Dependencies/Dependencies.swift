import MartletSQLite
import MartletStore

/// What a query reads: which columns of which tables, and of which rows.
public struct Dependencies: Equatable, Sendable {
  /// What a query reads of one table.
  public struct Table: Equatable, Sendable {
    /// The columns read; none where only the number of rows matters, `nil` for all.
    public var columns: Set<String>?
    /// Only rows in which one of these columns has this value; `nil` for all rows.
    public var pins: Set<Pin>?

    public init(columns: Set<String>? = nil, pins: Set<Pin>? = nil) {
      self.columns = columns
      self.pins = pins
    }

    mutating func formUnion(_ other: Table) {
      if let more = other.columns { columns?.formUnion(more) } else { columns = nil }
      if let more = other.pins { pins?.formUnion(more) } else { pins = nil }
    }
  }

  /// A value that a column has in every row that the query sees.
  public struct Pin: Hashable, Sendable {
    public var column: String
    public var value: ValueKey

    public init(_ column: String, _ value: ValueKey) {
      self.column = column
      self.value = value
    }
  }

  /// By name; those of an attached database as `database.table`.
  public private(set) var tables: [String: Table] = [:]
  /// Any commit may change the result: some statement cannot tell what it reads, or calls a function that
  /// may answer differently each time.
  public internal(set) var isUnknown = false
  /// The result depends on the time at which the query runs.
  public internal(set) var readsClock = false

  public init(tables: [String: Table] = [:]) { self.tables = tables }

  static let unknown = {
    var dependencies = Dependencies()
    dependencies.isUnknown = true
    return dependencies
  }()

  mutating func add(_ name: String, _ table: Table) {
    if tables[name] == nil { tables[name] = table } else { tables[name]?.formUnion(table) }
  }

  mutating func add(_ pin: Pin, to table: String) { tables[table]?.pins?.insert(pin) }
}
