import MartletLiveQueries
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import TestSupport
import Testing

/// The file of the views below, whose connection is not a property of theirs.
private let shared: UsersFile = {
  do { return try UsersFile() } catch { fatalError("\(error)") }
}()
private let connection = shared.connection

/// The seed's second half: migrating from another library, practices, troubleshooting.
@Suite("Seed 004: migration, practices, troubleshooting", .timeLimit(.minutes(10)))
struct Seed004PracticesTests {
  @Test("Migration: before")
  func before() async throws {
    let folder = try TemporaryFolder()
    let dbQueue = try EmbeddedDatabase(path: folder.file("app.db"))
    try await dbQueue.write {
      try $0.execute("CREATE TABLE users (id, name, email, active, createdAt)")
    }

    @FetchAll(User.all, database: dbQueue) var users

    try await $users.load()
    #expect(users.isEmpty)
  }

  @Test("Migration: after")
  func after() async throws {
    let folder = try TemporaryFolder()
    let connection = try await SQLiteConnection.open(
      storage: .file(path: folder.file("app.db"))
    )
    try await connection.query("CREATE TABLE users (id, name, email, active, createdAt)")

    @FetchAll(User.all, connection: connection) var users

    try await $users.load()
    #expect(users.isEmpty)
  }

  struct MyApp {
    let connection: SQLiteConnection
    init(path: String) throws { connection = try SQLiteConnection.open(storage: .file(path: path)) }
  }

  @Test("Connection lifecycle: the app holds the connection, and it is closed with the app")
  func lifecycle() async throws {
    let folder = try TemporaryFolder()
    weak var connection: SQLiteConnection?
    do {
      let app = try MyApp(path: folder.file("app.db"))
      connection = app.connection
      let users = FetchAll(User.all, connection: app.connection)
      #expect(connection != nil)
      withExtendedLifetime((app, users)) {}
    }
    // The live queries' thread may hold it a moment longer.
    try await eventually { connection == nil }
  }

  // A view that uses a connection from outside, as the seed writes it.
  struct MyView {
    @FetchAll(User.all, connection: connection) var users
  }

  @Test("Sharing a connection")
  func sharing() async throws {
    let view = MyView()
    try await view.$users.load()
    #expect(view.users.allSatisfy { !$0.name.isEmpty })
  }

  @Test("A transaction writes everything or nothing")
  func transactions() async throws {
    let file = try UsersFile()
    let connection = file.connection
    @FetchAll(User.all, connection: connection) var users

    func addUser(name: String) {
      Task {
        try await connection.transaction { conn in
          try conn.query(
            "INSERT INTO users (name) VALUES (?)",
            [.text(name)]
          )
        }
        // @FetchAll updates automatically
      }
    }

    struct Refused: Error {}
    await #expect(throws: Refused.self) {
      try await connection.transaction { conn in
        try conn.query("INSERT INTO users (name) VALUES ('nobody')")
        throw Refused()
      }
    }
    addUser(name: "Ada")
    #expect(try await $users.value { !$0.isEmpty }.map(\.name) == ["Ada"])
  }

  @Test("Errors reach the caller")
  func errors() async throws {
    let file = try UsersFile()
    let connection = file.connection
    @FetchAll(User.all, connection: connection) var users

    func body() -> String {
      if let error = $users.loadError {
        "Error: \(error)"
      } else if $users.isLoading {
        "…"
      } else {
        "\(users.count) users"
      }
    }

    try await $users.load()
    #expect(body() == "0 users")
    try await connection.query("DROP TABLE users")
    await #expect(throws: SQLiteError.self) { try await $users.load() }
    #expect(body().hasPrefix("Error: "))
    #expect(body().contains("no such table: users"))
  }

  @Test("Queries not filtering correctly: both are correct")
  func filtering() async throws {
    let file = try UsersFile()
    let connection = file.connection
    try file.add("Ada")
    try file.add("Grace", active: false)

    // Correct
    @FetchAll(User.where { $0.active == true }, connection: connection) var users

    // Also correct
    @FetchAll(User.filter { $0.active == true }, connection: connection) var same

    try await $users.load()
    try await $same.load()
    #expect(users.map(\.name) == ["Ada"])
    #expect(same == users)
    #expect(connection.liveQueries.count == 1)
  }
}
