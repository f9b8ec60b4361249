import MartletQueryBuilder
import MartletReminders
import MartletSQLite
import MartletStore
import TestSupport
import Testing

/// A migrated database file in a folder of its own.
final class RemindersFile: Sendable {
  let folder: TemporaryFolder
  var path: String { folder.file("reminders.db") }

  init() throws {
    folder = try TemporaryFolder()
    try RemindersDatabase.migrate(path: path)
  }

  func connect(as program: Program) throws -> Connection {
    let connection = try Connection(location: .file(path))
    connection.setBusyTimeout(.seconds(5))
    try connection.pragma("synchronous", set: "OFF")
    try connection.pragma("foreign_keys", set: program == .service ? "ON" : "OFF")
    if program == .service { try GracePeriod.prepare(connection, signal: GracePeriod.Signal()) }
    return connection
  }
}

/// Who writes.
enum Program: CaseIterable {
  /// As the service does: with foreign keys, functions and temporary triggers.
  case service
  /// As a `sqlite3` shell does: with nothing of that.
  case shell
}

extension Connection {
  func text(_ sql: String) throws -> String? { try value(sql)?.text }
  func integer(_ sql: String) throws -> Int? { try value(sql)?.integer.map(Int.init) }
  func integers(_ sql: String) throws -> [Int?] {
    try rows(sql).map { $0[0].integer.map(Int.init) }
  }
  func texts(_ sql: String) throws -> [String?] { try rows(sql).map { $0[0].text } }

  /// The message with which SQLite refuses `sql`; `nil` where it does not.
  func refusal(of sql: String) -> String? {
    do throws(SQLiteError) {
      try execute(sql)
      return nil
    } catch {
      return error.message
    }
  }
}
