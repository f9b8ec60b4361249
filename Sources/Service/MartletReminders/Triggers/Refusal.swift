import MartletQueryBuilder

/// A trigger statement that refuses a change with the message of the first rule it breaks.
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

extension PlainStatement {
  /// A statement given as SQL.
  init(sql: QueryFragment) { self.init(Query(sql)) }
}
