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

  /// What the table's own `all` says.
  var scope: SelectCore? { declaration?.scope }

  /// A sub-select in its place, which goes by the same name.
  mutating func derive(_ rows: SelectCore) {
    var rows = rows
    if rows.isPicked { rows.columns = columns }
    let alias = QueryFragment(quote: qualifier)
    let refusal: String? =
      if plainName != qualifier {
        "a table of a schema that is joined as a sub-select needs an alias, as(_:)"
      } else if rows.columns.isEmpty {
        "what has no declared columns is not joined as a sub-select"
      } else { nil }
    written = "(\(rows.fragment)) AS \(alias)"
    if let refusal { refuse(refusal) }
  }

  /// The statement is an error when it is run.
  mutating func refuse(_ reason: String) { table += " \(QueryBinding.invalid(reason: reason))" }

  mutating func rename(_ old: String, _ new: String) { written = written?.renaming(old, new) }

  /// All that the table declares.
  var columns: [SelectedColumn] { declaration?.selection(as: qualifier) ?? [] }

  /// The qualifier without a schema: an alias has none.
  var plainName: String {
    qualifier.firstRange(of: TextBuffer.schemaMark).map { String(qualifier[$0.upperBound...]) }
      ?? qualifier
  }

  /// SQLite takes their columns for each other's: one name, or one without a schema beside one that has it.
  func hasName(of other: Source) -> Bool {
    let names = (qualifier.lowercased(), other.qualifier.lowercased())
    guard names.0 != names.1 else { return true }
    let isPlain = plainName == qualifier || other.plainName == other.qualifier
    return isPlain && plainName.lowercased() == other.plainName.lowercased()
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
  fileprivate static var scope: SelectCore { Self.all.core }
  fileprivate static func selection(as alias: String) -> [SelectedColumn] {
    TableColumns(qualifier: alias).selection
  }
}
