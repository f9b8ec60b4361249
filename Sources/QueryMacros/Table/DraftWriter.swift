/// Writes `Draft`: the row as it is before it has a key.
///
/// What is optional in it defaults to `nil` and is then left out of the INSERT, so that the column's
/// DEFAULT works.
struct DraftWriter {
  let row: RowType

  private var properties: [TableProperty] { row.properties.filter { !$0.isGenerated } }

  var draft: [String] {
    let access = row.access.prefix
    var lines = ["\(access)typealias Target = \(row.type)"]
    lines += properties.map {
      "\(min(row.access, $0.access).prefix)var \($0.name): \(type($0))"
    }
    lines += list("\(row.memberwiseAccess)init", properties.map(parameter), ") {")
    lines += properties.map { "  self.\($0.name) = \($0.name)" } + ["}"]
    lines += block(
      "\(access)init(_ row: \(row.type))",
      list("self.init", properties.map { "\($0.label): row.\($0.name)" }))
    lines += block("\(access)var assignments: [QueryBuilder.Assignment]", assignments)
    return block("\(access)struct Draft: QueryBuilder.TableDraft", lines)
  }

  private func gainsOptional(_ property: TableProperty) -> Bool {
    (row.isKey(property) || property.isLazy) && !property.isOptional
  }

  private func type(_ property: TableProperty) -> String {
    gainsOptional(property) ? property.type + "?" : property.type
  }

  private func parameter(_ property: TableProperty) -> String {
    let value: String? =
      if gainsOptional(property) {
        "nil"
      } else {
        property.defaultValue ?? (property.isOptional ? "nil" : nil)
      }
    return "\(property.label): \(type(property))" + (value.map { " = \($0)" } ?? "")
  }

  private var assignments: [String] {
    list(
      "QueryBuilder.MacroSupport.joined",
      properties.map { property in
        let isOmittable = property.isOptional || gainsOptional(property)
        let function = isOmittable ? "assignUnlessNil" : "assign"
        let representation = property.representation + (gainsOptional(property) ? "?" : "")
        return """
          QueryBuilder.MacroSupport.\(function)\
          (\(property.column), \(representation).self, self.\(property.name))
          """
      })
  }
}
