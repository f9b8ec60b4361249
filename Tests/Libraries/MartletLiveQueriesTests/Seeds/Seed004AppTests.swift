import MartletLiveQueries
import MartletQueryBuilder
import MartletStore
import TestSupport
import Testing

/// The complete example of the seed. Views are values with the seed's names; `body` is what they
/// show.
@Suite("Seed 004: the example app", .timeLimit(.minutes(10)))
struct Seed004AppTests {
  // MARK: - Model

  @Table
  struct User: Codable, Hashable, Sendable {
    let id: Int
    let name: String
    let email: String
    let active: Bool
  }

  // MARK: - App

  struct MyApp {
    let connection: SQLiteConnection

    init(path: String) {
      // Open database
      connection = try! SQLiteConnection.open(
        storage: .file(path: path)
      )

      // Create table
      Task { [connection] in
        try await connection.query(
          """
            CREATE TABLE IF NOT EXISTS users (
              id INTEGER PRIMARY KEY AUTOINCREMENT,
              name TEXT NOT NULL,
              email TEXT NOT NULL UNIQUE,
              active INTEGER NOT NULL DEFAULT 1
            )
          """, [])
      }
    }

    var body: ContentView { ContentView(connection: connection) }
  }

  // MARK: - Main View

  struct ContentView {
    let connection: SQLiteConnection

    var body: (UsersListView, StatisticsView) {
      (UsersListView(connection: connection), StatisticsView(connection: connection))
    }
  }

  // MARK: - Users List

  struct UsersListView {
    let connection: SQLiteConnection

    // Fetch all users - automatically updates!
    @FetchAll var users: [User]

    @State var showingAddUser = false

    init(connection: SQLiteConnection) {
      self.connection = connection
      _users = FetchAll(User.order(by: \.name), connection: connection)
    }

    var body: [String] {
      users.map { user in "\(user.name) \(user.email)" + (user.active ? " ✓" : "") }
    }
    func detail(of user: User) -> UserDetailView {
      UserDetailView(connection: connection, userId: user.id)
    }
    func plus() -> AddUserView {
      showingAddUser = true
      return AddUserView(connection: connection, isPresented: $showingAddUser)
    }
  }

  // MARK: - User Detail

  struct UserDetailView {
    let connection: SQLiteConnection
    let userId: Int

    @FetchOne var user: User?

    init(connection: SQLiteConnection, userId: Int) {
      self.connection = connection
      self.userId = userId
      _user = FetchOne(
        User.where { $0.id == userId },
        connection: connection
      )
    }

    func toggleActive() {
      guard let user = user else { return }
      Task {
        try await connection.transaction { conn in
          try conn.query(
            "UPDATE users SET active = ? WHERE id = ?",
            [.integer(user.active ? 0 : 1), .integer(userId)]
          )
        }
      }
    }

    func deleteUser() {
      Task {
        try await connection.transaction { conn in
          try conn.query("DELETE FROM users WHERE id = ?", [.integer(userId)])
        }
      }
    }
  }

  // MARK: - Statistics

  struct StatisticsView {
    let connection: SQLiteConnection

    @FetchOne var totalUsers: Int
    @FetchOne var activeUsers: Int
    @FetchOne var inactiveUsers: Int

    init(connection: SQLiteConnection) {
      self.connection = connection
      _totalUsers = FetchOne(wrappedValue: 0, User.count, connection: connection)
      _activeUsers = FetchOne(
        wrappedValue: 0,
        User.where { $0.active == true }.count,
        connection: connection
      )
      _inactiveUsers = FetchOne(
        wrappedValue: 0,
        User.where { $0.active == false }.count,
        connection: connection
      )
    }
  }

  // MARK: - Add User

  struct AddUserView {
    let connection: SQLiteConnection
    @Binding var isPresented: Bool

    @State var name = ""
    @State var email = ""
    @State var active = true

    func addUser() {
      Task {
        do {
          try await connection.transaction { conn in
            try conn.query(
              "INSERT INTO users (name, email, active) VALUES (?, ?, ?)",
              [.text(name), .text(email), .integer(active ? 1 : 0)]
            )
          }
          await MainActor.run {
            isPresented = false
          }
        } catch {
          print("Error adding user: \(error)")
        }
      }
    }
  }

  // MARK: - What a person does with it

  @Test("A user is added, counted, deactivated and deleted; every view follows")
  func session() async throws {
    let folder = try TemporaryFolder()
    let app = MyApp(path: folder.file("users.db"))
    // The views also work before the table exists: they show no rows and an error, and recover.
    let (list, statistics) = app.body.body
    let connection = app.connection
    try await eventually { try await !connection.query("SELECT 1 FROM sqlite_schema").isEmpty }
    try await list.$users.load()
    #expect(list.body == [])

    let form = list.plus()
    #expect(list.showingAddUser)
    form.name = "Ada"
    form.email = "ada@example.org"
    form.addUser()
    let user = try #require(try await list.$users.value { !$0.isEmpty }.first)
    #expect(list.body == ["Ada ada@example.org ✓"])
    #expect(try await statistics.$activeUsers.value { $0 == 1 } == 1)
    try await eventually { !list.showingAddUser }

    let detail = list.detail(of: user)
    try await detail.$user.load()
    #expect(detail.user == user)
    detail.toggleActive()
    #expect(try await detail.$user.value { $0?.active == false }?.name == "Ada")
    #expect(try await statistics.$inactiveUsers.value { $0 == 1 } == 1)
    #expect(try await statistics.$activeUsers.value { $0 == 0 } == 0)
    #expect(statistics.totalUsers == 1)

    detail.deleteUser()
    #expect(try await detail.$user.value { $0 == nil } == nil)
    #expect(try await statistics.$totalUsers.value { $0 == 0 } == 0)
    #expect(try await list.$users.value(where: \.isEmpty) == [])
  }
}
