import CMartletSQLite

/// A column of a table as it is stored and compared.
public struct ColumnSchema: Hashable, Sendable {
  /// What a column makes of the values that it is given and compared with
  /// (https://sqlite.org/datatype3.html#determination_of_column_affinity).
  public enum Affinity: Sendable { case integer, real, numeric, text, blob }

  public let name: String
  /// Its place in a ``PreupdateChange``.
  public let index: Int
  public let affinity: Affinity
  /// `nil` where values are not told apart by ``ValueKey``: for a collation that is not SQLite's own, for a
  /// column with a default (see ``PreupdateChange/changes(_:hasDefault:)``), and for the type ANY, which means
  /// one thing in STRICT tables and another one in others.
  public let collation: ValueKey.Collation?
  public let hasDefault: Bool
}

extension ColumnSchema.Affinity {
  init(type: String) {
    let type = type.uppercased()
    if type.contains("INT") {
      self = .integer
    } else if type.contains("CHAR") || type.contains("CLOB") || type.contains("TEXT") {
      self = .text
    } else if type.isEmpty || type.contains("BLOB") {
      self = .blob
    } else if type.contains("REAL") || type.contains("FLOA") || type.contains("DOUB") {
      self = .real
    } else {
      self = .numeric
    }
  }
}

extension Connection {
  /// The columns of a table of the main database by name; `nil` where one of them is generated, because
  /// then a change does not tell which column is which, and where there is no such table.
  public func columnSchemas(of table: String) throws(SQLiteError) -> [ColumnSchema]? {
    let columns = try columns(in: table)
    guard !columns.isEmpty, columns.allSatisfy({ $0.generated == nil && !$0.isHidden }) else {
      return nil
    }
    return columns.enumerated().map { index, column in
      ColumnSchema(
        name: column.name, index: index, affinity: .init(type: column.type),
        collation: column.defaultValue != nil || column.type.uppercased() == "ANY"
          ? nil : collation(of: column.name, in: table),
        hasDefault: column.defaultValue != nil)
    }
  }

  private func collation(of column: String, in table: String) -> ValueKey.Collation? {
    var name: UnsafePointer<CChar>?
    let code = sqlite3_table_column_metadata(
      handle, "main", table, column, nil, &name, nil, nil, nil)
    guard code == SQLITE_OK, let name else { return nil }
    return ValueKey.Collation(rawValue: String(cString: name).uppercased())
  }
}
