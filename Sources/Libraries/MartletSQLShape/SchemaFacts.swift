import MartletSQLite

/// The facts about a database's schema that the analysis of queries needs.
package struct SchemaFacts {
  /// A column of a table.
  package typealias Column = ColumnSchema

  /// A table of the main database.
  package final class Table {
    /// The table's name.
    package let name: String
    /// The columns by lowercase name. Empty if ``hasUnknownColumns``.
    package let columns: [String: Column]
    /// Whether the columns are unknown: the table is virtual, or has a generated or hidden column.
    package let hasUnknownColumns: Bool
    /// Columns that probably identify few rows: the primary key, then unique indexes, other indexes
    /// and foreign keys, each of one column except the foreign keys.
    let keys: [String]

    init(name: String, columns: [Column]?, keys: [String]) {
      self.name = name
      hasUnknownColumns = columns == nil
      self.columns = Dictionary(
        (columns ?? []).map { ($0.name.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
      self.keys = keys
    }
  }

  /// The schema versions of the main and the temporary database.
  package struct Version: Equatable {
    var main: Int64?
    var temporary: Int64?

    /// Reads the current versions.
    package init(_ connection: Connection) throws {
      main = try connection.value("PRAGMA main.schema_version")?.integer
      temporary = try connection.value("PRAGMA temp.schema_version")?.integer
    }
  }

  /// The versions when the facts were read.
  package let version: Version
  /// The tables by lowercase name.
  package private(set) var tables: [String: Table] = [:]
  /// The tables that store the data of each virtual table: its shadow tables, and the content table
  /// of an FTS5 index.
  package private(set) var parts: [String: [String]] = [:]
  /// Views, by lowercase name, with a USING or NATURAL join. It is unknown which columns they read.
  package private(set) var opaqueViews: Set<String> = []
  /// All views, by lowercase name.
  package private(set) var views: Set<String> = []
  /// Views that read the current time, by lowercase name.
  package private(set) var clockViews: Set<String> = []
  /// Temporary tables and views, by lowercase name.
  package private(set) var temporary: Set<String> = []
  /// Aggregate functions, by lowercase name.
  package private(set) var aggregates: Set<String> = []
  /// Functions that can return different results for the same arguments, by lowercase name.
  package private(set) var nondeterministic: Set<String> = []

  /// Reads the facts from the schema.
  package init(_ connection: Connection) throws {
    version = try Version(connection)
    let objects = try connection.rows("SELECT type, name, sql FROM main.sqlite_schema").map {
      (type: $0[0].text ?? "", name: $0[1].text ?? "", sql: $0[2].text ?? "")
    }
    let names = objects.filter { $0.type == "table" }.map(\.name)
    for object in objects {
      let name = object.name.lowercased()
      switch object.type {
      case "table" where object.sql.uppercased().hasPrefix("CREATE VIRTUAL TABLE"):
        parts[object.name] =
          names.filter { $0.hasPrefix(object.name + "_") }
          + Self.content(of: object.sql, among: names)
        tables[name] = Table(name: object.name, columns: nil, keys: [])
      case "table": tables[name] = try Self.table(object.name, connection)
      case "view":
        views.insert(name)
        let nodes = SQLNode.nodes(of: object.sql)
        if nodes.map({ QueryShape.comparesSilently($0) }) ?? true { opaqueViews.insert(name) }
        if nodes.map({ TimeFunctions.isNamed(in: $0) }) ?? true { clockViews.insert(name) }
      default: break
      }
    }
    temporary = Set(
      try connection.rows("SELECT name FROM temp.sqlite_schema").compactMap {
        $0[0].text?.lowercased()
      })
    for row in try connection.rows("SELECT name, type, flags FROM pragma_function_list") {
      guard let name = row[0].text?.lowercased() else { continue }
      if row[1].text != "s" {
        aggregates.insert(name)
      } else if (row[2].integer ?? 0) & Self.deterministic == 0,
        !Self.treatedAsDeterministic.contains(name)
      {
        nondeterministic.insert(name)
      }
    }
  }

  private static let deterministic: Int64 = 0x800

  /// Functions that SQLite does not flag as deterministic but that are harmless: their results
  /// depend only on tables, never change, or are handled as reads of the time.
  private static let treatedAsDeterministic: Set<String> = [
    "current_time", "current_date", "current_timestamp", "sqlite_version", "sqlite_source_id",
    "sqlite_compileoption_get", "sqlite_compileoption_used", "changes", "total_changes",
    "last_insert_rowid", "match", "snippet", "highlight", "bm25", "offsets", "matchinfo",
    "optimize",
    "fts5", "fts5_source_id", "rtreenode", "rtreedepth", "rtreecheck",
  ]

  private static func table(_ name: String, _ connection: Connection) throws -> Table {
    let unique = try connection.indexes(on: name).filter { !$0.isPartial && $0.columns.count == 1 }
    let primary = try connection.primaryKey(of: name)
    let foreign = try connection.foreignKeys(from: name).flatMap { $0.columns.map(\.child) }
    let keys =
      (primary.count == 1 ? primary : [])
      + unique.sorted { $0.isUnique && !$1.isUnique }.compactMap { $0.columns[0] } + foreign
    return Table(name: name, columns: try connection.columnSchemas(of: name), keys: keys)
  }

  /// The content table named in `content='…'`
  /// (https://sqlite.org/fts5.html#external_content_tables).
  private static func content(of sql: String, among names: [String]) -> [String] {
    guard let tokens = SQLToken.tokens(of: sql) else { return names }
    for (index, token) in tokens.enumerated()
    where token.text.lowercased() == "content" {
      guard index + 2 < tokens.count, tokens[index + 1].isMark("=") else { continue }
      let name = tokens[index + 2].text.lowercased()
      return names.filter { $0.lowercased() == name }
    }
    return []
  }
}
