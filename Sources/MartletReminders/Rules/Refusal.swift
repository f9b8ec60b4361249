import MartletQueryBuilder

/// A statement of a trigger that refuses the change with the first rule that is broken.
///
///     // SELECT CASE WHEN … THEN RAISE(ABORT, 'martlet: …') WHEN … THEN … END
struct Refusal: Statement {
  typealias Output = Never
  let query: Query

  init(_ rules: (unless: QueryFragment, message: String)...) {
    var sql: QueryFragment = "SELECT CASE"
    for rule in rules {
      sql +=
        " WHEN (\(rule.unless)) IS NOT 1 THEN RAISE(ABORT, \(raw: Self.quoted(rule.message)))"
    }
    sql += " END"
    query = Query(sql)
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
  }
}

/// Sees to it that an id which goes is not given again. An INSERT moves `sqlite_sequence` by itself; an id that came
/// by an UPDATE may lie above it, which counts from when it goes (https://sqlite.org/autoinc.html).
struct NeverAgain: Statement {
  typealias Output = Never
  let query: Query

  init(_ table: String, _ id: QueryFragment) {
    query = Query(
      "UPDATE sqlite_sequence SET seq = \(id) WHERE name = '\(raw: table)' AND seq < \(id)")
  }
}

extension Change {
  /// A statement as it is written.
  init(sql: QueryFragment) { self.init(Query(sql)) }
}
