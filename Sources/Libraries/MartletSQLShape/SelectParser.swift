/// Finds the tables that a query names, where it names them, and under which conditions.
///
/// It parses the outline of a SELECT but not its expressions, and gives up on unknown syntax. The
/// authorizer's report is then the only information about the query.
struct SelectParser {
  struct NotUnderstood: Error {}

  private let schema: SchemaFacts
  private(set) var scopes: [SelectScope] = []
  /// Tables whose columns USING or NATURAL compares, without an authorizer callback.
  private(set) var silentlyRead: [SelectScope.Source] = []
  /// The names of all sources that are not tables of the main database.
  private(set) var otherSources: Set<String> = []

  init(_ schema: SchemaFacts) { self.schema = schema }

  mutating func statement(_ nodes: [SQLNode]) throws(NotUnderstood) {
    guard nodes.isSelect else { throw NotUnderstood() }
    try select(nodes[...], outer: nil, commons: [], isStatement: true)
  }

  // MARK: SELECT

  private mutating func select(
    _ nodes: ArraySlice<SQLNode>, outer: SelectScope?, place: SelectScope.Place = .elsewhere,
    commons: Set<String>, isStatement: Bool = false
  ) throws(NotUnderstood) {
    var nodes = nodes
    var commons = commons
    if nodes.first?.isWord("WITH") == true { try with(&nodes, &commons, outer: outer) }
    let parts = nodes.split(omittingEmptySubsequences: false) {
      $0.isWord(in: ["UNION", "INTERSECT", "EXCEPT"])
    }
    for part in parts {
      let part = part.first?.isWord("ALL") == true ? part.dropFirst() : part
      let scope = SelectScope(outer: outer, place: parts.count == 1 ? place : .elsewhere)
      scopes.append(scope)
      if part.first?.isWord("VALUES") == true {
        try nested(in: part, scope, commons)
        continue
      }
      guard part.first?.isWord("SELECT") == true else { throw NotUnderstood() }
      try core(part.dropFirst(), scope, commons, givesRows: isStatement && parts.count == 1)
    }
  }

  private mutating func with(
    _ nodes: inout ArraySlice<SQLNode>, _ commons: inout Set<String>, outer: SelectScope?
  ) throws(NotUnderstood) {
    nodes.removeFirst()
    if nodes.first?.isWord("RECURSIVE") == true, nodes.dropFirst().first?.isWord("AS") != true {
      nodes.removeFirst()
    }
    var bodies: [[SQLNode]] = []
    while true {
      guard let name = nodes.popFirst()?.token, name.isName else { throw NotUnderstood() }
      commons.insert(name.text.lowercased())
      if nodes.first?.group != nil { nodes.removeFirst() }
      guard nodes.popFirst()?.isWord("AS") == true else { throw NotUnderstood() }
      while nodes.first?.isWord(in: ["NOT", "MATERIALIZED"]) == true { nodes.removeFirst() }
      guard let body = nodes.popFirst()?.group, body.isSelect else { throw NotUnderstood() }
      bodies.append(body)
      guard nodes.first?.isMark(",") == true else { break }
      nodes.removeFirst()
    }
    for body in bodies { try select(body[...], outer: outer, commons: commons) }
  }

  private mutating func core(
    _ nodes: ArraySlice<SQLNode>, _ scope: SelectScope, _ commons: Set<String>, givesRows: Bool
  ) throws(NotUnderstood) {
    var nodes = nodes
    var isPlain = givesRows
    if nodes.first?.isWord(in: ["DISTINCT", "ALL"]) == true {
      if nodes.removeFirst().isWord("DISTINCT") { isPlain = false }
    }
    let clauses = Clause.split(nodes)
    // The sources come first, because names in the other clauses refer to them.
    for clause in clauses where clause.keyword == "FROM" {
      try from(clause.nodes, scope, commons)
    }
    for clause in clauses {
      switch clause.keyword {
      case "FROM":
        scope.bareNames.formUnion(bareNames(in: clause.nodes))
        continue
      case "SELECT":
        for item in clause.nodes.split(atMark: ",") {
          let name =
            item.count > 1
            ? item.last?.token.flatMap { $0.isName || $0.kind == .string ? $0.text : nil } : nil
          try nested(in: item, scope, commons, place: .column(name?.lowercased()))
          if !isOneForOne(item) { isPlain = false }
        }
        continue
      case "WHERE":
        scope.conditions += clause.nodes.conjuncts.map { .init(nodes: $0, restricts: nil) }
      case "GROUP", "HAVING": isPlain = false
      case "ORDER":
        // ORDER BY can name a result column by its number.
        if hasNumber(clause.nodes) { isPlain = false }
      default: break
      }
      try nested(in: clause.nodes, scope, commons)
      scope.bareNames.formUnion(bareNames(in: clause.nodes))
    }
    scope.givesRows = isPlain
  }

