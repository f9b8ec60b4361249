import MartletSQLite
import MartletStore

/// The data that a query reads: columns of tables, restricted to rows where possible.
public struct Dependencies: Equatable, Sendable {
  /// The data that a query reads of one table.
  public struct Table: Equatable, Sendable {
    /// The columns read. Empty if only the number of rows matters; `nil` for all columns.
    public var columns: Set<String>?
    /// The values that restrict the rows: the query sees only rows that match one of them. `nil`
    /// for all rows.
    public var pins: Set<Pin>?

    /// Creates the dependencies on a table, by default on all columns of all rows.
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
    /// The column's name.
    public var column: String
    /// The value, as a key that compares like the column.
    public var value: ValueKey

    /// A pin of a column to a value.
    public init(_ column: String, _ value: ValueKey) {
      self.column = column
      self.value = value
    }
  }

  /// The tables read, by name. Tables of an attached database are named `database.table`.
  public private(set) var tables: [String: Table] = [:]
  /// Whether any commit may change the result, because what a statement reads cannot be determined
  /// or it calls a nondeterministic function.
  public internal(set) var isUnknown = false
  /// Whether the result depends on the time at which the query runs.
  public internal(set) var readsClock = false

  /// The dependencies on tables by name.
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
