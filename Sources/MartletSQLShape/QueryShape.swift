import MartletSQLite

/// What the text of a query says about the rows that it reads: each place where it names a table, and the
/// values that a column has to have there.
package final class QueryShape {
  package enum Constant {
    case value(Value)
    /// By its number.
    case parameter(Int)
  }

  /// A column of which only rows with certain values are seen.
  package struct Pin {
    package let column: SchemaFacts.Column
    package let values: [Constant]
    /// `IS` finds NULL, and an outer join makes NULLs where there are no rows.
    package let isStrict: Bool
  }

  /// A column that equals a column of the rows that the query gives.
  package struct Link {
    package let column: SchemaFacts.Column
    package let table: String
    package let tableColumn: String
  }

  package struct Occurrence {
    package let table: SchemaFacts.Table
    /// One of them is enough; the best one first.
    package var pins: [Pin] = []
    package var link: Link?
  }

  package private(set) var occurrences: [Occurrence] = []
  /// Tables of which any column may be read without the authorizer being asked.
  package private(set) var silentlyRead: Set<String> = []
  /// What the query reads cannot be known.
  package private(set) var isOpaque = false
  /// The text asks for the time.
  package private(set) var namesNow = false
  /// The outline was understood: every place where a table is named is among ``occurrences``.
  package private(set) var isUnderstood = false
  /// It names a view, or something else whose tables are not among ``occurrences``.
  package private(set) var hasOthers = false

  package init(_ sql: String, _ schema: SchemaFacts) {
    guard let nodes = SQLNode.nodes(of: sql) else {
      isOpaque = true
      return
    }
    namesNow = TimeFunctions.isNamed(in: nodes)
    var parser = SelectParser(schema)
    do throws(SelectParser.NotUnderstood) {
      try parser.statement(nodes)
      isUnderstood = true
    } catch {
      isOpaque = Self.comparesSilently(nodes)
      return
    }
    for source in parser.silentlyRead {
      if let table = source.table { silentlyRead.insert(table.name) }
    }
    hasOthers = !parser.otherSources.isEmpty
    isOpaque =
      !parser.otherSources.isDisjoint(with: schema.opaqueViews)
      || !parser.silentlyRead.isEmpty
        && !parser.otherSources.isDisjoint(with: schema.views)
    occurrences = Restrictions(parser.scopes).occurrences
  }

  /// Whether USING or NATURAL compares columns, which the authorizer is not asked about.
  static func comparesSilently(_ nodes: [SQLNode]) -> Bool {
    nodes.contains { node in
      node.isWord(in: ["USING", "NATURAL"]) || node.group.map(comparesSilently) ?? false
    }
  }
}
