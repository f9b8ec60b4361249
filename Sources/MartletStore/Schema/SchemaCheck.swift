import MartletQueryBuilder
import MartletSQLite

/// Compares `@Table` declarations with the tables of a database, so that a program says at its start what would
/// fail at the first query that meets it.
///
/// ```swift
/// try db.checkSchema(Reminder.self, RemindersList.self)
/// // reminders.dueDate may be NULL, but Reminder.dueDate is not optional
/// ```
public struct SchemaMismatch: Error, Hashable, Sendable, CustomStringConvertible {
  /// One sentence for each difference; never empty.
  public let differences: [String]

  public var description: String {
    "the database does not fit the program:\n" + differences.map { "- \($0)\n" }.joined()
  }
}

extension Connection {
  /// Throws a ``SchemaMismatch`` that names every difference. Columns that the type does not have are left
  /// alone, unless an INSERT could not do without them.
  public func checkSchema(_ tables: any Table.Type...) throws { try checkSchema(tables) }

  public func checkSchema(_ tables: [any Table.Type]) throws {
    var differences: [String] = []
    for table in tables { differences += try self.differences(of: table) }
    if !differences.isEmpty { throw SchemaMismatch(differences: differences) }
  }

  private func differences<T: Table>(of table: T.Type) throws -> [String] {
    let name = T.tableName
    let stored = try columns(in: name, schema: T.schemaName ?? "main")
    guard !stored.isEmpty else {
      return ["there is no table \(name), which \(typeName(T.self)) stands for"]
    }
    // A view's and a virtual table's columns know nothing of NULL and of types.
    let isOrdinary =
      try value(
        "SELECT type FROM pragma_table_list WHERE schema = ? AND name = ? COLLATE NOCASE",
        .text(T.schemaName ?? "main"), .text(name))?.text == "table"
    var differences: [String] = []
    let byName = Dictionary(
      stored.map { ($0.name.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
    for column in T.TableColumns.all {
      if column.name == "rowid" { continue }
      guard let found = byName[column.name.lowercased()] else {
        differences.append("\(name) has no column \(column.name), which \(typeName(T.self)) has")
        continue
      }
      guard isOrdinary else { continue }
      differences +=
        ColumnComparison(declared: column, stored: found, table: name, type: typeName(T.self))
        .differences
    }
    if isOrdinary { differences += missing(in: T.self, stored) + keyDifferences(T.self, stored) }
    return differences
  }

  /// What an INSERT would have to give.
  private func missing<T: Table>(in table: T.Type, _ stored: [SchemaColumn]) -> [String] {
    let declared = Set(T.TableColumns.all.map { $0.name.lowercased() })
    return stored.filter {
      $0.isNotNull && $0.defaultValue == nil && $0.generated == nil && !$0.isHidden
        && !declared.contains($0.name.lowercased())
    }.map {
      "\(T.tableName).\($0.name) is NOT NULL without a DEFAULT, and \(typeName(T.self)) does not have it: no row "
        + "could be inserted"
    }
  }

  private func keyDifferences<T: Table>(_ table: T.Type, _ stored: [SchemaColumn]) -> [String] {
    let declared = T.TableColumns.all.filter(\.isKey).map { $0.name.lowercased() }
    let found = stored.filter { $0.primaryKeyPosition > 0 }.map { $0.name.lowercased() }
    guard !declared.isEmpty, Set(declared) != Set(found) else { return [] }
    let words =
      found.isEmpty ? "has no primary key" : "has the primary key \(found.joined(separator: ", "))"
    return [
      "\(T.tableName) \(words), but \(typeName(T.self)) has \(declared.joined(separator: ", "))"
    ]
  }
}

/// One column, as the type and as the table declare it.
private struct ColumnComparison {
  let declared: ColumnInfo
  let stored: SchemaColumn
  let table: String
  let type: String

  var differences: [String] {
    let column = "\(table).\(stored.name)"
    let property = ([type] + declared.path).joined(separator: ".")
    var differences: [String] = []
    if !stored.isNotNull, !declared.isOptional, stored.primaryKeyPosition == 0,
      stored.generated == nil
    {
      differences.append("\(column) may be NULL, but \(property) is not optional")
    }
    if (stored.generated != nil) != declared.isGenerated {
      differences.append(
        declared.isGenerated
          ? "\(property) is declared as generated, but \(column) is not"
          : "\(column) is generated, but \(property) is not declared so: no row could be inserted")
    }
    if let expected, let found, expected != found {
      differences.append("\(column) is \(found), but \(property) is stored as \(expected)")
    }
    return differences
  }

  /// Other declared types (`DATE`, `VARCHAR`, none at all) take what they are given.
  private var found: String? {
    let type = stored.type.uppercased()
    return ["INTEGER", "REAL", "TEXT", "BLOB"].contains(type)
      ? type : type == "INT" ? "INTEGER" : nil
  }

  private var expected: String? {
    switch declared.kind {
    case .integer, .boolean, .labels: "INTEGER"
    case .real: "REAL"
    case .text, .json, .instant, .marked: "TEXT"
    case .blob, .jsonb: "BLOB"
    case .row, .stored, .hidden: nil
    }
  }
}
