import Dispatch
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Observation
import Synchronization
import TestSupport
import Testing

@testable import MartletLiveQueries

/// Counts how often it is fetched.
private struct Counted: FetchKeyRequest {
  final class Runs: Hashable, Sendable {
    let count = Atomic(0)
    static func == (left: Runs, right: Runs) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }
  let runs: Runs

  func fetch(_ db: Connection) throws -> Int {
    runs.count.add(1, ordering: .relaxed)
    return try User.all.fetchCount(db)
  }
}

@Suite("FetchState", .timeLimit(.minutes(10)))
struct FetchStateTests {
  private let file: UsersFile
  private var connection: SQLiteConnection { file.connection }

  init() throws { file = try UsersFile() }

  @Test("A commit to another table does not run the query")
  func unrelatedCommits() async throws {
    let runs = Counted.Runs()
    @Fetch(Counted(runs: runs), database: connection) var count = 0
    try await $count.load()
    let before = runs.count.load(ordering: .relaxed)
    @FetchAll(Post.all, connection: connection) var posts
    try await connection.query("INSERT INTO posts (title) VALUES ('Notes')")
    _ = try await $posts.value { $0.count == 1 }
    #expect(runs.count.load(ordering: .relaxed) == before)
    try file.add("Ada")
    _ = try await $count.value { $0 == 1 }
    #expect(runs.count.load(ordering: .relaxed) == before + 1)
  }

  @Test("50 wrappers of a query run it once per commit")
  func shared() async throws {
    let runs = Counted.Runs()
    let wrappers = (0..<50).map { _ in
      Fetch(wrappedValue: 0, Counted(runs: runs), database: connection)
    }
    for wrapper in wrappers { try await wrapper.projectedValue.load() }
    #expect(connection.liveQueries.count == 1)
    let before = runs.count.load(ordering: .relaxed)
    try file.add("Ada")
    for wrapper in wrappers { _ = try await wrapper.projectedValue.value { $0 == 1 } }
    #expect(runs.count.load(ordering: .relaxed) == before + 1)
  }

  @Test("An error is reported, the value stays, and the next commit can recover the query")
  func errors() async throws {
    @FetchAll(User.select(\.name), connection: connection) var names
    try file.add("Ada")
    _ = try await $names.value { $0.count == 1 }
    try await connection.query("ALTER TABLE users RENAME TO people")
    let error = await #expect(throws: SQLiteError.self) { try await $names.load() }
    #expect(error?.message.contains("no such table") == true)
    #expect($names.loadError is SQLiteError)
    #expect(names == ["Ada"])
    try await connection.query("UPDATE people SET name = 'Grace'")
    try await connection.query("ALTER TABLE people RENAME TO users")
    #expect(try await $names.value { $0 == ["Grace"] } == ["Grace"])
    #expect($names.loadError == nil)
  }

