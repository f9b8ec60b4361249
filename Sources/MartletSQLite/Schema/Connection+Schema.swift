// What a database holds, by its own account (https://sqlite.org/pragma.html#pragma_table_xinfo). The pragmas
// are asked as table-valued functions, so that names are values.

/// A column as the schema declares it.
public struct SchemaColumn: Hashable, Sendable {
  public enum Generated: Hashable, Sendable { case virtual, stored }

  public let name: String
  /// As declared: `TEXT`, `VARCHAR(10)`; empty where nothing is.
  public let type: String
  public let isNotNull: Bool
  /// The SQL of its DEFAULT.
  public let defaultValue: String?
  /// Its place in the primary key, from 1 on; 0 for a column that is not part of it.
  public let primaryKeyPosition: Int
  public let generated: Generated?
  /// Belongs to a virtual table's workings.
  public let isHidden: Bool
}

/// An index, one that SQLite made for a uniqueness included.
public struct SchemaIndex: Hashable, Sendable {
  public let name: String
  public let isUnique: Bool
  /// Covers only the rows of a condition.
  public let isPartial: Bool
  /// `nil` for an expression.
  public let columns: [String?]
}

/// A foreign key, from the child's side.
public struct SchemaForeignKey: Hashable, Sendable {
  public let parent: String
  /// The child's column, and the parent's; `nil` for its primary key.
  public let columns: [(child: String, parent: String?)]
  public let onUpdate: String
  public let onDelete: String

  public static func == (left: Self, right: Self) -> Bool {
    left.parent == right.parent && left.onUpdate == right.onUpdate
      && left.onDelete == right.onDelete
      && left.columns.elementsEqual(right.columns) {
        $0.child == $1.child && $0.parent == $1.parent
      }
  }
  public func hash(into hasher: inout Hasher) {
    hasher.combine(parent)
    for column in columns { hasher.combine(column.child) }
  }
}

/// A row whose foreign key points to nothing.
public struct ForeignKeyViolation: Hashable, Sendable {
  public let table: String
  /// `nil` in a table without row ids.
  public let rowID: Int64?
  public let parent: String
}

extension Connection {
  /// Tables and views by name, SQLite's own left out.
  public func tables(in schema: String = "main") throws(SQLiteError) -> [String] {
    try rows(
      "SELECT name FROM pragma_table_list WHERE schema = ? AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' "
        + "ORDER BY name", .text(schema)
    ).compactMap { $0[0].text }
  }

  /// Is there a table or view of this name?
  public func tableExists(
    _ name: String, in schema: String = "main"
  ) throws(SQLiteError) -> Bool {
    try value(
      "SELECT 1 FROM pragma_table_list WHERE schema = ? AND name = ? COLLATE NOCASE",
      .text(schema), .text(name)) != nil
  }

  /// The columns of a table or view in their order, hidden and generated ones included; none where there is
  /// no such table.
  public func columns(
    in table: String, schema: String = "main"
  ) throws(SQLiteError) -> [SchemaColumn] {
    try rows(
      """
      SELECT name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(?, ?)
      """, .text(table), .text(schema)
    ).map { row in
      SchemaColumn(
        name: row[0].text ?? "", type: row[1].text ?? "", isNotNull: row[2].integer == 1,
        defaultValue: row[3].text, primaryKeyPosition: Int(row[4].integer ?? 0),
        generated: row[5].integer == 2 ? .virtual : row[5].integer == 3 ? .stored : nil,
        isHidden: row[5].integer == 1)
    }
  }

  /// The columns of the primary key, in its order.
  public func primaryKey(
    of table: String, schema: String = "main"
  ) throws(SQLiteError) -> [String] {
    try columns(in: table, schema: schema).filter { $0.primaryKeyPosition > 0 }
      .sorted { $0.primaryKeyPosition < $1.primaryKeyPosition }.map(\.name)
  }

  public func indexes(
    on table: String, schema: String = "main"
  ) throws(SQLiteError) -> [SchemaIndex] {
    var indexes: [SchemaIndex] = []
    let list = try rows(
      #"SELECT name, "unique", partial FROM pragma_index_list(?, ?) ORDER BY seq"#, .text(table),
      .text(schema))
    for row in list {
      let name = row[0].text ?? ""
      let columns = try rows(
        "SELECT name FROM pragma_index_info(?, ?) ORDER BY seqno", .text(name), .text(schema))
      indexes.append(
        SchemaIndex(
          name: name, isUnique: row[1].integer == 1, isPartial: row[2].integer == 1,
          columns: columns.map { $0[0].text }))
    }
    return indexes
  }

  public func foreignKeys(
    from table: String, schema: String = "main"
  ) throws(SQLiteError) -> [SchemaForeignKey] {
    let list = try rows(
      """
      SELECT id, "table", "from", "to", on_update, on_delete FROM pragma_foreign_key_list(?, ?)
      ORDER BY id, seq
      """, .text(table), .text(schema))
    var keys: [SchemaForeignKey] = []
    var rest = list[...]
    while let first = rest.first {
      let parts = rest.prefix { $0[0] == first[0] }
      rest = rest.dropFirst(parts.count)
      keys.append(
        SchemaForeignKey(
          parent: first[1].text ?? "", columns: parts.map { ($0[2].text ?? "", $0[3].text) },
          onUpdate: first[4].text ?? "", onDelete: first[5].text ?? ""))
    }
    return keys
  }

  /// The rows whose foreign keys point to nothing; of all tables, or of one.
  public func foreignKeyViolations(
    in table: String? = nil
  ) throws(SQLiteError) -> [ForeignKeyViolation] {
    let found =
      if let table {
        try rows(#"SELECT "table", rowid, parent FROM pragma_foreign_key_check(?)"#, .text(table))
      } else {
        try rows(#"SELECT "table", rowid, parent FROM pragma_foreign_key_check"#)
      }
    return found.map {
      ForeignKeyViolation(table: $0[0].text ?? "", rowID: $0[1].integer, parent: $0[2].text ?? "")
    }
  }

  /// The schema as SQL, a statement a line, tables first.
  public func dumpSchema() throws(SQLiteError) -> String {
    let statements = try rows(
      """
      SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
      ORDER BY CASE type WHEN 'table' THEN 0 WHEN 'view' THEN 1 WHEN 'index' THEN 2 ELSE 3 END, name
      """)
    return statements.compactMap { $0[0].text.map { "\($0);\n" } }.joined()
  }

  /// The rows of each table, a row a line and values as SQL literals: for reading, and for comparing in tests.
  public func dumpContent() throws(SQLiteError) -> String {
    var text = ""
    for table in try tables() {
      let name = table.replacing("\"", with: "\"\"")
      let columns = try columns(in: table).filter { !$0.isHidden }
        .map { "quote(\"\($0.name.replacing("\"", with: "\"\""))\")" }
      guard !columns.isEmpty else { continue }
      text += "\(table)\n"
      for row in try rows("SELECT \(columns.joined(separator: ", ")) FROM \"\(name)\"") {
        text += "- \(row.map { $0.text ?? "NULL" }.joined(separator: "|"))\n"
      }
    }
    return text
  }
}
