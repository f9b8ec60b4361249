import MartletSQLShape
import MartletSQLite

/// Determines what statements read: tables and columns from the connection's authorizer, and rows
/// from the SQL text, the bound values and the resulting rows.
final class DependencyReader {
  private var schema: SchemaFacts?

  /// Runs `body` and returns its value together with what its statements read.
  func collect<T>(
    _ connection: Connection, _ body: () throws -> T
  ) throws -> (T, Dependencies) {
    if !connection.authorizer.collects {
      connection.authorizer.collects = true
      // Cached statements were prepared without recording their reads.
      connection.finalizeCachedStatements()
    }
    let collector = DependencyCollector(try schema ?? learnSchema(connection))
    connection.observer = collector
    defer { connection.observer = nil }
    let value = try body()
    return (value, collector.dependencies)
  }

  /// Loads the schema again if it has changed. Call it once per read transaction, before the runs.
  @discardableResult
  func learnSchema(_ connection: Connection) throws -> SchemaFacts {
    if let schema, try SchemaFacts.Version(connection) == schema.version { return schema }
    let learned = try SchemaFacts(connection)
    schema = learned
    return learned
  }
}

/// Collects the dependencies of the statements in one run.
private final class DependencyCollector: StatementObserver {
  /// The parsed shape of a statement's text, stored with the statement and valid for one schema
  /// version.
  private final class Note {
    let schema: SchemaFacts.Version
    let shape: QueryShape
    init(_ shape: QueryShape, _ schema: SchemaFacts.Version) {
      self.shape = shape
      self.schema = schema
    }
  }

  /// A result column whose values pin a table.
  private struct Watched {
    let statement: ObjectIdentifier
    let index: Int
    let table: String
    let column: SchemaFacts.Column
  }

  private(set) var dependencies = Dependencies()
  private let schema: SchemaFacts
  private var watched: [Watched] = []

  init(_ schema: SchemaFacts) { self.schema = schema }

  private func shape(of statement: PreparedStatement) -> QueryShape {
    if let note = statement.note as? Note, note.schema == schema.version { return note.shape }
    let shape = QueryShape(statement.sql, schema)
    statement.note = Note(shape, schema.version)
    return shape
  }

  func began(_ statement: PreparedStatement) {
    // A new statement may have the address of a finalized one.
    watched.removeAll { $0.statement == ObjectIdentifier(statement) }
    guard let accesses = statement.accesses else {
      dependencies.isUnknown = true
      return
    }
    let shape = shape(of: statement)
    if shape.isOpaque || !schema.nondeterministic.isDisjoint(with: accesses.functions)
      || accesses.reads.keys.contains(where: { schema.opaqueViews.contains($0.name.lowercased()) })
    {
      dependencies.isUnknown = true
    }
    if readsClock(statement, accesses, shape) { dependencies.readsClock = true }
    let pins = pins(of: statement, shape)
    for (table, columns) in accesses.reads where table.database != "temp" {
      guard table.database == "main" else {
        dependencies.add("\(table.database).\(table.name)", .init())
        continue
      }
      add(table.name, columns, pins, shape)
    }
    for table in shape.silentlyRead { add(table, nil, pins, shape) }
  }

  private func add(
    _ table: String, _ columns: Set<String>?, _ pins: [String: Set<Dependencies.Pin>],
    _ shape: QueryShape
  ) {
    // SQLite does not report the columns that a generated column is computed from.
    let hasUnknownColumns = schema.tables[table.lowercased()]?.hasUnknownColumns ?? true
    dependencies.add(
      table,
      .init(
        columns: hasUnknownColumns || shape.silentlyRead.contains(table) ? nil : columns,
        pins: pins[table]))
    // A virtual table changes through its underlying tables, which it reads and writes with its own
    // statements.
    for part in schema.parts[table] ?? [] { dependencies.add(part, .init()) }
  }

  func row(of statement: PreparedStatement) {
    guard !watched.isEmpty else { return }
    for column in watched where column.statement == ObjectIdentifier(statement) {
      guard let collation = column.column.collation else { continue }
      dependencies.add(
        Dependencies.Pin(
          column.column.name, statement.key(at: column.index, collation)),
        to: column.table)
    }
  }

  private func readsClock(
    _ statement: PreparedStatement, _ accesses: StatementAccesses, _ shape: QueryShape
  ) -> Bool {
    if !accesses.functions.isDisjoint(with: TimeFunctions.keywords) { return true }
    guard !accesses.functions.isDisjoint(with: TimeFunctions.functions) else { return false }
    return shape.namesNow
      || statement.bound.contains {
        if case .text(let text) = $0 { text.lowercased() == "now" } else { false }
      }
      || accesses.reads.keys.contains { schema.clockViews.contains($0.name.lowercased()) }
  }

  // MARK: Which rows

  /// The pins of each table that every occurrence in the statement restricts.
  private func pins(
    of statement: PreparedStatement, _ shape: QueryShape
  ) -> [String: Set<Dependencies.Pin>] {
    guard shape.isUnderstood, !shape.hasOthers else { return [:] }
    var pins: [String: Set<Dependencies.Pin>] = [:]
    var links: [Watched] = []
    var whole: Set<String> = []
    for occurrence in shape.occurrences {
      let table = occurrence.table.name
      if let found = occurrence.pins.lazy.compactMap({ self.values(of: $0, statement) }).first {
        pins[table, default: []].formUnion(found)
      } else if let link = occurrence.link, let index = column(link, of: statement) {
        pins[table, default: []].formUnion([])
        links.append(
          Watched(
            statement: ObjectIdentifier(statement), index: index, table: table,
            column: link.column))
      } else {
        whole.insert(table)
      }
    }
    for table in whole { pins[table] = nil }
    watched += links.filter { !whole.contains($0.table) }
    return pins
  }

  /// The pins to these values; `nil` if the column is not compared by these values alone.
  private func values(
    of pin: QueryShape.Pin, _ statement: PreparedStatement
  ) -> Set<Dependencies.Pin>? {
    var pins: Set<Dependencies.Pin> = []
    for constant in pin.values {
      let value: Value
      switch constant {
      case .value(let constant): value = constant
      case .parameter(let number):
        value = number <= statement.bound.count ? statement.bound[number - 1] : .null
      }
      if case .null = value {
        guard pin.isStrict else { return nil }
        // A comparison with NULL matches no row.
        continue
      }
      guard let key = ValueKey(value, comparedWith: pin.column) else { return nil }
      pins.insert(Dependencies.Pin(pin.column.name, key))
    }
    return pins
  }

  /// The index of the result column that the link follows.
  private func column(_ link: QueryShape.Link, of statement: PreparedStatement) -> Int? {
    (0..<statement.columnCount).first {
      statement.origin(ofColumn: $0) == StatementOrigin(table: link.table, column: link.tableColumn)
    }
  }
}

extension ValueKey {
  /// The key of a value compared with a column; `nil` if SQLite would convert the value first
  /// (https://sqlite.org/datatype3.html#type_conversions_prior_to_comparison).
  init?(_ value: Value, comparedWith column: ColumnSchema) {
    guard let collation = column.collation else { return nil }
    switch (column.affinity, value) {
    case (.integer, .integer), (.integer, .real), (.real, .integer), (.real, .real),
      (.numeric, .integer), (.numeric, .real), (.text, .text), (.blob, _):
      self.init(value, collation)
    default: return nil
    }
  }
}
