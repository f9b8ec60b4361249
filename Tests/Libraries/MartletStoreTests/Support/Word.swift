import MartletQueryBuilder
import MartletSQLite
import MartletStore

/// A row of a small test table.
@Table("words")
struct Word {
  let id: Int
  var text: String

  /// Creates a database with these words, with IDs from 1.
  static func connection(_ texts: [String]) throws -> Connection {
    let db = try Connection(location: .inMemory)
    try db.execute("CREATE TABLE words (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
    for text in texts { try db.run("INSERT INTO words (text) VALUES (?)", .text(text)) }
    return db
  }

  /// The first column of each row of a query.
  static func texts(_ query: Query, _ db: Connection) throws -> [String?] {
    try db.statement(for: query).rows().map { $0[0].text }
  }
}
