import Foundation
import MartletQueryBuilder
import MartletSQLite
import MartletStore

// The tables used by the examples of the articles.

@Table
struct Book: Equatable {
  let id: Int
  var title = ""
  var authorID: Author.ID?
  var pages = 0
  var isRead = false
  var genre: Genre = .novel
  var changedAt: Date?

  enum Genre: String, QueryBindable { case novel, essay }
}

@Table
struct Author: Equatable, Identifiable {
  let id: Int
  var name = ""
}

@Table
struct BookText: FTS5 {
  let rowid: Int
  let title: String
}

enum Library {
  /// Creates an in-memory library: Ada wrote *Engines* (120 pages) and *Notes* (80, read), Bo wrote
  /// *Trees* (300).
  static func database() throws -> Connection {
    let db = try Connection(location: .inMemory)
    try db.execute(
      """
      CREATE TABLE "authors" ("id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL UNIQUE) STRICT;
      CREATE TABLE "books" (
        "id" INTEGER PRIMARY KEY, "title" TEXT NOT NULL UNIQUE, "authorID" INTEGER,
        "pages" INTEGER NOT NULL DEFAULT 0, "isRead" INTEGER NOT NULL DEFAULT 0,
        "genre" TEXT NOT NULL DEFAULT 'novel', "changedAt" TEXT) STRICT;
      CREATE TABLE "editions" (
        "id" INTEGER PRIMARY KEY, "price" INTEGER NOT NULL, "discount" INTEGER,
        "isbn" TEXT NOT NULL) STRICT;
      CREATE VIRTUAL TABLE "bookTexts" USING fts5("title");
      """)
    try Seeds {
      Author(id: 1, name: "Ada")
      Author(id: 2, name: "Bo")
      Book(id: 1, title: "Engines", authorID: 1, pages: 120)
      Book(id: 2, title: "Notes", authorID: 1, pages: 80, isRead: true, genre: .essay)
      Book(id: 3, title: "Trees", authorID: 2, pages: 300)
    }.execute(db)
    return db
  }
}
