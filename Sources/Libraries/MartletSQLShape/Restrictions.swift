import MartletSQLite

/// Derives from a query's conditions which rows of each table its SELECTs can see.
///
/// `id = 7` and `listID IN (?, ?)` restrict a column where they must hold. A column that equals a
/// restricted column has the same restriction: `"remindersTags"."reminderID" = "reminders"."id"`.
struct Restrictions {
  private struct Place: Hashable {
    let scope: ObjectIdentifier
    let source: Int
    let column: SchemaFacts.Column
  }
  private struct Equality {
    let from: Place
    let to: Place
  }

  private let scopes: [SelectScope]
  private var pins: [Place: QueryShape.Pin] = [:]
  private var equalities: [Equality] = []

  init(_ scopes: [SelectScope]) {
    self.scopes = scopes
    for scope in scopes {
      for condition in scope.conditions { read(condition, scope) }
    }
    // Propagates the restrictions along the equalities until a round adds none.
    var isDone = false
    while !isDone {
      isDone = true
      for equality in equalities where pins[equality.to] == nil {
        guard let pin = pins[equality.from] else { continue }
        pins[equality.to] = QueryShape.Pin(
          column: equality.to.column, values: pin.values, isStrict: pin.isStrict)
        isDone = false
      }
    }
  }

  var occurrences: [QueryShape.Occurrence] {
    scopes.flatMap { scope in
      scope.sources.indices.compactMap { source in
        guard let table = scope.sources[source].table else { return nil }
        var occurrence = QueryShape.Occurrence(table: table)
        occurrence.pins = pins.filter {
          $0.key.scope == ObjectIdentifier(scope) && $0.key.source == source
        }
        .map(\.value)
        .sorted { rank($0.column, table) < rank($1.column, table) }
        if occurrence.pins.isEmpty { occurrence.link = link(scope, source) }
        return occurrence
      }
    }
  }

  private func rank(_ column: SchemaFacts.Column, _ table: SchemaFacts.Table) -> (Int, String) {
    let name = column.name.lowercased()
    return (table.keys.firstIndex { $0.lowercased() == name } ?? .max, name)
  }

  // MARK: Conditions

  private mutating func read(_ condition: SelectScope.Condition, _ scope: SelectScope) {
    let nodes = condition.nodes
    guard
      let place = nodes.firstIndex(where: {
        $0.isMark("=") || $0.isMark("==") || $0.isWord("IS") || $0.isWord("IN")
      })
    else { return }
    let left = nodes[..<place]
    let right = nodes[(place + 1)...]
    if nodes[place].isWord("IN") {
      guard right.count == 1, let list = right.first?.group, !list.isSelect else { return }
      let values = list.isEmpty ? [] : list.split(atMark: ",").map { constant($0) }
      pin(left, values, condition, scope, isStrict: true)
      return
    }
    let isStrict = !nodes[place].isWord("IS")
    // (a, b) = (?, ?)
    if let columns = left.only?.group, let values = right.only?.group, columns.count > 1,
      !columns.isSelect, !values.isSelect
    {
      let columns = columns.split(atMark: ",")
      let values = values.split(atMark: ",")
      guard columns.count == values.count else { return }
      for (column, value) in zip(columns, values) {
        compare(column, value, condition, scope, isStrict: isStrict)
      }
      return
    }
    compare(left, right, condition, scope, isStrict: isStrict)
  }

  private mutating func compare(
    _ left: ArraySlice<SQLNode>, _ right: ArraySlice<SQLNode>, _ condition: SelectScope.Condition,
    _ scope: SelectScope, isStrict: Bool
  ) {
    if let value = constant(right) {
      pin(left, [value], condition, scope, isStrict: isStrict)
    } else if let value = constant(left) {
      pin(right, [value], condition, scope, isStrict: isStrict)
    } else if isStrict, let one = resolve(left, scope), let other = resolve(right, scope),
      one.column.affinity == other.column.affinity, let collation = one.column.collation,
      collation == other.column.collation
    {
      equate(one, other, condition, scope)
      equate(other, one, condition, scope)
    }
  }

