import MartletQueryBuilder
import MartletReminders
import MartletSQLite
import MartletStore
import TestSupport
import Testing

/// A migrated database file in its own folder.
final class RemindersFile: Sendable {
  let folder: TemporaryFolder
  var path: String { folder.file("reminders.db") }

  init() throws {
    folder = try TemporaryFolder()
    try RemindersDatabase.migrate(path: path)
  }

  /// Creates the triggers again in a random order, because SQLite does not define the one in which
  /// they fire.
  func shuffleTriggers(using random: inout SeededRandom) throws {
    let db = try connect(as: .shell)
    for (name, _) in RemindersDatabase.triggers { try db.execute("DROP TRIGGER \(name)") }
    for (_, sql) in RemindersDatabase.triggers.shuffled(using: &random) { try db.execute(sql) }
  }

  func connect(as program: Program) throws -> Connection {
    let connection = try Connection(location: .file(path))
    connection.setBusyTimeout(.seconds(5))
    try connection.pragma("synchronous", set: "OFF")
    try connection.pragma("foreign_keys", set: program == .service ? "ON" : "OFF")
    if program == .service { try FollowUps.prepare(connection, signal: FollowUps.Signal()) }
    return connection
  }
}

/// The program that writes.
enum Program: CaseIterable {
  /// The service: with foreign keys, functions and temporary triggers.
  case service
  /// A `sqlite3` shell: without any of these.
  case shell
}

extension Connection {
  func text(_ sql: String) throws -> String? { try value(sql)?.text }
  func integer(_ sql: String) throws -> Int? { try value(sql)?.integer.map(Int.init) }
  func integers(_ sql: String) throws -> [Int?] {
    try rows(sql).map { $0[0].integer.map(Int.init) }
  }
  func texts(_ sql: String) throws -> [String?] { try rows(sql).map { $0[0].text } }

  /// The message with which SQLite refuses `sql`; `nil` if it accepts it.
  func refusal(of sql: String) -> String? {
    do throws(SQLiteError) {
      try execute(sql)
      return nil
    } catch {
      return error.brokenRule
    }
  }
}
