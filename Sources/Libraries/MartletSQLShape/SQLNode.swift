/// A token, or a group of nodes in parentheses.
indirect enum SQLNode {
  case token(SQLToken)
  case group([SQLNode])

  var token: SQLToken? { if case .token(let token) = self { token } else { nil } }
  var group: [SQLNode]? { if case .group(let nodes) = self { nodes } else { nil } }
  func isWord(_ keyword: String) -> Bool { token?.isWord(keyword) ?? false }
  func isMark(_ mark: String) -> Bool { token?.isMark(mark) ?? false }
  func isWord(in keywords: Set<String>) -> Bool {
    guard let token, token.kind == .word else { return false }
    return keywords.contains(token.text.uppercased())
  }

  /// The maximum depth of nested parentheses. Each level uses stack in every recursive walk over
  /// the nodes. SQLite's parser has the same limit by default (YYSTACKDEPTH,
  /// https://sqlite.org/compile.html).
  static let greatestDepth = 100

  /// The nodes of a statement. Returns `nil` if a token is invalid, or if the parentheses are
  /// unbalanced or nested too deeply.
  static func nodes(of sql: String) -> [SQLNode]? {
    guard let tokens = SQLToken.tokens(of: sql) else { return nil }
    var open: [[SQLNode]] = [[]]
    for token in tokens {
      if token.isMark("(") {
        guard open.count <= greatestDepth else { return nil }
        open.append([])
      } else if token.isMark(")") {
        guard open.count > 1, let group = open.popLast() else { return nil }
        open[open.count - 1].append(.group(group))
      } else {
        open[open.count - 1].append(.token(token))
      }
    }
    guard open.count == 1, var nodes = open.first else { return nil }
    while nodes.last?.isMark(";") == true { nodes.removeLast() }
    return nodes
  }
}

extension Collection<SQLNode> where Index == Int {
  var isSelect: Bool { first?.isWord(in: ["SELECT", "WITH", "VALUES"]) ?? false }

  func split(atMark mark: String) -> [SubSequence] {
    split(omittingEmptySubsequences: false) { $0.isMark(mark) }
  }

  /// The terms joined by AND, all of which hold if the whole condition holds.
  var conjuncts: [[SQLNode]] {
    // An AND inside CASE is not a top-level one, and END can also be a name.
    if contains(where: { $0.isWord(in: ["CASE", "END"]) }) { return [Array(self)] }
    var terms: [[SQLNode]] = [[]]
    var betweens = 0
    for node in self {
      // OR binds weaker than AND, so no single term has to hold.
      if node.isWord("OR") { return [Array(self)] }
      if node.isWord("BETWEEN") { betweens += 1 }
      if node.isWord("AND") {
        if betweens == 0 {
          terms.append([])
          continue
        }
        betweens -= 1
      }
      terms[terms.count - 1].append(node)
    }
    return terms.flatMap { term -> [[SQLNode]] in
      guard term.count == 1, let group = term[0].group, !group.isSelect else { return [term] }
      return group.conjuncts
    }
  }
}
