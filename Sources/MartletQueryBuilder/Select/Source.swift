/// What stands behind FROM or JOIN.
struct Source: Sendable {
  /// A table by its declaration, which is written out when it is asked for: most queries change before they are
  /// printed.
  private let declaration: (any Table.Type)?
  private var written: QueryFragment?
  /// The name that its columns go by.
  var qualifier: String

  init(_ table: any Table.Type, as qualifier: String) {
    declaration = table
    self.qualifier = qualifier
  }
  /// Whoever names no table names the columns.
  init(table: QueryFragment, qualifier: String) {
    declaration = nil
    written = table
    self.qualifier = qualifier
  }

  /// In SQL: `"reminders"`, `"reminders" AS "r"`, `(SELECT …) AS "r"`.
  var table: QueryFragment {
    get { written ?? declaration?.reference(as: qualifier) ?? QueryFragment() }
    set { written = newValue }
  }

  /// All that the table declares.
  var columns: [SelectedColumn] { declaration?.selection(as: qualifier) ?? [] }

  /// The qualifier without a schema: an alias has none.
  var plainName: String {
    qualifier.firstRange(of: TextBuffer.schemaMark).map { String(qualifier[$0.upperBound...]) }
      ?? qualifier
  }

  /// Names what is no declared table: `json_each(…) AS "r"`. It had the name `old`.
  mutating func call(_ table: QueryFragment, _ old: String) {
    guard written != nil else { return }
    var table = table
    let alias = " AS " + quoted(identifier: old)
    for index in table.segments.indices.reversed() {
      guard case .sql(let text) = table.segments[index] else { continue }
      if text.hasSuffix(alias) {
        table.segments[index] = .sql(String(text.dropLast(alias.count)))
      }
      break
    }
    written = "\(table) AS \(quote: qualifier)"
  }

  /// A name for what stands in its place in parentheses: other than that of another schema's table.
  var derivedName: String {
    let schema = qualifier.firstRange(of: TextBuffer.schemaMark)
    return schema.map { "\(qualifier[..<$0.lowerBound]).\(plainName)" } ?? qualifier
  }
}

extension Table {
  fileprivate static func selection(as alias: String) -> [SelectedColumn] {
    TableColumns(qualifier: alias).selection
  }
}
