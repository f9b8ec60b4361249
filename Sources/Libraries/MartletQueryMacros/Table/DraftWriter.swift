/// Writes `Draft`, a row before it has a primary key.
///
/// Its optional properties default to `nil`. The INSERT then leaves them out, so that the column's
/// DEFAULT applies.
struct DraftWriter {
  let row: RowType

  private var properties: [TableProperty] { row.draft.properties }

  var draft: [String] {
    let access = row.access.prefix
    var lines = ["\(access)typealias Target = \(row.type)"]
    lines += properties.map {
      "\(min(row.access, $0.access).prefix)var \($0.name): \($0.type)"
    }
    lines += list("\(row.memberwiseAccess)init", properties.map(parameter), ") {")
    lines += properties.map { "  self.\($0.name) = \($0.name)" } + ["}"]
    lines += block(
      "\(access)init(_ row: \(row.type))",
      list("self.init", properties.map { "\($0.label): row.\($0.name)" }))
    let columns = ColumnsWriter(draftOf: row)
    let rows = RowWriter(row: row.draft)
    lines += columns.tableColumns + columns.columns + rows.decoding + rows.columns
    lines += block("\(access)var assignments: [MartletQueryBuilder.Assignment]", assignments)
    return block("\(access)struct Draft: MartletQueryBuilder.TableDraft", lines)
  }

  private func parameter(_ property: TableProperty) -> String {
    let value = property.defaultValue ?? (property.isOptional ? "nil" : nil)
    return "\(property.label): \(property.type)" + (value.map { " = \($0)" } ?? "")
  }

  /// Whether the property is optional only in the draft.
  private func isFilledIn(_ property: TableProperty) -> Bool {
    property.isOptional && row.properties.contains { $0.name == property.name && !$0.isOptional }
  }

  private var assignments: [String] {
    list(
      "MartletQueryBuilder.MacroSupport.joined",
      properties.map { property in
        let function =
          isFilledIn(property) || row.isKey(property)
          ? "assignUnlessNil" : property.isOptional ? "assignOrOmit" : "assign"
        return """
          MartletQueryBuilder.MacroSupport.\(function)\
          (\(property.column), \(property.representation).self, self.\(property.name))
          """
      })
  }
}