  /// Whether a result column depends on a single row of the sources: it contains no aggregate.
  private func isOneForOne(_ item: ArraySlice<SQLNode>) -> Bool {
    for (node, next) in zip(item, item.dropFirst()) {
      guard let group = next.group else { continue }
      if let token = node.token, token.isName, schema.aggregates.contains(token.text.lowercased()) {
        return false
      }
      if !group.isSelect, !isOneForOne(group[...]) { return false }
    }
    if let group = item.first?.group, !group.isSelect { return isOneForOne(group[...]) }
    return true
  }

  private func hasNumber(_ nodes: some Collection<SQLNode>) -> Bool {
    nodes.contains { $0.token?.kind == .number || $0.group.map { hasNumber($0) } ?? false }
  }

  private func bareNames(in nodes: some Collection<SQLNode>) -> Set<String> {
    var names: Set<String> = []
    var isQualified = false
    for node in nodes {
      switch node {
      case .group(let group):
        names.formUnion(bareNames(in: group))
        isQualified = false
      case .token(let token):
        if token.isName || token.kind == .string, !isQualified {
          names.insert(token.text.lowercased())
        }
        isQualified = token.isMark(".")
      }
    }
    return names
  }

  /// Parses the sub-selects among the nodes.
  private mutating func nested(
    in nodes: some Collection<SQLNode>, _ scope: SelectScope, _ commons: Set<String>,
    place: SelectScope.Place = .elsewhere
  ) throws(NotUnderstood) {
    var isAfterIn = false
    for node in nodes {
      // `x IN table` names a table outside FROM, where no other code looks for it.
      if isAfterIn, node.group == nil { throw NotUnderstood() }
      isAfterIn = node.isWord("IN")
      guard let group = node.group else { continue }
      if group.isSelect {
        try select(group[...], outer: scope, place: place, commons: commons)
      } else {
        try nested(in: group, scope, commons, place: place)
      }
    }
  }

  // MARK: FROM

  private mutating func from(
    _ nodes: ArraySlice<SQLNode>, _ scope: SelectScope, _ commons: Set<String>
  ) throws(NotUnderstood) {
    var rest = nodes
    var join = Join.inner
    while true {
      try source(&rest, scope, commons)
      if join.isNatural { silentlyRead += scope.sources }
      if rest.first?.isWord("ON") == true {
        rest.removeFirst()
        let condition = rest.prefix(upTo: Join.next(in: rest) ?? rest.endIndex)
        rest = rest.dropFirst(condition.count)
        try nested(in: condition, scope, commons)
        if let restricts = join.restricts(scope.sources.count) {
          scope.conditions += condition.conjuncts.map { .init(nodes: $0, restricts: restricts) }
        }
      } else if rest.first?.isWord("USING") == true {
        guard rest.dropFirst().first?.group != nil else { throw NotUnderstood() }
        rest = rest.dropFirst(2)
        silentlyRead += scope.sources
      }
      if rest.isEmpty { return }
      if rest.first?.isMark(",") == true {
        join = .inner
        rest.removeFirst()
      } else if let (next, length) = Join.read(rest) {
        join = next
        rest = rest.dropFirst(length)
      } else {
        throw NotUnderstood()
      }
    }
  }

  private mutating func source(
    _ rest: inout ArraySlice<SQLNode>, _ scope: SelectScope, _ commons: Set<String>
  ) throws(NotUnderstood) {
    var table: SchemaFacts.Table?
    var name: String?
    switch rest.popFirst() {
    case .group(let group)?:
      guard group.isSelect else { throw NotUnderstood() }
      // A sub-select in FROM cannot refer to the other sources.
      try select(group[...], outer: scope.outer, commons: commons)
    case .token(var token)? where token.isName:
      var database: String?
      if rest.first?.isMark(".") == true, let second = rest.dropFirst().first?.token, second.isName
      {
        database = token.text.lowercased()
        token = second
        rest = rest.dropFirst(2)
      }
      let lowered = token.text.lowercased()
      name = lowered
      if let arguments = rest.first?.group {
        rest.removeFirst()
        try nested(in: arguments, scope, commons)
      } else if database == nil, commons.contains(lowered) {
        break
      } else if database == nil ? schema.temporary.contains(lowered) : database != "main" {
        throw NotUnderstood()
      } else if let known = schema.tables[lowered] {
        table = known
      } else {
        otherSources.insert(lowered)
      }
    default: throw NotUnderstood()
    }
    if rest.first?.isWord("AS") == true {
      rest.removeFirst()
      guard let alias = rest.popFirst()?.token, alias.isName || alias.kind == .string else {
        throw NotUnderstood()
      }
      name = alias.text.lowercased()
    } else if let alias = rest.first?.token, alias.isName, Join.read(rest) == nil,
      !alias.isWord("ON"), !alias.isWord("USING"), !alias.isWord("INDEXED"), !alias.isWord("NOT")
    {
      name = alias.text.lowercased()
      rest.removeFirst()
    }
    if rest.first?.isWord("INDEXED") == true {
      rest = rest.dropFirst(3)
    } else if rest.first?.isWord("NOT") == true {
      rest = rest.dropFirst(2)
    }
    scope.sources.append(.init(name: name ?? "", table: table))
  }
}
