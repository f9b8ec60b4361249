/// Writes the parts that differ for an enum: the columns of one case hold its value, and those of
/// the other cases are NULL.
struct EnumWriter {
  let row: RowType

  /// `Columns`, an expression for one case: `Kind.Columns.note("…")`.
  var columns: [String] {
    let access = row.access.prefix
    var lines = [
      "\(access)typealias QueryValue = \(row.type)",
      "\(access)typealias Target = \(row.type)",
      "\(access)let selection: [MartletQueryBuilder.SelectedColumn]",
    ]
    lines += block(
      "\(access)var assignments: [MartletQueryBuilder.Assignment]",
      ["MartletQueryBuilder.MacroSupport.assignments(self.selection)"])
    for (property, payload) in cases {
      let defaultValue = property.defaultValue.map {
        " = MartletQueryBuilder.MacroSupport.value(\($0), as: \(payload.representation).self)"
      }
      lines += block(
        """
        \(access)static func \(property.name)(\(payload.label ?? "_") value: some MartletQueryBuilder.QueryExpressible<\
        \(payload.representation)>\(defaultValue ?? "")) -> Self
        """,
        [
          """
          Self(selection: MartletQueryBuilder.MacroSupport.selection(\(property.column), value, of: \
          \(row.type).self))
          """
        ])
    }
    return block(
      "\(access)struct Columns: MartletQueryBuilder.RowExpression, MartletQueryBuilder.Insertable",
      lines)
  }

  /// The initializer that reads a row.
  var decoding: [String] {
    var lines = ["let problem = row.problem(\"one case of \(row.type)\")"]
    lines += cases.enumerated().map { index, element in
      "let value\(index) = try \(element.0.representation).decode(&row)"
    }
    lines += list(
      "let only = MartletQueryBuilder.MacroSupport.onlyCase",
      cases.enumerated().map { index, element in
        let label = element.1.label.map { "\($0): " } ?? ""
        return "value\(index).map { \(row.type).\(element.0.name)(\(label)$0) }"
      })
    lines += ["guard let only else { throw problem }", "self = only"]
    return block(
      """
      \(row.access.prefix)init(row: inout MartletQueryBuilder.RowReader) \
      throws(MartletQueryBuilder.DecodingProblem)
      """, lines)
  }

  /// `columns` and `assignments`.
  var values: [String] {
    let branches = cases.map { property, payload in
      """
      case .\(property.name)(let value): Columns.\(property.name)(\
      \(payload.label.map { "\($0): " } ?? "")MartletQueryBuilder.MacroSupport.value(value, as: \(payload.representation).self))
      """
    }
    return block("\(row.access.prefix)var columns: Columns", block("switch self", branches))
      + block(
        "\(row.access.prefix)var assignments: [MartletQueryBuilder.Assignment]",
        ["self.columns.assignments"])
  }

  private var cases: [(TableProperty, TableProperty.Payload)] {
    row.properties.compactMap { property in property.payload.map { (property, $0) } }
  }
}
