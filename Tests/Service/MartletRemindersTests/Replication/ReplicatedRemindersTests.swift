import Dispatch
import Foundation
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime
import Synchronization
import TestSupport
import Testing

@testable import MartletReminders

/// Random writes of the service and of a program that knows only the tables, in groups from four
/// threads, on two nodes that are the primary in turn. After each turn both files are equal.
@Suite("Reminders on two nodes") struct ReplicatedRemindersTests {
  private static let writes =
    ProcessInfo.processInfo.environment["MARTLET_WRITES"].flatMap { Int($0) } ?? 1_200
  private static let seed =
    ProcessInfo.processInfo.environment["MARTLET_SEED"].flatMap { UInt64($0) }
    ?? .random(in: 0 ... .max)

  private struct Planned: Error {}

  @Test func everything() throws {
    let seed = Self.seed
    print("replicated reminders: seed \(seed)")
    var settings = Configuration()
    settings.groupLimit = 8
    settings.changeTable = RemindersDatabase.changeTable
    let nodes = try ClusterNodes(
      settings: settings, create: { try RemindersDatabase.migrate(path: $0) }
    ) { try FollowUps.prepare($0, signal: FollowUps.Signal()) }
    let now = try RFC3339.parse("2026-11-26T12:00:00Z")
    let turns = max(Self.writes / 300, 2)
    for turn in 0..<turns {
      let (primary, replica) = (turn % 2, 1 - turn % 2)
      try nodes.lead(primary)
      // It sees what is applied while it stays open.
      let reader = try Connection(location: .file(nodes.paths[replica]), options: [.readOnly])
      let unexpected = Mutex<[String]>([])
      // In some turns each write has a group of its own.
      let threads = turn % 3 == 2 ? 1 : 4
      DispatchQueue.concurrentPerform(iterations: threads) { thread in
        var writer = RandomWrites(
          random: SeededRandom(seed: seed &+ UInt64(turn * 4 + thread)), now: now)
        for _ in 0..<300 / threads {
          do {
            try nodes[primary].write { db in
              try writer.write(db)
              // A write that fails after it has done something.
              if writer.random.once(in: 10) { throw Planned() }
            }
          } catch let error as SQLiteError
            where [SQLITE_CONSTRAINT, SQLITE_MISMATCH].contains(
              error.code)
          {
          } catch is Planned, is DomainError, is RuleViolation {
          } catch { unexpected.withLock { $0.append("\(error)") } }
        }
      }
      #expect(unexpected.withLock { $0 } == [], "seed \(seed), turn \(turn)")
      var random = SeededRandom(seed: seed &+ UInt64(turn))
      while nodes[replica].seq < nodes.log.entries.count {
        // Some entries share a transaction.
        let next = Int(nodes[replica].seq)
        let end = min(next + Int.random(in: 1...5, using: &random), nodes.log.entries.count)
        try nodes[replica].apply(Array(nodes.log.entries[next..<end]))
        if random.once(in: 10) { try searchesAgree(reader, nodes.paths[replica], &random) }
      }
      reader.close()
      try compare(nodes, "seed \(seed), turn \(turn)")
    }
    print("replicated reminders: \(nodes.log.entries.count) entries")
    #expect(nodes.log.entries.count > turns * 20)
  }

  private func compare(_ nodes: ClusterNodes, _ comment: Comment) throws {
    let (left, right) = (try nodes.contents(0), try nodes.contents(1))
    for (table, rows) in left where right[table] != rows {
      let difference = Set(rows).symmetricDifference(right[table] ?? [])
      Issue.record("\(table) differs: \(difference.sorted().prefix(4)), \(comment)")
    }
    #expect(left.keys == right.keys, comment)
    for path in nodes.paths {
      let db = try Connection(location: .file(path))
      defer { db.close() }
      db.setBusyTimeout(.seconds(5))
      #expect(try db.value("PRAGMA integrity_check")?.text == "ok", comment)
      #expect(throws: Never.self, comment) {
        // https://sqlite.org/fts5.html#the_integrity_check_command, rolled back.
        try db.execute(
          "BEGIN; INSERT INTO reminderTexts (reminderTexts) VALUES ('integrity-check'); ROLLBACK")
      }
    }
  }

  /// A connection that was open before sees the search results that a new one sees.
  private func searchesAgree(
    _ reader: Connection, _ path: String, _ random: inout SeededRandom
  ) throws {
    let fresh = try Connection(location: .file(path), options: [.readOnly])
    defer { fresh.close() }
    let sql = """
      SELECT rowid, highlight(reminderTexts, 0, '[', ']') FROM reminderTexts
      WHERE reminderTexts MATCH ? ORDER BY rank, rowid LIMIT 50
      """
    let word = Value.text(random.pick(["milk", "car", "caf*", "two OR second", "x"]))
    #expect(try reader.rows(sql, word) == fresh.rows(sql, word))
  }
}

/// Random writes through the repositories and by SQL.
private struct RandomWrites {
  var random: SeededRandom
  let now: Instant
  private var shell: ShellStatements

  init(random: SeededRandom, now: Instant) {
    self.random = random
    self.now = now
    shell = ShellStatements(random: random)
  }

  private mutating func id(_ bound: Int = 12) -> Int { Int.random(in: 1...bound, using: &random) }
  private mutating func tag() -> String { random.pick(["car", "CAR", "home", "red"]) }

  mutating func write(_ db: Connection) throws {
    switch Int.random(in: 0..<16, using: &random) {
    case 0...3: try reminder(db)
    case 4:
      try ReminderRepository.delete(id(), isPermanent: random.once(in: 3), in: db)
    case 5: try ReminderRepository.tag(id(), with: tag(), in: db)
    case 6: try TagRepository.rename(tag(), to: tag(), merging: true, in: db)
    case 7:
      var changes = ListRepository.Values()
      changes.title = random.pick(["Home", "work", "Trip"])
      if random.once(in: 2) {
        _ = try ListRepository.create(changes, in: db)
      } else {
        try ListRepository.update(id(4), changes, in: db)
      }
    case 8 where random.once(in: 4): try ListRepository.delete(id(6), in: db)
    case 9:
      let reminder = try Reminder.find(id()).fetchOne(db)
      if let reminder { try CompletionRepository.complete(reminder, at: now, in: .utc, db) }
    case 10: try CompletionRepository.skip(id(), among: .all, at: now, in: .utc, db)
    case 11: try CompletionRepository.undo(id(30), among: .all, in: db)
    case 12: _ = try TrashRepository.restore(id(20), among: .all, in: db)
    case 13, 14: try reminder(db)
    default:
      // Half of a statement may have happened.
      for _ in 0..<3 { try? db.execute(shell.next()) }
    }
  }

  private mutating func reminder(_ db: Connection) throws {
    var changes = ReminderRepository.Values()
    changes.title = random.pick(["milk", "car wash", "two words", "x"])
    changes.listID = id(4)
    changes.tags = random.once(in: 2) ? [tag()] : nil
    if random.once(in: 2) {
      _ = try ReminderRepository.create(changes, in: db)
    } else {
      try ReminderRepository.update(id(), changes, at: now, in: db)
    }
  }
}
