import MartletSQLite

/// The tables and row restrictions that a query's text reveals: each occurrence of a table, and the
/// values that its columns must have there.
package final class QueryShape {
  /// A value that a column is compared with.
  package enum Constant {
    /// A literal.
    case value(Value)
    /// A bound parameter, by its number.
    case parameter(Int)
  }

  /// A restricted column: the query sees only rows with one of these values.
  package struct Pin {
    /// The restricted column.
    package let column: SchemaFacts.Column
    /// The values that the column can have.
    package let values: [Constant]
    /// False if NULL also matches: `IS` matches NULL, and an outer join produces NULLs for missing
    /// rows.
    package let isStrict: Bool
  }

  /// A column that must equal a column of the query's result rows.
  package struct Link {
    /// The column of the occurrence's table.
    package let column: SchemaFacts.Column
    /// The name of the table in the result.
    package let table: String
    /// The name of that table's column.
    package let tableColumn: String
  }

  /// One place where the query names a table.
  package struct Occurrence {
    /// The named table.
    package let table: SchemaFacts.Table
    /// The restrictions of its rows. Any one of them is sufficient; the most selective one is
    /// first.
    package var pins: [Pin] = []
    /// A restriction by the result rows, if there are no pins.
    package var link: Link?
  }

  /// Every place where a table is named, if ``isUnderstood``.
  package private(set) var occurrences: [Occurrence] = []
  /// Tables of which any column can be read without an authorizer callback.
  package private(set) var silentlyRead: Set<String> = []
  /// Whether it is unknown what the query reads.
  package private(set) var isOpaque = false
  /// Whether the text reads the current time.
  package private(set) var namesNow = false
  /// Whether the query was parsed, so that ``occurrences`` contains every table it names.
  package private(set) var isUnderstood = false
  /// Whether the query names a view or another source whose tables are not in ``occurrences``.
  package private(set) var hasOthers = false

  /// Analyzes a statement against the schema of its database.
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

  /// Whether the nodes contain USING or NATURAL, which compare columns without an authorizer
  /// callback.
  static func comparesSilently(_ nodes: [SQLNode]) -> Bool {
    nodes.contains { node in
      node.isWord(in: ["USING", "NATURAL"]) || node.group.map(comparesSilently) ?? false
    }
  }
}
