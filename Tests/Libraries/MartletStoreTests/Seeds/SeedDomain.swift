import Foundation
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Synchronization

// The reminders that the documents' code blocks assume.

@Table
struct RemindersList: Equatable, Identifiable {
  let id: Int
  var title = ""
  var color = 0x4a99ef_ff
  var position = 0

  static let defaultTitle = "Personal"
  static let defaultColor = 0x4a99ef_ff
}

@Table
struct Reminder: Equatable, Identifiable {
  let id: Int
  var title = ""
  var notes = ""
  var remindersListID: RemindersList.ID = 1
  var position = 0
  var priority: Int?
  var status: Status = .incomplete
  var createdAt: Date?
  var updatedAt: Date?

  enum Status: Int, QueryBindable { case incomplete, completed, completing }
}

@Table
struct ReminderText: FTS5 {
  let rowid: Int
  let title: String
  let notes: String
  let tags: String
}

@Selection
struct SearchRow: Equatable {
  let title: String
  let notes: String
  let tags: String
}

struct Token {
  enum Kind { case tag, near }
  var kind: Kind
  var rawValue: String
}

enum SeedSchema {
  static let tables = """
    CREATE TABLE "remindersLists" ("id" INTEGER PRIMARY KEY, "title" TEXT NOT NULL DEFAULT '',
      "color" INTEGER NOT NULL DEFAULT 0, "position" INTEGER NOT NULL DEFAULT 0) STRICT;
    CREATE TABLE "reminders" ("id" INTEGER PRIMARY KEY, "title" TEXT NOT NULL DEFAULT '',
      "notes" TEXT NOT NULL DEFAULT '', "remindersListID" INTEGER NOT NULL DEFAULT 1,
      "position" INTEGER NOT NULL DEFAULT 0, "priority" INTEGER,
      "status" INTEGER NOT NULL DEFAULT 0, "createdAt" TEXT, "updatedAt" TEXT) STRICT;
    """

  static func connection() throws -> Connection {
    let db = try Connection(location: .inMemory)
    try db.execute(tables)
    return db
  }
}

/// A stand-in for a program's dependencies, which the documents' functions access by key path.
struct DependencyValues {
  private static let database = Mutex<(any Database)?>(nil)

  var defaultDatabase: any Database {
    get { Self.database.withLock { $0! } }
    nonmutating set { Self.database.withLock { $0 = newValue } }
  }
}

@propertyWrapper
struct Dependency<Value> {
  private let path: KeyPath<DependencyValues, Value>
  init(_ path: KeyPath<DependencyValues, Value>) { self.path = path }
  var wrappedValue: Value { DependencyValues()[keyPath: path] }
}
