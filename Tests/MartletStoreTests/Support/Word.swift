import MartletQueryBuilder
import MartletSQLite
import MartletStore

/// A row of a small table.
@Table("words")
struct Word {
  let id: Int
  var text: String

  /// A database that has these, with ids from 1.
  static func connection(_ texts: [String]) throws -> Connection {
    let db = try Connection(location: .inMemory)
    try db.execute("CREATE TABLE words (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
    for text in texts { try db.run("INSERT INTO words (text) VALUES (?)", .text(text)) }
    return db
  }

  /// The first column of a query's rows.
  static func texts(_ query: Query, _ db: Connection) throws -> [String?] {
    try db.statement(for: query).rows().map { $0[0].text }
  }
}
