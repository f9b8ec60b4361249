import MartletSQLite

/// The tables whose changes by other programs are known from the file, as of one version of the
/// schema.
///
/// A class, because it is copied with each commit.
final class FollowedTables {
  /// The tables that have all triggers of a counter of their own.
  private let counted: Set<String>
  /// The table of changes, if the file has exactly its triggers.
  let changeTable: ChangeTable?
  /// The change table that the settings name.
  let configuredTable: ChangeTable?
  /// The tables of which nothing is known. Each commit of another program may have changed them.
  let unknown: [String]
  /// The tables behind each virtual table of the change table (``ChangeTable/indexes``), with its
  /// own name.
  let indexes: [(names: [String], sources: [String])]

  /// Whether nothing is known of any table.
  var isEmpty: Bool { counted.isEmpty && changeTable == nil }

  init(_ connection: Connection, changeTable configuredTable: ChangeTable?) throws(SQLiteError) {
    self.configuredTable = configuredTable
    let tables = try connection.rows(
      "SELECT name, type FROM pragma_table_list WHERE schema = 'main' AND type <> 'view'"
    ).map { (name: $0[0].text ?? "", isShadow: $0[1].text == "shadow") }
    var counted: Set<String> = []
    var changeTable: ChangeTable?
    if try TableCounters.exist(connection) {
      let triggers = try connection.rows(
        "SELECT name, sql, tbl_name FROM main.sqlite_schema WHERE type = 'trigger'"
      ).map { (name: $0[0].text ?? "", sql: $0[1].text ?? "", table: $0[2].text ?? "") }
      let statements = Dictionary(uniqueKeysWithValues: triggers.map { ($0.name, $0.sql) })
      // A trigger of the counters could set one back.
      if !triggers.contains(where: { $0.table == TableCounters.table }) {
        counted = Set(
          tables.map(\.name).filter { table in
            TableCounters.triggers(of: table).allSatisfy { statements[$0.name] == $0.sql }
          })
      }
      if let configuredTable,
        try FollowedTables.isComplete(configuredTable, triggers.count, connection)
      {
        changeTable = configuredTable
      }
    }
    var followed = counted
    if let changeTable {
      followed.formUnion(changeTable.sources.map(\.table) + [changeTable.table])
      followed.formUnion(changeTable.counted)
    }
    indexes = (changeTable?.indexes ?? [:]).map { index, sources in
      let parts = tables.filter { $0.isShadow && $0.name.hasPrefix(index + "_") }.map(\.name)
      return (parts + [index], sources)
    }
    for index in indexes { followed.formUnion(index.names) }
    unknown = tables.map(\.name).filter { !followed.contains($0) }
    self.counted = counted
    self.changeTable = changeTable
  }

  /// Whether the file has all triggers of the change table and no others, which could change a row
  /// and prevent its line: a trigger does not run again inside itself
  /// (https://sqlite.org/pragma.html#pragma_recursive_triggers).
  private static func isComplete(
    _ changeTable: ChangeTable, _ triggers: Int, _ connection: Connection
  ) throws(SQLiteError) -> Bool {
    guard triggers == changeTable.triggers.triggers.count else { return false }
    return try changeTable.triggers.isInStep(connection)
  }
}
