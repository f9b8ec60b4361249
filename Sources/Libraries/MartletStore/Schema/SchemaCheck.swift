import MartletQueryBuilder
import MartletSQLite

/// The differences between `@Table` declarations and the tables of a database. Checking them at
/// startup reports problems that would otherwise appear in the first query that uses the column.
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
  /// Compares the types with their tables. Throws a ``SchemaMismatch`` that lists every difference.
  /// Columns that a type lacks are ignored, unless an INSERT would fail without them.
  public func checkSchema(_ tables: any Table.Type...) throws { try checkSchema(tables) }

  /// Compares the types with their tables, and throws a ``SchemaMismatch`` that lists every
  /// difference.
  public func checkSchema(_ tables: [any Table.Type]) throws {
    var differences: [String] = []
    for table in tables { differences += try self.differences(of: table) }
    if !differences.isEmpty { throw SchemaMismatch(differences: differences) }
  }

  private func differences<T: Table>(of table: T.Type) throws -> [String] {
    let name = T.tableName
    let stored = try columns(in: name, schema: T.schemaName ?? "main")
    guard !stored.isEmpty else {
      return ["the table \(name) of \(typeName(T.self)) does not exist"]
    }
    // The columns of views and virtual tables have no NOT NULL constraints and no reliable types.
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

  /// Reports columns that an INSERT would have to set but the type lacks.
  private func missing<T: Table>(in table: T.Type, _ stored: [SchemaColumn]) -> [String] {
    let declared = Set(T.TableColumns.all.map { $0.name.lowercased() })
    return stored.filter {
      $0.isNotNull && $0.defaultValue == nil && $0.generated == nil && !$0.isHidden
        && !declared.contains($0.name.lowercased())
    }.map {
      "\(T.tableName).\($0.name) is NOT NULL without a DEFAULT, and \(typeName(T.self)) does not have it: inserts "
        + "would fail"
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

/// Compares a column of the type with the column of the table.
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
          : "\(column) is generated, but \(property) is not declared so: inserts would fail")
    }
    if let expected, let found, expected != found {
      differences.append("\(column) is \(found), but \(property) is stored as \(expected)")
    }
    return differences
  }

  /// The declared storage class. Other declared types (`DATE`, `VARCHAR`, none) accept any value.
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
