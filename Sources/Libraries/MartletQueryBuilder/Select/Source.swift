/// The source of rows in FROM or JOIN.
struct Source: Sendable {
  /// A declared table. Its SQL is written on access, because most queries change before they are
  /// printed.
  private let declaration: (any Table.Type)?
  private var written: QueryFragment?
  /// The name that qualifies its columns.
  var qualifier: String

  init(_ table: any Table.Type, as qualifier: String) {
    declaration = table
    self.qualifier = qualifier
  }
  /// A source given as SQL. It has no declared columns, so the query has to list them.
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

  /// The table's `all`.
  var scope: SelectCore? { declaration?.scope }

  /// Replaces the table by a subquery under the same name.
  mutating func derive(_ rows: SelectCore) {
    var rows = rows
    if rows.isPicked { rows.columns = columns }
    let alias = QueryFragment(quote: qualifier)
    let refusal: String? =
      if plainName != qualifier {
        "a table with a schema needs an alias, as(_:), to be joined as a subquery"
      } else if rows.columns.isEmpty {
        "a source without declared columns cannot be joined as a subquery"
      } else { nil }
    written = "(\(rows.fragment)) AS \(alias)"
    if let refusal { refuse(refusal) }
  }

  /// Makes the statement fail with this reason when it is run.
  mutating func refuse(_ reason: String) { table += " \(QueryBinding.invalid(reason: reason))" }

  mutating func rename(_ old: String, _ new: String) { written = written?.renaming(old, new) }

  /// The columns that the table declares.
  var columns: [SelectedColumn] { declaration?.selection(as: qualifier) ?? [] }

  /// The qualifier without a schema: an alias has none.
  var plainName: String {
    qualifier.firstRange(of: TextBuffer.schemaMark).map { String(qualifier[$0.upperBound...]) }
      ?? qualifier
  }

  /// Whether SQLite could confuse the columns of both: the names are equal, or one has no schema
  /// and the names are equal apart from the schema.
  func hasName(of other: Source) -> Bool {
    let names = (qualifier.lowercased(), other.qualifier.lowercased())
    guard names.0 != names.1 else { return true }
    let isPlain = plainName == qualifier || other.plainName == other.qualifier
    return isPlain && plainName.lowercased() == other.plainName.lowercased()
  }

  /// Gives an alias to a source that is not a declared table: `json_each(…) AS "r"`. Its name so
  /// far is `old`.
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

  /// The name of a subquery in place of the table. It includes the schema, so tables of the same
  /// name in different schemas get different names.
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
