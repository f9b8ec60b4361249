/// A clause of a SELECT. The result columns, up to FROM, have the keyword SELECT.
struct Clause {
  let keyword: String
  let nodes: ArraySlice<SQLNode>

  /// Splits the nodes of a SELECT into its clauses.
  static func split(_ nodes: ArraySlice<SQLNode>) -> [Clause] {
    var clauses: [Clause] = []
    var keyword = "SELECT"
    var start = nodes.startIndex
    for place in nodes.indices {
      guard let next = nodes[place].token, next.kind == .word else { continue }
      let word = next.text.uppercased()
      switch word {
      case "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT": break
      // IS [NOT] DISTINCT FROM
      case "FROM":
        if place - 1 > nodes.startIndex, nodes[place - 1].isWord("DISTINCT"),
          nodes[place - 2].isWord(in: ["IS", "NOT"])
        {
          continue
        }
      // WINDOW can also be an ordinary name; as a keyword it begins `WINDOW name AS (…)`.
      case "WINDOW":
        guard place + 3 < nodes.endIndex, nodes[place + 2].isWord("AS"),
          nodes[place + 3].group != nil
        else { continue }
      default: continue
      }
      clauses.append(Clause(keyword: keyword, nodes: nodes[start..<place]))
      keyword = word
      start = place + 1
    }
    clauses.append(Clause(keyword: keyword, nodes: nodes[start...]))
    return clauses
  }
}
