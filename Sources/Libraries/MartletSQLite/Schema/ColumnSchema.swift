import CMartletSQLite

/// How a table stores and compares the values of a column.
public struct ColumnSchema: Hashable, Sendable {
  /// The type affinity of a column
  /// (https://sqlite.org/datatype3.html#determination_of_column_affinity): `integer`, `real`,
  /// `numeric`, `text` or `blob`.
  public enum Affinity: Sendable { case integer, real, numeric, text, blob }

  /// The column's name.
  public let name: String
  /// The column's position in a ``PreupdateChange``.
  public let index: Int
  /// The column's type affinity.
  public let affinity: Affinity
  /// The column's collation, or `nil` if its values cannot be compared by ``ValueKey``.
  ///
  /// That is the case for a custom collation, for a column with a default (see
  /// ``PreupdateChange/changes(_:hasDefault:)``), and for the type ANY, whose meaning differs
  /// between STRICT and other tables.
  public let collation: ValueKey.Collation?
  /// Whether the column has a default value.
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
  /// The columns of a table in the main database. Returns `nil` if there is no such table, or if a
  /// column is generated or hidden, since a change then does not identify its columns by position.
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
