/// One SELECT of a statement: its tables, and the conditions that its rows meet.
final class SelectScope {
  struct Source {
    /// The name that its columns go by, in lower case.
    let name: String
    /// `nil` for a sub-select, a common table, a function.
    let table: SchemaFacts.Table?
  }

  /// Where in the outer SELECT it stands.
  enum Place {
    /// Among the columns, in the one of this name.
    case column(String?)
    case elsewhere
  }

  struct Condition {
    let nodes: [SQLNode]
    /// The sources of which only rows that meet it are seen; `nil`: all.
    let restricts: Range<Int>?
  }

  let outer: SelectScope?
  let place: Place
  var sources: [Source] = []
  var conditions: [Condition] = []
  /// It alone gives the rows of the statement, each from one row of its sources.
  var givesRows = false
  /// Names that stand alone behind the columns: they may mean a column of the result.
  var bareNames: Set<String> = []

  init(outer: SelectScope?, place: Place) {
    self.outer = outer
    self.place = place
  }

  typealias Found = (scope: SelectScope, source: Int, column: SchemaFacts.Column)

  /// The column that a name means here; both names in lower case.
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
    // Without a qualifier only where nothing else can be meant.
    guard sources.count == 1, let column = sources[0].table?.columns[name] else {
      return nil
    }
    return (self, 0, column)
  }
}
