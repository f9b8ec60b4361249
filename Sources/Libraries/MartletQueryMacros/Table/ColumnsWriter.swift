/// Writes `TableColumns`, the named columns, and `Columns`, a row of expressions.
struct ColumnsWriter {
  let row: RowType
  /// The type inserted by an INSERT of `Columns`. For a draft it is the table.
  var target: String
  var isDraft = false

  init(row: RowType) {
    self.row = row
    target = row.type
  }
  init(draftOf row: RowType) {
    self.row = row.draft
    target = row.type
    isDraft = true
  }

  var tableColumns: [String] {
    let access = row.access.prefix
    let keyed = row.key == nil ? "TableDefinition" : "PrimaryKeyedDefinition"
    let kind = keyed + (isDraft ? ", MartletQueryBuilder.DraftDefinition" : "")
    var lines = [
      "\(access)typealias QueryValue = \(row.type)",
      "\(access)let qualifier: Swift.String",
      "\(access)init(qualifier: Swift.String) { self.qualifier = qualifier }",
    ]
    var index = 0
    for property in row.properties {
      // FTS5 does not count the rowid as a column.
      let isRowID = row.isFullText && property.plainName == "rowid"
      lines += block(
        "\(min(row.access, property.access).prefix)var \(property.name): \(columnType(property))",
        [
          """
          MartletQueryBuilder.TableColumn(\(property.column), \(isRowID ? -1 : index), of: self.qualifier)
          """
        ])
      if !isRowID { index += 1 }
    }
    if let key = row.key, key.plainName != "primaryKey" {
      lines += block("\(access)var primaryKey: \(columnType(key))", ["self.\(key.name)"])
    }
    lines += allColumns
    return block("\(access)struct TableColumns: MartletQueryBuilder.\(kind)", lines)
  }

  private func columnType(_ property: TableProperty) -> String {
    "MartletQueryBuilder.TableColumn<\(row.type), \(property.representation)>"
  }

  private var allColumns: [String] {
    let columns = row.properties.map { property in
      let isKey = row.isKey(property) ? ", isKey: true" : ""
      let isGenerated = property.isGenerated ? ", isGenerated: true" : ""
      return """
        MartletQueryBuilder.MacroSupport.columns(\(property.column), \(property.representation).self\
        \(isKey)\(isGenerated))
        """
    }
    let joined = list("MartletQueryBuilder.MacroSupport.joined", columns)
    let name = "all: [MartletQueryBuilder.ColumnInfo]"
    guard row.isGeneric else {
      return ["\(row.access.prefix)static let \(name) = \(joined[0])"] + joined.dropFirst()
    }
    return block("\(row.access.prefix)static var \(name)", joined)
  }

  var columns: [String] {
    let access = row.access.prefix
    let parameters = row.properties.map { property in
      // A default value would require a concrete type for a generic parameter.
      let defaultValue =
        row.isGeneric ? nil : property.defaultValue ?? (property.isOptional ? "nil" : nil)
      let value = defaultValue.map {
        " = MartletQueryBuilder.MacroSupport.value(\($0), as: \(property.representation).self)"
      }
      return """
        \(property.label): some MartletQueryBuilder.QueryExpressible<\(property.representation)>\
        \(value ?? "")
        """
    }
    var lines = ["\(access)typealias QueryValue = \(row.type)"]
    lines.append("\(access)typealias Target = \(target)")
    lines.append("\(access)let selection: [MartletQueryBuilder.SelectedColumn]")
    lines.append("\(access)let assignments: [MartletQueryBuilder.Assignment]")
    var body = list(
      "self.selection = MartletQueryBuilder.MacroSupport.joined",
      row.properties.map {
        "MartletQueryBuilder.MacroSupport.selection(\($0.column), \($0.name))"
      })
    body += list(
      "self.assignments = MartletQueryBuilder.MacroSupport.joined",
      row.properties.filter { !$0.isGenerated }.map {
        "MartletQueryBuilder.MacroSupport.assign(\($0.column), \($0.name))"
      })
    lines += list("\(row.memberwiseAccess)init", parameters, ") {")
    lines += body.map { "  " + $0 } + ["}"]
    return block(
      "\(access)struct Columns: MartletQueryBuilder.RowExpression, MartletQueryBuilder.Insertable",
      lines)
  }
}
