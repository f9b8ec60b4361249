import MartletLiveQueries
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Synchronization
import Testing

/// A request whose value is not comparable, so that each fetch gives a new value.
private struct Names: FetchKeyRequest {
  struct Value: Sendable { var names: [String] = [] }
  var prefix = ""
  func fetch(_ db: Connection) throws -> Value {
    Value(names: try User.select(\.name).fetchAll(db).filter { $0.hasPrefix(prefix) })
  }
}

private struct Totals: FetchKeyRequest {
  struct Value: Equatable, Sendable {
    var users = 0
    var active = 0
  }
  func fetch(_ db: Connection) throws -> Value {
    Value(
      users: try User.all.fetchCount(db),
      active: try User.where(\.active).fetchCount(db))
  }
}

@Suite("@Fetch", .timeLimit(.minutes(10)))
struct FetchTests {
  private let file: UsersFile
  private var database: EmbeddedDatabase { file.connection }

  init() throws { file = try UsersFile() }

  @Test("Several queries give one value")
  func value() async throws {
    try file.add("Ada")
    try file.add("Grace", active: false)
    @Fetch(Totals(), database: database) var totals = .init()
    try await $totals.load()
    #expect(totals == Totals.Value(users: 2, active: 1))
    try file.add("Barbara")
    #expect(try await $totals.value { $0.users == 3 }.active == 2)
  }

  @Test("All queries of a request read the same snapshot despite concurrent commits")
  func oneTransaction() async throws {
    @Fetch(Totals(), database: database) var totals = .init()
    let values = $totals.values
    let writes = Task { [file] in for _ in 0..<200 { try file.add("x") } }
    for await value in values {
      #expect(value.users == value.active)
      if value.users == 200 { break }
    }
    try await writes.value
  }

  @Test("An equal value is not delivered again; one that is not comparable is")
  func equality() async throws {
    try file.add("Ada")
    @Fetch(Totals(), database: database) var totals = .init()
    try await $totals.load()
    var values = $totals.values.makeAsyncIterator()
    #expect(await values.next()?.users == 1)
    @Fetch(Names(), database: database) var names = .init()
    try await $names.load()
    var lists = $names.values.makeAsyncIterator()
    #expect(await lists.next()?.names == ["Ada"])

    try await database.query("UPDATE users SET name = 'Grace'")
    #expect(await lists.next()?.names == ["Grace"])
    try await $totals.load()
    try file.add("Barbara")
    #expect(await values.next()?.users == 2)
  }

  @Test("Equal requests share one query, different ones do not")
  func sharing() async throws {
    try file.add("Ada", "Grace")
    @Fetch(Names(prefix: "A"), database: database) var first = .init()
    @Fetch(Names(prefix: "A"), connection: database) var same = .init()
    @Fetch(Names(prefix: "G"), database: database) var other = .init()
    try await $first.load()
    try await $same.load()
    try await $other.load()
    #expect(database.liveQueries.count == 2)
    #expect(first.names + same.names + other.names == ["Ada", "Ada", "Grace"])
    try await $first.load(Names(prefix: "G"))
    #expect(first.names == ["Grace"])
  }
}
