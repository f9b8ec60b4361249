/// Writes the initializer that reads a row, and the row's values as expressions and assignments.
struct RowWriter {
  let row: RowType

  var decoding: [String] {
    block(
      """
      \(row.access.prefix)init(row: inout MartletQueryBuilder.RowReader) \
      throws(MartletQueryBuilder.DecodingProblem)
      """,
      row.properties.flatMap { property in
        let line = "self.\(property.name) = try \(property.representation).decode(&row)"
        return property.place?.located([line]) ?? [line]
      })
  }

  var columns: [String] {
    let values = row.properties.map {
      """
      \($0.label): MartletQueryBuilder.MacroSupport.value(self.\($0.name), as: \($0.representation).self)
      """
    }
    return block("\(row.access.prefix)var columns: Columns", list("Columns", values))
  }

  var assignments: [String] {
    let values = row.properties.filter { !$0.isGenerated }.map {
      """
      MartletQueryBuilder.MacroSupport.assign(\($0.column), \($0.representation).self, self.\($0.name))
      """
    }
    return block(
      "\(row.access.prefix)var assignments: [MartletQueryBuilder.Assignment]",
      list("MartletQueryBuilder.MacroSupport.joined", values))
  }
}