  @Test("A stored value that cannot be decoded is reported as an error")
  func undecodable() async throws {
    @FetchAll(User.select(\.id), connection: connection) var ids
    @FetchAll(
      #sql("SELECT \(User.createdAt) FROM \(User.self)", as: String.self), database: connection)
    var dates
    try await $dates.load()
    try await connection.query("INSERT INTO users (name) VALUES ('Ada')")
    _ = try await $ids.value { $0.count == 1 }
    await #expect(throws: RowDecodingError.self) { try await $dates.load() }
    try await connection.query("UPDATE users SET createdAt = 'today'")
    #expect(try await $dates.value { !$0.isEmpty } == ["today"])
  }

  @Test("A wrapper declared after a write has the write in its first value")
  func readsOwnWrites() async throws {
    @FetchOne(User.count, connection: connection) var other = 0
    for number in 1...50 {
      try file.add("x")
      @FetchOne(User.count, connection: connection) var count = -1
      #expect(try await $count.value { _ in true } == number)
    }
  }

  @Test(
    "Loading another query gives its values, and the previous query is no longer followed")
  func otherQuery() async throws {
    try file.add("Ada", "Grace")
    @FetchAll(User.order(by: \.name), connection: connection) var users
    try await $users.load()
    let before = connection.liveQueries.count
    try await $users.load(User.where { $0.name > "B" })
    #expect(users.map(\.name) == ["Grace"])
    #expect(connection.liveQueries.count == before)
    try file.add("Barbara")
    #expect(try await $users.value { $0.count == 2 }.map(\.name) == ["Grace", "Barbara"])
  }

  @Test("Loading a failing query throws its error, and the query is followed nevertheless")
  func failingQuery() async throws {
    @FetchAll(User.select(\.name), connection: connection) var names
    await #expect(throws: SQLiteError.self) {
      try await $names.load(#sql("SELECT name FROM people", as: String.self))
    }
    #expect($names.loadError is SQLiteError)
    try await connection.write { try $0.execute("CREATE VIEW people AS SELECT 'Ada' AS name") }
    #expect(try await $names.value { $0 == ["Ada"] } == ["Ada"])
  }

  @Test("A canceled observation keeps its value, and loading resumes it")
  func cancelling() async throws {
    @FetchAll(User.all, connection: connection) var users
    let subscription = try await $users.load(User.order(by: \.name))
    #expect(connection.liveQueries.count == 1)
    subscription.cancel()
    #expect(connection.liveQueries.count == 0)
    try await subscription.task
    try file.add("Ada")
    #expect(users.isEmpty)
    try await $users.load()
    #expect(users.map(\.name) == ["Ada"])
    // This subscription belongs to the previous observation.
    subscription.cancel()
    #expect(connection.liveQueries.count == 1)
  }

  @Test("Canceling the task that waits for an observation ends the observation")
  func task() async throws {
    @FetchAll(User.all, connection: connection) var users
    let subscription = try await $users.load(User.order(by: \.name))
    let task = Task { try await subscription.task }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await eventually { connection.liveQueries.count == 0 }
    _ = users
  }

  @Test("Loading another query ends the previous observation and its waiting task")
  func supersededTask() async throws {
    @FetchAll(User.all, connection: connection) var users
    let subscription = try await $users.load(User.order(by: \.name))
    let task = Task { try await subscription.task }
    try await $users.load(User.order(by: \.id))
    try await task.value
    #expect(connection.liveQueries.count == 1)
    _ = users
  }

  @Test("The observation ends with its last reader")
  func end() async throws {
    let live = connection.liveQueries
    do {
      let one = FetchAll(User.all, connection: connection)
      let two = FetchAll(User.all, connection: connection)
      try await one.projectedValue.load()
      #expect(live.count == 1)
      withExtendedLifetime((one, two)) {}
    }
    // The task of the load may hold it a moment longer. The test's time limit bounds the wait.
    try await eventually { live.count == 0 }
  }

  @Test("A sequence of values retains the state until the sequence ends")
  func endOfValues() async throws {
    let live = connection.liveQueries
    let values = FetchAll(User.all, connection: connection).projectedValue.values
    #expect(live.count == 1)
    let reading = Task { for await _ in values {} }
    reading.cancel()
    await reading.value
    // The reading task may hold it a moment longer.
    try await eventually { live.count == 0 }
  }

  @Test("A database has one object for its live queries as long as it is in use")
  func liveQueriesOfDatabase() throws {
    let live = connection.liveQueries
    #expect(live === connection.liveQueries)
    #expect(live !== (try UsersFile()).connection.liveQueries)
  }

  @Test("withObservationTracking reports a change after the new value is set")
  func observation() async throws {
    @FetchAll(User.select(\.name), connection: connection) var names
    try await $names.load()
    let state = $names
    let (found, continuation) = AsyncStream.makeStream(of: [String].self)
    withObservationTracking {
      #expect(state.value == [])
    } onChange: {
      continuation.yield(state.value)
    }
    try file.add("Ada")
    var values = found.makeAsyncIterator()
    #expect(await values.next() == ["Ada"])
  }

  @Test("Tracking the error does not track the value")
  func observationOfErrors() async throws {
    @FetchAll(User.select(\.name), connection: connection) var names
    try await $names.load()
    let state = $names
    let told = Mutex(false)
    withObservationTracking {
      _ = state.loadError
    } onChange: {
      told.withLock { $0 = true }
    }
    try file.add("Ada")
    _ = try await state.value { $0.count == 1 }
    #expect(told.withLock { !$0 })
    try await connection.query("DROP TABLE users")
    await #expect(throws: SQLiteError.self) { try await state.load() }
    #expect(told.withLock { $0 })
    _ = names
  }

  @Test("isLoading is true while a value is fetched, and a canceled load does not wait for it")
  func loading() async throws {
    let entered = DispatchSemaphore(value: 0)
    let leave = DispatchSemaphore(value: 0)
    let database = try EmbeddedDatabase(path: file.path) { db in
      try db.addFunction("hold", argumentCount: 0) { _ in
        entered.signal()
        leave.wait()
        return 1
      }
    }
    @FetchOne(#sql("SELECT hold()", as: Int.self), database: database) var one = 0
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        entered.wait()
        continuation.resume()
      }
    }
    let state = $one
    #expect(state.isLoading)
    let impatient = Task { try await state.load() }
    impatient.cancel()
    await #expect(throws: CancellationError.self) { try await impatient.value }
    // For the blocked run, and for the one that was requested meanwhile.
    leave.signal()
    leave.signal()
    try await state.load(#sql("SELECT 2", as: Int.self))
    #expect(one == 2)
    #expect(!state.isLoading)
  }
}
