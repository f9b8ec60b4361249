import Foundation
import MartletSQLite
import MartletStore
import Synchronization
import TestSupport
import Testing

@testable import MartletLiveQueries

/// For random queries and commits: every query whose result has changed was touched.
@Suite("Dependencies miss no change of a result")
struct DependencyPropertyTests {
  private struct Open {
    var sql: String
    var values: [Value]
    var rows: [[Value]]
    var dependencies: Dependencies
  }

  private final class Notices: Sendable {
    private let last = Mutex<CommitNotification?>(nil)
    func set(_ notice: CommitNotification) { last.withLock { $0 = notice } }
    var now: CommitNotification? { last.withLock { $0 } }
  }

  @Test(
    "Random commits touch every random query whose result changes",
    arguments: UInt64(0)..<UInt64(Effort.rounds(8)))
  func random(_ seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let database = try EmbeddedDatabase(path: folder.file("db"))
    try database.write { try $0.execute(RandomQueries.schema) }
    let notices = Notices()
    database.onCommit { notices.set($0) }
    var generator = RandomQueries(random: SeededRandom(seed: seed))
    let reader = DependencyReader()
    var index = DependencyIndex(database.watch)
    var touches = 0
    var changes = 0
    var total = 0
    for _ in 0..<25 {
      var open: [Open] = []
      while open.count < 40 {
        let (sql, values) = generator.query()
        if let query = try run(sql, values, database, reader) { open.append(query) }
      }
      for (id, query) in open.enumerated() { index.set(query.dependencies, for: UInt64(id)) }
      for _ in 0..<4 {
        let statements = (0..<Int.random(in: 1...3, using: &generator.random)).map { _ in
          generator.change()
        }
        try database.write { connection in
          for statement in statements {
            try? connection.savepoint { try connection.execute(statement) }
          }
        }
        let touched = index.touched(by: try #require(notices.now))
        for (id, before) in open.enumerated() {
          let after = try #require(try run(before.sql, before.values, database, reader))
          total += 1
          if touched.contains(UInt64(id)) { touches += 1 }
          if after.rows != before.rows { changes += 1 }
          #expect(
            after.rows == before.rows || touched.contains(UInt64(id)),
            "seed \(seed): \(before.sql) \(before.values) missed \(statements), read \(before.dependencies)"
          )
          open[id] = after
          index.set(after.dependencies, for: UInt64(id))
        }
      }
      for id in open.indices { index.remove(UInt64(id)) }
    }
    // Most queries are not touched by a commit, so this does not pass by touching everything.
    #expect(
      changes > 100 && touches < total * 45 / 100,
      "\(changes) changed, \(touches) touched of \(total)")
  }

  /// Runs a random query; `nil` if its text is not valid SQL.
  private func run(
    _ sql: String, _ values: [Value], _ database: EmbeddedDatabase, _ reader: DependencyReader
  ) throws -> Open? {
    try database.read { connection in
      try reader.learnSchema(connection)
      do {
        let (rows, dependencies) = try reader.collect(connection) {
          try connection.query(sql, values).map(\.values)
        }
        // The rows have no defined order.
        return Open(
          sql: sql, values: values, rows: rows.sorted { "\($0)" < "\($1)" },
          dependencies: dependencies)
      } catch let error as SQLiteError where error.code == SQLITE_ERROR {
        return nil
      }
    }
  }
}
