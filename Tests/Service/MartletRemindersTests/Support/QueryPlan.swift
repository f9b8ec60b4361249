import MartletQueryBuilder
import MartletSQLite
import MartletStore

/// The plan by which SQLite runs a query (https://sqlite.org/eqp.html), one line per step.
struct QueryPlan: CustomStringConvertible {
  let sql: String
  let steps: [String]

  init(_ query: Query, in db: Connection) throws {
    sql = query.fragment.prepare().sql
    steps = try db.statement(for: Query("EXPLAIN QUERY PLAN \(query.fragment)")).rows()
      .compactMap { $0[3].text }
  }

  var description: String { sql + "\n  " + steps.joined(separator: "\n  ") }
}
