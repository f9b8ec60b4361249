/// One SELECT of a statement, with its sources and conditions.
final class SelectScope {
  struct Source {
    /// The lowercase name by which its columns are qualified.
    let name: String
    /// The table, or `nil` for a sub-select, a common table expression or a table-valued function.
    let table: SchemaFacts.Table?
  }

  /// The position of a sub-select in the outer SELECT.
  enum Place {
    /// In a result column; its alias in lower case, if it has one.
    case column(String?)
    case elsewhere
  }

  struct Condition {
    let nodes: [SQLNode]
    /// The sources whose visible rows must meet the condition; `nil` means all.
    let restricts: Range<Int>?
  }

  let outer: SelectScope?
  let place: Place
  var sources: [Source] = []
  var conditions: [Condition] = []
  /// Whether it alone produces the statement's rows, each from one row of its sources.
  var givesRows = false
  /// Unqualified names after the result columns, which may refer to a result column.
  var bareNames: Set<String> = []

  init(outer: SelectScope?, place: Place) {
    self.outer = outer
    self.place = place
  }

  typealias Found = (scope: SelectScope, source: Int, column: SchemaFacts.Column)

  /// Resolves a column name. Both names are in lower case.
  func column(_ name: String, of qualifier: String?) -> Found? {
    if let qualifier {
      for scope in sequence(first: self, next: \.outer) {
        let found = scope.sources.indices.filter { scope.sources[$0].name == qualifier }
        if found.isEmpty { continue }
        guard found.count == 1, let column = scope.sources[found[0]].table?.columns[name]
        else { return nil }
        return (scope, found[0], column)
      }
      return nil
    }
    // An unqualified name is resolved only if it is unambiguous.
    guard sources.count == 1, let column = sources[0].table?.columns[name] else {
      return nil
    }
    return (self, 0, column)
  }
}
