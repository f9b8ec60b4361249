import Dispatch
import MartletJSON
import MartletQueryBuilder
import MartletSQLite
import Synchronization
import TestSupport
import Testing

@testable import MartletStore

@Suite("Slow reads: turns and limits", .timeLimit(.minutes(10))) struct WorkersTests {
  private let file: TemporaryFile

  init() throws {
    file = try TemporaryFile()
    let setUp = try Connection(location: .file(file.path))
    try setUp.execute(
      """
      CREATE TABLE words (id INTEGER PRIMARY KEY, text TEXT NOT NULL);
      WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
      INSERT INTO words SELECT i, 'word' FROM n;
      """)
    setUp.close()
  }

  private static let endless =
    "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

  @Test("Queued reads are served round robin by client")
  func turns() throws {
    var settings = Configuration()
    settings.workerReaders = 1
    let database = try EmbeddedDatabase(path: file.path, configuration: settings)
    let isHeld = DispatchSemaphore(value: 0)
    let mayGoOn = DispatchSemaphore(value: 0)
    let answers = Collected<Int>()
    try database.onWorker { _ in
      isHeld.signal()
      mayGoOn.wait()
    } completion: { _ in
    }
    isHeld.wait()
    for client in [1, 1, 1, 1, 2, 2, 3] {
      try database.onWorker(client: client) { _ in
      } completion: { _ in
        answers.add(client)
      }
    }
    mayGoOn.signal()
    #expect(answers.wait(for: 7) == [1, 2, 3, 1, 2, 1, 1])
  }

  @Test("A client that occupies all workers yields to another one")
  func room() throws {
    let database = try EmbeddedDatabase(path: file.path)
    let begun = Collected<Int>()
    let answers = Collected<String>()
    let budget = Duration.seconds(1)
    for number in 1...3 {
      try database.onWorker(budget: budget, client: 1) { db in
        begun.add(number)
        return try db.value(Self.endless)
      } completion: { result in
        if case .failure(ReadError.overBudget) = result { answers.add("long") }
      }
    }
    _ = begun.wait(for: 2)
    for _ in 0..<3 {
      try database.onWorker(budget: budget, client: 2) {
        try $0.value("SELECT 1")
      } completion: { _ in
        answers.add("quick")
      }
    }
    #expect(answers.wait(for: 6) == ["quick", "quick", "quick", "long", "long", "long"])
    // Reads that yielded have started again.
    #expect(begun.now.count > 3)
  }

  @Test("A client that fills the queue does not block the others")
  func full() throws {
    var settings = Configuration()
    settings.workerReaders = 1
    settings.workerQueueLimit = 4
    let database = try EmbeddedDatabase(path: file.path, configuration: settings)
    let isHeld = DispatchSemaphore(value: 0)
    let mayGoOn = DispatchSemaphore(value: 0)
    let answers = Collected<String>()
    try database.onWorker(client: 1) { _ in
      isHeld.signal()
      mayGoOn.wait()
    } completion: { _ in
    }
    isHeld.wait()
    func ask(_ client: Int) throws {
      try database.onWorker(client: client) { _ in
      } completion: { result in
        answers.add("\(client) \((try? result.get()) == nil ? "refused" : "done")")
      }
    }
    for _ in 0..<4 { try ask(1) }
    #expect(throws: ReadError.overloaded(waiting: 4)) { try ask(1) }
    try ask(2)
    #expect(answers.wait() == ["1 refused"])
    try ask(2)
    #expect(answers.wait() == ["1 refused", "1 refused"])
    // Now both clients have the same number of reads.
    #expect(throws: ReadError.overloaded(waiting: 4)) { try ask(2) }
    mayGoOn.signal()
    #expect(
      answers.wait(for: 4)
        == ["1 refused", "1 refused", "1 done", "2 done", "1 done", "2 done"])
  }

  @Test("The time limit holds even if rows spend their time in functions")
  func longRows() throws {
    let calls = Atomic(0)
    let database = try EmbeddedDatabase(
      path: file.path,
      prepare: { connection in
        try connection.addFunction("linger", argumentCount: 0) { _ in
          calls.add(1, ordering: .relaxed)
          let end = DispatchTime.now().uptimeNanoseconds + 10_000_000
          while DispatchTime.now().uptimeNanoseconds < end {}
          return 1
        }
      })
    let page = PageQuery(
      segments: [
        { limit in Word.select { ($0.id, #sql("linger()", as: Int.self)) }.limit(limit).query }
      ], keyCount: 0, limit: 900, fingerprint: 0)
    let ended = DispatchSemaphore(value: 0)
    let error = Mutex<ReadError?>(nil)
    try database.onWorker(budget: .milliseconds(100)) { db in
      try db.writeJSON(page, into: ByteBuffer())
    } completion: { result in
      if case .failure(let failure) = result { error.withLock { $0 = failure as? ReadError } }
      ended.signal()
    }
    ended.wait()
    #expect(error.withLock { $0 } == .overBudget(limit: .milliseconds(100)))
    #expect(calls.load(ordering: .relaxed) < 60)
  }

  @Test("The time limit holds for a few large rows")
  func largeRows() throws {
    let database = try EmbeddedDatabase(
      path: file.path,
      prepare: { connection in
        try connection.addFunction("bulk", argumentCount: 0) { _ in
          let end = DispatchTime.now().uptimeNanoseconds + 20_000_000
          while DispatchTime.now().uptimeNanoseconds < end {}
          return String(repeating: "x", count: 5_000)
        }
      })
    let page = PageQuery(
      segments: [
        { limit in Word.select { ($0.id, #sql("bulk()", as: String.self)) }.limit(limit).query }
      ], keyCount: 0, limit: 12, fingerprint: 0)
    #expect(throws: ReadError.overBudget(limit: .milliseconds(60))) {
      try database.withReader(loop: 0, budget: .milliseconds(60)) {
        try $0.writeJSON(page, into: ByteBuffer())
      }
    }
  }

  @Test("The size limit of results holds for reads and writes")
  func size() throws {
    var settings = Configuration()
    settings.resultBytes = 4_000
    let database = try EmbeddedDatabase(path: file.path, configuration: settings)
    func page(_ limit: Int) -> PageQuery {
      PageQuery(
        segments: [{ limit in Word.all.limit(limit).query }], keyCount: 0, limit: limit,
        fingerprint: 0)
    }
    let body = ByteBuffer()
    try database.read { try $0.writeJSON(page(100), into: body) }
    #expect((2_000...4_000).contains(body.count))
    body.removeAll()
    #expect(throws: ReadError.tooLarge(limit: 4_000)) {
      try database.read { try $0.writeJSON(page(500), into: body) }
    }
    #expect(body.count < 4_100)
    // Also with a time limit, which is checked while the result grows.
    body.removeAll()
    #expect(throws: ReadError.tooLarge(limit: 4_000)) {
      try database.withReader(loop: 0, budget: .seconds(60)) {
        try $0.writeJSON(page(500), into: body)
      }
    }
    #expect(body.count < 4_100)
    #expect(throws: ReadError.tooLarge(limit: 4_000)) {
      try database.write { db in
        try db.run(
          "UPDATE words SET text = ? WHERE id = 1", .text(String(repeating: "x", count: 5_000)))
        _ = try db.writeJSONObject(Word.find(1).query, into: ByteBuffer())
      }
    }
    #expect(try database.read { try Word.find(1).fetchOne($0)?.text } == "word")
  }

  @Test("Every loop can read, even if the database has fewer readers than the server has loops")
  func defaults() throws {
    let database = try EmbeddedDatabase(path: file.path)
    for loop in [0, 1, 7] {
      let read = {
        try database.withReader(loop: loop) { try $0.value("SELECT count(*) FROM words") }
      }
      #expect(try read() == 1000)
      #expect(throws: ReadError.overBudget(limit: .milliseconds(20))) {
        try database.withReader(loop: loop, budget: .milliseconds(20)) {
          try $0.value(Self.endless)
        }
      }
      #expect(try read() == 1000)
      database.releaseSnapshot(loop: loop)
    }
  }
}

@Suite struct ThreadUseTests {
  @Test("The time that other processes took is no cost, but waiting for the disk is")
  func cost() {
    let start = ThreadUse(nanoseconds: 1_000, waits: 7)
    // It ran for 50 of 900 nanoseconds, and was ready to run in the rest.
    #expect(ThreadUse(nanoseconds: 1_050, waits: 7).cost(since: start, of: 900) == 50)
    #expect(ThreadUse(nanoseconds: 1_050, waits: 8).cost(since: start, of: 900) == 900)
    // The two clocks are not read at one moment.
    #expect(ThreadUse(nanoseconds: 2_000, waits: 7).cost(since: start, of: 900) == 900)
  }
}
