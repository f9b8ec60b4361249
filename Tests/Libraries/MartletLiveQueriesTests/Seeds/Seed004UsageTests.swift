import MartletLiveQueries
import MartletQueryBuilder
import MartletStore
import Testing

/// The seed's first half, view by view. A view's properties are local variables of a function here,
/// and its body is what the function reads.
@Suite("Seed 004: usage", .timeLimit(.minutes(10)))
struct Seed004UsageTests {
  private let file: UsersFile
  private var connection: SQLiteConnection { file.connection }

  init() throws {
    file = try UsersFile()
    try file.add("Grace", "Ada")
    try file.add("Charles", active: false)
    try file.connection.write { db in
      try db.execute(
        """
        INSERT INTO posts (title, publishedAt) VALUES ('Notes', '2026-01-02 00:00:00.000');
        INSERT INTO posts (title) VALUES ('Draft');
        UPDATE users SET createdAt = '2026-01-0' || id || ' 00:00:00.000';
        """)
    }
  }

  @Test("What's new")
  func whatIsNew() async throws {
    @FetchAll(User.all, connection: connection) var users
    try await $users.load()
    #expect(users.count == 3)
  }

  @Test("@FetchAll with SQLiteConnection")
  func contentView() async throws {
    let connection: SQLiteConnection = connection

    // Fetch all users
    @FetchAll(User.all, connection: connection) var users

    func body() -> [String] { users.map { user in "\(user.id) \(user.name) \(user.email)" } }

    try await $users.load()
    #expect(body() == ["1 Grace ", "2 Ada ", "3 Charles "])
  }

  @Test("@FetchOne with SQLiteConnection")
  func dashboardView() async throws {
    let connection: SQLiteConnection = connection

    // Fetch single values
    @FetchOne(User.count, connection: connection) var userCount = 0
    @FetchOne(Post.count, connection: connection) var postCount = 0

    func body() -> [String] { ["Users: \(userCount)", "Posts: \(postCount)"] }

    try await $userCount.load()
    try await $postCount.load()
    #expect(body() == ["Users: 3", "Posts: 2"])
  }

  @Test("Filtered queries")
  func activeUsersView() async throws {
    let connection: SQLiteConnection = connection

    @FetchAll(
      User.where { $0.active == true }.order(by: \.name),
      connection: connection
    ) var activeUsers

    try await $activeUsers.load()
    #expect(activeUsers.map(\.name) == ["Ada", "Grace"])
  }

  @Test("Optional values", arguments: [(2, "Ada"), (7, "User not found")])
  func userDetailView(userId: Int, shown: String) async throws {
    let connection: SQLiteConnection = connection

    @FetchOne(
      User.where { $0.id == userId }.limit(1),
      connection: connection
    ) var user: User?

    func body() -> String {
      if let user = user {
        user.name
      } else {
        "User not found"
      }
    }

    try await $user.load()
    #expect(body() == shown)
  }

  @Test("Complex queries")
  func statisticsView() async throws {
    let connection: SQLiteConnection = connection

    @FetchOne(
      User.where { $0.active == true }.count,
      connection: connection
    ) var activeUserCount = 0

    @FetchOne(
      Post.where { $0.publishedAt != nil }.count,
      connection: connection
    ) var publishedPostCount = 0

    @FetchAll(
      User.order(by: \.createdAt, .descending).limit(10),
      connection: connection
    ) var recentUsers

    func body() -> [String] {
      ["Active Users: \(activeUserCount)", "Published Posts: \(publishedPostCount)"]
        + recentUsers.map { user in user.name }
    }

    try await $activeUserCount.load()
    try await $publishedPostCount.load()
    try await $recentUsers.load()
    #expect(body() == ["Active Users: 2", "Published Posts: 1", "Charles", "Ada", "Grace"])
  }

  /// `init` sets the query of the property, because the initial value of a property cannot read
  /// another property.
  struct UserManagementView {
    let connection: SQLiteConnection

    @FetchAll var users: [User]
    @State var newName = ""

    init(connection: SQLiteConnection) {
      self.connection = connection
      _users = FetchAll(User.all, connection: connection)
    }

    func addUser() {
      Task {
        try await connection.transaction { conn in
          try conn.query(
            "INSERT INTO users (name) VALUES (?)",
            [.text(newName)]
          )
        }
        // @FetchAll automatically updates the UI!
        await MainActor.run {
          newName = ""
        }
      }
    }
  }

  @Test("Reactive updates")
  func userManagementView() async throws {
    let view = UserManagementView(connection: connection)
    view.newName = "Barbara"
    view.addUser()
    let users = try await view.$users.value { $0.count == 4 }
    #expect(users.last?.name == "Barbara")
  }
}
