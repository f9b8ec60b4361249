import MartletLiveQueries
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import TestSupport
import Testing

@Suite("Sequences of values", .timeLimit(.minutes(10)))
struct ValueStreamTests {
  private let file: UsersFile
  private var database: EmbeddedDatabase { file.connection }

  init() throws { file = try UsersFile() }

  @Test("The sequence gives the rows now and after each commit that changes them")
  func rows() async throws {
    var numbers: [Int] = []
    for try await users in database.values(of: User.all) {
      numbers.append(users.count)
      if users.count == 3 { break }
      try file.add("x")
    }
    #expect(numbers == [0, 1, 2, 3])
  }

  @Test("The sequence gives the first row, or nil without a row")
  func first() async throws {
    var names: [String?] = []
    for try await name in database.values(ofFirst: User.select(\.name)) {
      names.append(name)
      if name != nil { break }
      try file.add("Ada")
    }
    #expect(names == [nil, "Ada"])
  }

  @Test("The differences of the rows follow each other")
  func differences() async throws {
    var users: [String] = []
    var steps: [String] = []
    for try await difference in database.differences(of: User.select(\.name).order(by: \.name)) {
      users = try #require(users.applying(difference))
      steps.append("\(difference.removals.count) \(difference.insertions.count)")
      switch steps.count {
      case 1: try file.add("Bo", "Ada")
      case 2:
        try await file.connection.write { try User.delete().where { $0.name == "Ada" }.execute($0) }
      case 3: try file.add("Cy")
      default: break
      }
      if steps.count == 4 { break }
    }
    #expect(users == ["Bo", "Cy"])
    #expect(steps == ["0 0", "0 2", "1 0", "0 1"])
  }

  @Test("A slow reader receives the newest value instead of every value")
  func newest() async throws {
    let values = database.values(of: User.all)
    @FetchOne(User.count, connection: database) var count = 0
    for _ in 0..<20 { try file.add("x") }
    _ = try await $count.value { $0 == 20 }
    var reading = values.makeAsyncIterator()
    var last = 0
    var steps = 0
    while last < 20, let users = try await reading.next() {
      #expect(users.count > last)
      last = users.count
      steps += 1
    }
    #expect(last == 20)
    #expect(steps <= 2)
  }

  @Test("Ending the sequence ends the observation")
  func end() async throws {
    let live = database.liveQueries
    let values = database.values(of: User.all)
    #expect(live.count == 1)
    let reading = Task { for try await _ in values {} }
    reading.cancel()
    try await reading.value
    // The reading task may hold it a moment longer. The test's time limit bounds the wait.
    try await eventually { live.count == 0 }

    do { _ = database.values(of: User.all) }
    #expect(live.count == 0)
  }

  @Test("A failing query ends the sequence with its error")
  func failure() async throws {
    await #expect(throws: SQLiteError.self) {
      for try await _ in database.values(of: #sql("SELECT 1 FROM nothing", as: Int.self)) {}
    }
    try await eventually { database.liveQueries.count == 0 }
  }
}
