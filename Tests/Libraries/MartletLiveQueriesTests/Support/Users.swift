import Foundation
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import TestSupport

@Table
struct User: Codable, Hashable, Sendable {
  let id: Int
  let name: String
  let email: String
  let active: Bool
  let createdAt: Date?
}

@Table
struct Post: Codable, Hashable, Sendable {
  let id: Int
  let title: String
  let publishedAt: Date?
}

/// A database file with users and posts.
struct UsersFile: Sendable {
  let folder: TemporaryFolder
  let connection: SQLiteConnection

  var path: String { folder.file("users.db") }

  init() throws {
    folder = try TemporaryFolder()
    connection = try SQLiteConnection.open(storage: .file(path: folder.file("users.db")))
    try connection.write { db in
      try db.execute(
        """
        CREATE TABLE users (
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          name TEXT NOT NULL,
          email TEXT NOT NULL DEFAULT '',
          active INTEGER NOT NULL DEFAULT 1,
          createdAt TEXT
        );
        CREATE TABLE posts (id INTEGER PRIMARY KEY, title TEXT NOT NULL, publishedAt TEXT);
        """)
    }
  }

  func add(_ names: String..., active: Bool = true) throws {
    try connection.write { db in
      for name in names {
        try db.query(
          "INSERT INTO users (name, active, createdAt) VALUES (?, ?, ?)",
          [.text(name), .integer(active ? 1 : 0), .text("2026-01-01 00:00:00.000")])
      }
    }
  }
}
