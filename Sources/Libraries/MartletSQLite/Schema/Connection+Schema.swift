// Reads the schema with pragmas (https://sqlite.org/pragma.html#pragma_table_xinfo), called as
// table-valued functions so that names can be bound as values.

/// A column of a table or view.
public struct SchemaColumn: Hashable, Sendable {
  /// How a generated column is stored (https://sqlite.org/gencol.html): `virtual` or `stored`.
  public enum Generated: Hashable, Sendable { case virtual, stored }

  /// The column's name.
  public let name: String
  /// The declared type, such as `TEXT` or `VARCHAR(10)`; empty if none is declared.
  public let type: String
  /// Whether the column is declared `NOT NULL`.
  public let isNotNull: Bool
  /// The SQL expression of its `DEFAULT` clause, or `nil`.
  public let defaultValue: String?
  /// The column's position in the primary key, from 1, or 0 if it is not part of it.
  public let primaryKeyPosition: Int
  /// How the column is generated, or `nil` for an ordinary column.
  public let generated: Generated?
  /// Whether it is a hidden column of a virtual table.
  public let isHidden: Bool
}

/// An index, including one that SQLite created for a UNIQUE or PRIMARY KEY constraint.
public struct SchemaIndex: Hashable, Sendable {
  /// The index's name.
  public let name: String
  /// Whether the index enforces uniqueness.
  public let isUnique: Bool
  /// Whether the index has a `WHERE` clause (https://sqlite.org/partialindex.html).
  public let isPartial: Bool
  /// The names of the indexed columns; `nil` for an expression.
  public let columns: [String?]
}

/// A foreign key of the child table.
public struct SchemaForeignKey: Hashable, Sendable {
  /// The name of the parent table.
  public let parent: String
  /// The child's columns and the parent columns they reference; `nil` for the parent's primary key.
  public let columns: [(child: String, parent: String?)]
  /// The `ON UPDATE` action, such as `CASCADE`.
  public let onUpdate: String
  /// The `ON DELETE` action, such as `CASCADE`.
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

/// A row whose foreign key references a missing row.
public struct ForeignKeyViolation: Hashable, Sendable {
  /// The name of the child table.
  public let table: String
  /// The child's rowid, or `nil` in a `WITHOUT ROWID` table.
  public let rowID: Int64?
  /// The name of the parent table.
  public let parent: String
}

extension Connection {
  /// The names of all tables and views, in alphabetical order, except SQLite's own.
  public func tables(in schema: String = "main") throws(SQLiteError) -> [String] {
    try rows(
      "SELECT name FROM pragma_table_list WHERE schema = ? AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' "
        + "ORDER BY name", .text(schema)
    ).compactMap { $0[0].text }
  }

  /// Whether there is a table or view of this name, ignoring case.
  public func tableExists(
    _ name: String, in schema: String = "main"
  ) throws(SQLiteError) -> Bool {
    try value(
      "SELECT 1 FROM pragma_table_list WHERE schema = ? AND name = ? COLLATE NOCASE",
      .text(schema), .text(name)) != nil
  }

  /// The columns of a table or view in order, including hidden and generated ones. Empty if there
  /// is no such table.
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

  /// The names of the primary key's columns, in the order of the key.
  public func primaryKey(
    of table: String, schema: String = "main"
  ) throws(SQLiteError) -> [String] {
    try columns(in: table, schema: schema).filter { $0.primaryKeyPosition > 0 }
      .sorted { $0.primaryKeyPosition < $1.primaryKeyPosition }.map(\.name)
  }

  /// The indexes of a table.
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

  /// The foreign keys of a table.
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

  /// The rows whose foreign keys reference missing rows, in one table or in all.
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

  /// The schema as SQL, one statement per entry, with tables first.
  public func dumpSchema() throws(SQLiteError) -> String {
    let statements = try rows(
      """
      SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
      ORDER BY CASE type WHEN 'table' THEN 0 WHEN 'view' THEN 1 WHEN 'index' THEN 2 ELSE 3 END, name
      """)
    return statements.compactMap { $0[0].text.map { "\($0);\n" } }.joined()
  }

  /// The rows of every table as SQL literals, one row per line, for reading and for comparing in
  /// tests.
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