  /// Whether the condition restricts the visible rows of that source.
  private func restricts(
    _ place: Place, _ condition: SelectScope.Condition, _ scope: SelectScope
  ) -> Bool {
    place.scope == ObjectIdentifier(scope) && condition.restricts?.contains(place.source) ?? true
  }

  private mutating func pin(
    _ nodes: ArraySlice<SQLNode>, _ values: [QueryShape.Constant?],
    _ condition: SelectScope.Condition, _ scope: SelectScope, isStrict: Bool
  ) {
    let known = values.compactMap { $0 }
    guard known.count == values.count, let place = resolve(nodes, scope),
      restricts(place, condition, scope), pins[place] == nil
    else { return }
    pins[place] = QueryShape.Pin(column: place.column, values: known, isStrict: isStrict)
  }

  private mutating func equate(
    _ one: Place, _ other: Place, _ condition: SelectScope.Condition, _ scope: SelectScope
  ) {
    guard restricts(one, condition, scope) else { return }
    equalities.append(Equality(from: other, to: one))
  }

  private func resolve(_ nodes: ArraySlice<SQLNode>, _ scope: SelectScope) -> Place? {
    if let group = nodes.only?.group { return resolve(group[...], scope) }
    guard let found = column(nodes, scope) else { return nil }
    return Place(scope: ObjectIdentifier(found.scope), source: found.source, column: found.column)
  }

  private func column(_ nodes: ArraySlice<SQLNode>, _ scope: SelectScope) -> SelectScope.Found? {
    guard let name = nodes.last?.token, name.isName else { return nil }
    let column = name.text.lowercased()
    if nodes.count == 1 { return scope.column(column, of: nil) }
    let parts = Array(nodes)
    guard parts.count == 3, parts[1].isMark("."), let qualifier = parts[0].token, qualifier.isName
    else { return nil }
    return scope.column(column, of: qualifier.text.lowercased())
  }

  private func constant(_ nodes: ArraySlice<SQLNode>) -> QueryShape.Constant? {
    let isNegative = nodes.first?.isMark("-") ?? false
    guard nodes.count == (isNegative ? 2 : 1), let token = nodes.last?.token else { return nil }
    switch token.kind {
    case .parameter(let number): return isNegative ? nil : .parameter(number)
    case .string: return isNegative ? nil : .value(.text(token.text))
    case .number:
      let text = (isNegative ? "-" : "") + token.text
      if let integer = Int64(text) { return .value(.integer(integer)) }
      // Whole numbers only, because SQLite may round fractions differently.
      guard token.text.utf8.allSatisfy({ "0123456789.".utf8.contains($0) }),
        let real = Double(text), real == real.rounded(), real.magnitude < 9_007_199_254_740_992
      else { return nil }
      return .value(.real(real))
    case .word, .quoted, .mark: return nil
    }
  }

  // MARK: Links

  /// The link of a sub-select's only table: a column that must equal a column of the statement's
  /// rows.
  ///
  /// It exists if the sub-select is a whole result column. Then only table rows that match a result
  /// row matter.
  private func link(_ scope: SelectScope, _ source: Int) -> QueryShape.Link? {
    guard case .column(let name) = scope.place, let outer = scope.outer, outer.givesRows,
      name.map({ !outer.bareNames.contains($0) }) ?? true
    else { return nil }
    for equality in equalities
    where equality.to.scope == ObjectIdentifier(scope) && equality.to.source == source
      && equality.from.scope == ObjectIdentifier(outer)
    {
      guard let table = outer.sources[equality.from.source].table,
        // The columns of the result are identified by the table's name, so it must be unique.
        scopes.reduce(0, { $0 + $1.sources.count(where: { $0.table === table }) }) == 1
      else { continue }
      return QueryShape.Link(
        column: equality.to.column, table: table.name, tableColumn: equality.from.column.name)
    }
    return nil
  }
}

extension Collection {
  /// The element of a collection that has exactly one, otherwise `nil`.
  fileprivate var only: Element? { count == 1 ? first : nil }
}
