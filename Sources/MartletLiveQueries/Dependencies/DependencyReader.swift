import MartletSQLShape
import MartletSQLite

/// Learns what the statements of a run read: tables and columns from the connection's authorizer, which
/// rows from the statements' text, the values that are bound, and the rows that they give.
final class DependencyReader {
  private var schema: SchemaFacts?

  /// Runs `body` and says what its statements read.
  func collect<T>(
    _ connection: Connection, _ body: () throws -> T
  ) throws -> (T, Dependencies) {
    if !connection.authorizer.collects {
      connection.authorizer.collects = true
      // Those were prepared by somebody who did not ask what they read.
      connection.finalizeCachedStatements()
    }
    let collector = DependencyCollector(try schema ?? learnSchema(connection))
    connection.observer = collector
    defer { connection.observer = nil }
    let value = try body()
    return (value, collector.dependencies)
  }

  /// Once in each read transaction, before its runs.
  @discardableResult
  func learnSchema(_ connection: Connection) throws -> SchemaFacts {
    if let schema, try SchemaFacts.Version(connection) == schema.version { return schema }
    let learned = try SchemaFacts(connection)
    schema = learned
    return learned
  }
}

/// Takes in the statements of one run.
private final class DependencyCollector: StatementObserver {
  /// What was read from a statement's text, kept with it as long as the schema is the same.
  private final class Note {
    let schema: SchemaFacts.Version
    let shape: QueryShape
    init(_ shape: QueryShape, _ schema: SchemaFacts.Version) {
      self.shape = shape
      self.schema = schema
    }
  }

  /// A column of a statement's rows whose values pin a table.
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
    // Another statement may have had its place in memory.
    watched.removeAll { $0.statement == ObjectIdentifier(statement) }
    guard let accesses = statement.accesses else {
      dependencies.isUnknown = true
      return
    }
    let shape = shape(of: statement)
    if shape.isOpaque || !schema.unsteady.isDisjoint(with: accesses.functions)
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
    // What a generated column is made of, SQLite does not say.
    let hasGenerated = schema.tables[table.lowercased()]?.hasGenerated ?? true
    dependencies.add(
      table,
      .init(
        columns: hasGenerated || shape.silentlyRead.contains(table) ? nil : columns,
        pins: pins[table]))
    // A virtual table's changes show in the tables that it is made of: it reads and writes them with
    // statements of its own.
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

  /// The pins of each table that is pinned wherever the statement names it.
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

  /// `nil` where the column is compared in another way than by these values.
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
        // Equals nothing.
        continue
      }
      guard let key = ValueKey(value, comparedWith: pin.column) else { return nil }
      pins.insert(Dependencies.Pin(pin.column.name, key))
    }
    return pins
  }

  /// Where the statement's rows have the column that the link follows.
  private func column(_ link: QueryShape.Link, of statement: PreparedStatement) -> Int? {
    (0..<statement.columnCount).first {
      statement.origin(ofColumn: $0) == StatementOrigin(table: link.table, column: link.tableColumn)
    }
  }
}

extension ValueKey {
  /// The key of a value that a column is compared with; `nil` where SQLite would convert it first
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
