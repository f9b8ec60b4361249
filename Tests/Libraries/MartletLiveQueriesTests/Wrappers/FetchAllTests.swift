import MartletLiveQueries
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

@Suite("@FetchAll", .timeLimit(.minutes(10)))
struct FetchAllTests {
  private let file: UsersFile
  private var connection: SQLiteConnection { file.connection }

  init() throws { file = try UsersFile() }

  @Test("The array has its declared value, then the rows")
  func firstValue() async throws {
    try file.add("Ada")
    @FetchAll(User.select(\.name), connection: connection) var names = ["nobody yet"]
    #expect(names == ["nobody yet"] || names == ["Ada"])
    try await $names.load()
    #expect(names == ["Ada"])
    #expect(!$names.isLoading)
    #expect($names.loadError == nil)
  }

  @Test("Both parameter names give the same wrapper")
  func labels() async throws {
    @FetchAll(User.order(by: \.name), connection: connection) var users
    @FetchAll(User.order(by: \.name), database: connection) var same
    try await $users.load()
    try await $same.load()
    #expect(connection.liveQueries.count == 1)
  }

  @Test("A #sql query can be followed")
  func rawSQL() async throws {
    try file.add("Ada", "Grace")
    @FetchAll(
      #sql("SELECT \(User.columns) FROM \(User.self) WHERE \(User.name) > 'B'", as: User.self),
      database: connection) var users
    try await $users.load()
    #expect(users.map(\.name) == ["Grace"])
  }

  @Test("Rows may be tuples")
  func tuples() async throws {
    try file.add("Ada")
    @FetchAll(User.select { ($0.name, $0.active) }, database: connection) var users
    try await $users.load()
    #expect(users.map { "\($0.0) \($0.1)" } == ["Ada true"])
  }

  @Test("A commit of this program changes the rows")
  func ourCommits() async throws {
    @FetchAll(User.all, connection: connection) var users
    try await connection.query("INSERT INTO users (name) VALUES (?)", [.text("Ada")])
    let one = try await $users.value { $0.count == 1 }
    #expect(one.map(\.name) == ["Ada"])
    try await connection.query("DELETE FROM users")
    #expect(try await $users.value(where: \.isEmpty) == [])
  }

  @Test("A commit of another program changes the rows")
  func foreignCommits() async throws {
    @FetchAll(User.all, connection: connection) var users
    try await $users.load()
    let other = try Connection(location: .file(file.path))
    try other.execute("INSERT INTO users (name) VALUES ('Ada')")
    #expect(try await $users.value { $0.count == 1 }.map(\.name) == ["Ada"])
  }

  @Test("A change of columns that are not selected is not reported")
  func sameRows() async throws {
    try file.add("Ada")
    @FetchAll(User.select(\.name), connection: connection) var names
    try await $names.load()
    var values = $names.values.makeAsyncIterator()
    #expect(await values.next() == ["Ada"])
    try await connection.query("UPDATE users SET email = 'ada@example.org'")
    try await $names.load()
    try await connection.query("UPDATE users SET name = 'Grace'")
    #expect(await values.next() == ["Grace"])
  }

  @Test("A query of `none` is empty and depends on nothing")
  func none() async throws {
    try file.add("Ada")
    @FetchAll(User.none, connection: connection) var users
    try await $users.load()
    #expect(users.isEmpty)
  }

  @Test("The same SQL with other values is another query")
  func otherBindings() async throws {
    try file.add("Ada", "Grace")
    @FetchAll(User.where { $0.name == "Ada" }, connection: connection) var first
    @FetchAll(User.where { $0.name == "Grace" }, connection: connection) var second
    try await $first.load()
    try await $second.load()
    #expect(first.map(\.name) + second.map(\.name) == ["Ada", "Grace"])
    #expect(connection.liveQueries.count == 2)
  }
}
