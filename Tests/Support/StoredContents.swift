import MartletSQLite

/// Everything that a file stores, for comparing two files value by value.
public enum StoredContents {
  /// The rows of each table of the main database in order, with their row IDs: those of virtual
  /// tables and the sequences as well, except the position of a cluster's node.
  public static func of(_ connection: Connection) throws -> [String: [String]] {
    var contents: [String: [String]] = [:]
    let tables = try connection.rows(
      """
      SELECT name, wr FROM pragma_table_list
      WHERE schema = 'main' AND type IN ('table', 'shadow')
        AND name NOT IN ('sqlite_schema', 'martlet_cluster')
      """)
    for row in tables {
      let name = row[0].text ?? ""
      if name.hasPrefix("sqlite_"), name != "sqlite_sequence" { continue }
      let columns = try connection.columns(in: name).map(\.name)
      let hasIDs = row[1].integer == 0 && name != "sqlite_sequence"
      let id = ["rowid", "_rowid_", "oid"].first { !columns.contains($0) }
      let names = columns.map { quoted($0) }
      let list = (hasIDs ? [id ?? "rowid"] : []) + names
      let rows = try connection.rows(
        "SELECT \(list.joined(separator: ", ")) FROM main.\(quoted(name))")
      contents[name] = rows.map { row in row.map { "\($0)" }.joined(separator: " | ") }.sorted()
    }
    return contents
  }

  private static func quoted(_ name: String) -> String {
    "\"\(name.replacing("\"", with: "\"\""))\""
  }
}
