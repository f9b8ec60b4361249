import Dispatch
import Foundation
import MartletSQLite
import MartletStore
import Synchronization
import TestSupport
import Testing

/// Each write has limits in time and rows, and does not delay the others.
@Suite("Write budgets", .timeLimit(.minutes(10))) struct WriteBudgetTests {
  private let file: TemporaryFile

  init() throws {
    file = try TemporaryFile()
    let setUp = try Connection(location: .file(file.path))
    try setUp.execute(
      """
      CREATE TABLE t (a INTEGER PRIMARY KEY);
      CREATE TABLE copies (a);
      CREATE TRIGGER t_copy AFTER INSERT ON t BEGIN INSERT INTO copies VALUES (new.a); END;
      """)
    setUp.close()
  }

  private func database(_ change: (inout Configuration) -> Void = { _ in }) throws
    -> EmbeddedDatabase
  {
    var settings = Configuration()
    change(&settings)
    return try EmbeddedDatabase(path: file.path, configuration: settings)
  }

  private func count() throws -> Int64? {
    let connection = try Connection(location: .file(file.path), options: .readOnly)
    // The last connection of a database that closes locks the file for a moment.
    connection.setBusyTimeout(.seconds(60))
    return try connection.value("SELECT count(*) FROM t")?.integer
  }

  private static let endless = """
    WITH RECURSIVE n(i) AS (VALUES (1000) UNION ALL SELECT i + 1 FROM n) INSERT INTO t SELECT i FROM n
    """
  private static let endlessRead =
    "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

  static let longWrites: [(String, @Sendable (Connection) throws -> Void)] = [
    ("one statement", { try $0.run(endless) }),
    ("a statement that only reads", { _ = try $0.value(endlessRead) }),
    ("many statements", { db in while true { try db.run("INSERT INTO t DEFAULT VALUES") } }),
    (
      "swallowed errors",
      { db in
        try db.run("INSERT INTO t VALUES (7)")
        _ = try? db.value(endlessRead)
        try? db.run("INSERT INTO t VALUES (8)")
      }
    ),
    (
      "its own savepoint",
      { db in try db.savepoint { [db] in _ = try? db.run(endless) } }
    ),
  ]

  @Test("A write that takes too long is rolled back, whatever it executes", arguments: 0..<5)
  func time(_ place: Int) throws {
    let database = try database { $0.writeTimeout = .milliseconds(300) }
    let write = Self.longWrites[place].1
    #expect(throws: WriteError.overTime(limit: .milliseconds(300)), "\(Self.longWrites[place].0)") {
      try database.write { try write($0) }
    }
    #expect(try count() == 0)
    try database.write { try $0.run("INSERT INTO t VALUES (1)") }
    #expect(try count() == 1)
  }

  @Test("A write that changes too many rows is rolled back; those of triggers do not count")
  func rows() throws {
    let database = try database { $0.writeRows = 10_000 }
    #expect(throws: WriteError.tooManyRows(limit: 10_000)) {
      try database.write { try $0.run("\(Self.endless) LIMIT 100000") }
    }
    #expect(try count() == 0)
    try database.write { db in for _ in 0..<2_000 { try db.run("INSERT INTO t DEFAULT VALUES") } }
    #expect(try count() == 2_000)
    // Each row of the table is a row of the copies and some of the full-text index.
    try database.write { db in
      try db.execute(
        """
        CREATE VIRTUAL TABLE words USING fts5(word);
        CREATE TRIGGER t_word AFTER INSERT ON t
        BEGIN INSERT INTO words VALUES ('w' || new.a); END;
        """)
    }
    try database.write { try $0.run("DELETE FROM t") }
    try database.write { try $0.run("\(Self.endless) LIMIT 9000") }
    #expect(try count() == 9_000)
    #expect(throws: WriteError.tooManyRows(limit: 10_000)) {
      try database.write { db in for _ in 0..<2 { try db.run("UPDATE t SET a = -a") } }
    }
  }

  @Test("The row limit applies to each write of a group and rolls back only that write")
  func rowsInGroup() throws {
    let database = try database {
      $0.writeRows = 1_000
      // Enough time, so that only the row limit applies.
      $0.groupTime = .milliseconds(1_000)
    }
    let answers = try database.group([
      { try $0.run("INSERT INTO t VALUES (1)") },
      { try $0.run("\(Self.endless) LIMIT 10000") },
      { try $0.run("INSERT INTO t VALUES (2)") },
    ])
    #expect(answers.map(\.isSuccess) == [true, false, true])
    #expect(answers[1].failure as? WriteError == .tooManyRows(limit: 1_000))
    #expect(try count() == 2)
  }

  @Test("The other writes of a group are done before a long one")
  func apart() throws {
    let database = try database { $0.writeTimeout = .milliseconds(2_000) }
    let isHeld = DispatchSemaphore(value: 0)
    let mayGoOn = DispatchSemaphore(value: 0)
    let answers = Collected<String>()
    let done = DispatchGroup()
    func submit(_ name: String, _ write: @escaping @Sendable (Connection) throws -> Void) throws {
      done.enter()
      try database.submit(write: write) { result in
        answers.add(
          name
            + (result.isSuccess
              ? " done" : " \((result.failure as? WriteError).map { "\($0)" } ?? "")"))
        done.leave()
      }
    }
    try submit("first") { _ in
      isHeld.signal()
      mayGoOn.wait()
    }
    isHeld.wait()
    try submit("a") { try $0.run("INSERT INTO t VALUES (1)") }
    try submit("long") { try $0.run(Self.endless) }
    try submit("b") { try $0.run("INSERT INTO t VALUES (2)") }
    mayGoOn.signal()
    done.wait()
    #expect(
      answers.now == ["first done", "a done", "b done", "long the write took longer than 2000 ms"])
    #expect(try count() == 2)
  }

  @Test("A queued write times out on schedule, whatever the writer is doing")
  func timeout() throws {
    let database = try database { $0.writeQueueTimeout = .milliseconds(50) }
    let isHeld = DispatchSemaphore(value: 0)
    let mayGoOn = DispatchSemaphore(value: 0)
    try database.submit { _ in
      isHeld.signal()
      mayGoOn.wait()
    } completion: { _ in
    }
    isHeld.wait()
    for _ in 0..<3 {
      #expect(throws: WriteError.expired(after: .milliseconds(50))) {
        try database.write { try $0.run("INSERT INTO t VALUES (1)") }
      }
    }
    #expect(database.waitingWrites == 0)
    #expect(database.writingFor.map { $0 > .milliseconds(100) } == true)
    mayGoOn.signal()
    try database.write { try $0.run("INSERT INTO t VALUES (2)") }
    #expect(try count() == 1)
  }

  @Test("A long write is rolled back before others time out, and they are done")
  func crowdedOut() throws {
    let database = try database {
      $0.writeTimeout = .milliseconds(600_000)
      $0.writeQueueTimeout = .milliseconds(2_000)
    }
    let isRunning = DispatchSemaphore(value: 0)
    let answers = Collected<String>()
    let done = DispatchGroup()
    for _ in 0..<2 {
      done.enter()
      try database.submit { db in
        try db.run("INSERT INTO t VALUES (7)")
        isRunning.signal()
        _ = try db.value(Self.endlessRead)
      } completion: { result in
        let isCrowdedOut =
          if case .crowdedOut = result.failure as? WriteError { true } else { false }
        answers.add(isCrowdedOut ? "crowded out" : "\(result)")
        done.leave()
      }
    }
    isRunning.wait()
    try database.write { try $0.run("INSERT INTO t VALUES (1)") }
    answers.add("written")
    // The long writes may not have started yet; each is rolled back once another write waits.
    while answers.now.count < 3 { try? database.write { try $0.run("INSERT INTO t VALUES (2)") } }
    done.wait()
    #expect(answers.now.sorted() == ["crowded out", "crowded out", "written"])
    #expect(try count().map { $0 <= 2 } == true)
  }

  @Test("A write times out on schedule even if an earlier one has waited longer")
  func timeoutOfTheNext() throws {
    // The other store's write times out well after the second write should have.
    let other = try EmbeddedDatabase(
      path: file.path + ".other", configuration: Self.patient(for: 1_100))
    let database = try EmbeddedDatabase(path: file.path, configuration: Self.patient(for: 600))
    let isHeld = DispatchSemaphore(value: 0)
    let mayGoOn = DispatchSemaphore(value: 0)
    let answers = Collected<String>()
    func submit(_ name: String, to database: EmbeddedDatabase) throws {
      try database.submit { _ in
      } completion: { result in
        answers.add(result.isSuccess ? "\(name) was done" : name)
      }
    }
    for database in [database, other] {
      try database.submit { _ in
        isHeld.signal()
        mayGoOn.wait()
      } completion: { _ in
      }
      isHeld.wait()
    }
    // After the queue was empty, the timer starts again with the next write.
    for database in [database, other] { try submit("early", to: database) }
    #expect(answers.wait(for: 2) == ["early", "early"])
    try submit("first", to: database)
    usleep(100_000)
    try submit("second", to: database)
    try submit("later", to: other)
    #expect(answers.wait(for: 3)?.suffix(3) == ["first", "second", "later"])
    for _ in 0..<2 { mayGoOn.signal() }
  }

  private static func patient(for milliseconds: Int) -> Configuration {
    var settings = Configuration()
    settings.writeQueueTimeout = .milliseconds(milliseconds)
    return settings
  }

  @Test("Closing runs all queued writes, in as many groups as needed")
  func closingWithTime() throws {
    let database = try database { $0.groupLimit = 1 }
    let isHeld = DispatchSemaphore(value: 0)
    let mayGoOn = DispatchSemaphore(value: 0)
    let answers = Collected<Bool>()
    try database.submit { [database] _ in
      isHeld.signal()
      mayGoOn.wait()
      // Runs on the writer's thread, where closing waits for this write.
      database.close(within: .seconds(60))
    } completion: { _ in
    }
    isHeld.wait()
    for number in 1...3 {
      try database.submit {
        try $0.run("INSERT INTO t VALUES (?)", .integer(Int64(number)))
      } completion: { result in
        answers.add(result.isSuccess)
      }
    }
    mayGoOn.signal()
    #expect(answers.wait(for: 3) == [true, true, true])
    #expect(try count() == 3)
  }

  @Test(
    "Closing does not wait for a long write and reports the writes that did not run",
    arguments: [true, false])
  func closing(isAlone: Bool) throws {
    let database = try database()
    let isRunning = DispatchSemaphore(value: 0)
    let answers = Collected<String>()
    for number in 0..<3 {
      try database.submit { db in
        isRunning.signal()
        try db.run(Self.endless)
      } completion: { result in
        answers.add((result.failure as? WriteError) == .stopped ? "stopped" : "\(result)")
      }
      // The other writes arrive too late for its group.
      if number == 0, isAlone { isRunning.wait() }
    }
    if !isAlone { isRunning.wait() }
    database.close(within: .zero)
    #expect(answers.now == ["stopped", "stopped", "stopped"])
    #expect(try count() == 0)
  }

  @Test(
    "A deleted or replaced file is detected and stops all writes",
    arguments: ["", "-wal", "-shm"], [false, true])
  func lostFile(_ suffix: String, isReplaced: Bool) throws {
    let lost = DispatchSemaphore(value: 0)
    let database = try EmbeddedDatabase(
      path: file.path,
      onEvent: {
        if case .fileLost(let path) = $0, path.hasSuffix("db" + suffix) { lost.signal() }
      })
    try database.write { try $0.run("INSERT INTO t VALUES (1)") }
    try FileManager.default.moveItem(atPath: file.path + suffix, toPath: file.path + ".moved")
    if isReplaced {
      try FileManager.default.copyItem(atPath: file.path + ".moved", toPath: file.path + suffix)
    }
    #expect(lost.wait(timeout: .now() + Deadline.hang) == .success)
    #expect(throws: WriteError.stopped) {
      try database.write { try $0.run("INSERT INTO t VALUES (2)") }
    }
  }

  @Test("A write in progress is not committed if its file is lost")
  func lostMeanwhile() throws {
    let lost = DispatchSemaphore(value: 0)
    let database = try EmbeddedDatabase(
      path: file.path, onEvent: { if case .fileLost = $0 { lost.signal() } })
    let isRunning = DispatchSemaphore(value: 0)
    let mayGoOn = DispatchSemaphore(value: 0)
    let answers = Collected<WriteError?>()
    try database.submit { db in
      try db.run("INSERT INTO t VALUES (1)")
      isRunning.signal()
      mayGoOn.wait()
    } completion: { result in
      answers.add(result.failure as? WriteError)
    }
    isRunning.wait()
    try FileManager.default.moveItem(atPath: file.path, toPath: file.path + ".moved")
    #expect(lost.wait(timeout: .now() + Deadline.hang) == .success)
    mayGoOn.signal()
    #expect(answers.wait() == [.stopped])
  }
}

extension Result {
  fileprivate var isSuccess: Bool { if case .success = self { true } else { false } }
  fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
