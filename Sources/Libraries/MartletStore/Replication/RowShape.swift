import MartletQueryBuilder
import MartletSQLite

/// A table as entries describe its rows.
struct RowShape {
  let name: String
  /// The columns that are stored and not generated, in order.
  let columns: [String]
  /// The indexes in `columns` of the primary key, in a `WITHOUT ROWID` table; empty for a table
  /// whose rows have IDs.
  let key: [Int]
  /// The position of each key column in a ``PreupdateChange``.
  let keyPositions: [Int]
  /// The index in ``rowIDs`` of the name of the row ID; 0 without row IDs.
  let rowID: Int
  /// Reads the row with a key.
  let read: String

  /// The names of the row ID. A column of the same name hides it
  /// (https://sqlite.org/lang_createtable.html#rowid).
  static let rowIDs = ["rowid", "_rowid_", "oid"]

  /// - Throws: ``ReplicationError/table(_:reason:)`` if the rows cannot be told apart.
  init(_ name: String, hasRowIDs: Bool, columns all: [SchemaColumn]) throws(ReplicationError) {
    self.name = name
    let stored = all.filter { $0.generated == nil }
    columns = stored.map(\.name)
    guard hasRowIDs else {
      guard !all.contains(where: { $0.generated == .virtual }) else {
        // The positions of the columns in a change are then not documented.
        throw .table(name, reason: "it has no row IDs, and a virtual generated column")
      }
      let inOrder = all.filter { $0.primaryKeyPosition > 0 }
        .sorted { $0.primaryKeyPosition < $1.primaryKeyPosition }.map(\.name)
      key = inOrder.map { name in stored.firstIndex { $0.name == name }! }
      keyPositions = inOrder.map { name in all.firstIndex { $0.name == name }! }
      rowID = 0
      read = RowShape.select(columns, name, RowShape.condition(inOrder, from: 1))
      return
    }
    key = []
    keyPositions = []
    let names = Set(all.map { $0.name.lowercased() })
    guard let rowID = RowShape.rowIDs.firstIndex(where: { !names.contains($0) }) else {
      throw .table(name, reason: "its columns hide all names of the row ID")
    }
    self.rowID = rowID
    read = RowShape.select(columns, name, "\(RowShape.rowIDs[rowID]) = ?1")
  }

  /// Reads all rows in the order of their keys, with the row ID.
  var readAll: String {
    guard key.isEmpty else {
      let order = RowShape.list(key.map { columns[$0] })
      return
        "SELECT \(RowShape.list(columns)) FROM main.\(quoted(identifier: name)) ORDER BY \(order)"
    }
    let id = RowShape.rowIDs[rowID]
    return
      "SELECT \(id), \(RowShape.list(columns)) FROM main.\(quoted(identifier: name)) ORDER BY \(id)"
  }

  /// The condition that columns have the values of the parameters from `first` on.
  static func condition(_ columns: [String], from first: Int) -> String {
    columns.enumerated().map { "\(quoted(identifier: $1)) = ?\(first + $0)" }
      .joined(separator: " AND ")
  }

  static func list(_ columns: [String]) -> String {
    columns.map { quoted(identifier: $0) }.joined(separator: ", ")
  }

  private static func select(_ columns: [String], _ table: String, _ condition: String) -> String {
    "SELECT \(list(columns)) FROM main.\(quoted(identifier: table)) WHERE \(condition)"
  }

  /// The tables of the main database by name, with those of virtual tables. A table that cannot be
  /// replicated has the reason.
  static func all(
    _ connection: Connection
  ) throws(SQLiteError) -> [String: Result<RowShape, ReplicationError>] {
    var shapes: [String: Result<RowShape, ReplicationError>] = [:]
    let tables = try connection.rows(
      """
      SELECT name, wr FROM pragma_table_list
      WHERE schema = 'main' AND type IN ('table', 'shadow')
        AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name <> ?
      """, .text(NodePosition.table))
    for row in tables {
      let name = row[0].text ?? ""
      let columns = try connection.columns(in: name)
      let hasRowIDs = row[1].integer != 1
      shapes[name] = Result { () throws(ReplicationError) in
        try RowShape(name, hasRowIDs: hasRowIDs, columns: columns)
      }
    }
    return shapes
  }
}
