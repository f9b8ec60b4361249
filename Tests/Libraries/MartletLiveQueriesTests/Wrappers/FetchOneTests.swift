import Foundation
import MartletLiveQueries
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

@Suite("@FetchOne", .timeLimit(.minutes(10)))
struct FetchOneTests {
  private let file: UsersFile
  private var connection: SQLiteConnection { file.connection }

  init() throws { file = try UsersFile() }

  @Test("A count follows the rows")
  func count() async throws {
    @FetchOne(User.count, connection: connection) var userCount = 0
    try await $userCount.load()
    #expect(userCount == 0)
    try file.add("Ada", "Grace")
    #expect(try await $userCount.value { $0 > 0 } == 2)
  }

  @Test("An optional row is nil while there is no row")
  func optional() async throws {
    let userId = 1
    @FetchOne(User.where { $0.id == userId }, connection: connection) var user: User?
    try await $user.load()
    #expect(user == nil)
    #expect($user.loadError == nil)
    try file.add("Ada")
    #expect(try await $user.value { $0 != nil }?.name == "Ada")
    try await connection.query("DELETE FROM users")
    #expect(try await $user.value { $0 == nil } == nil)
    #expect($user.loadError == nil)
  }

  @Test("A row that is not optional keeps its last value when it is deleted, and reports NotFound")
  func notFound() async throws {
    try file.add("Ada")
    @FetchOne(User.select(\.name), connection: connection) var name = "?"
    try await $name.load()
    #expect(name == "Ada")
    try await connection.query("DELETE FROM users")
    await #expect(throws: NotFound.self) { try await $name.load() }
    #expect($name.loadError is NotFound)
    // Loading again reports it again.
    await #expect(throws: NotFound.self) { try await $name.load() }
    #expect($name.loadError is NotFound)
    #expect(name == "Ada")
    try file.add("Grace")
    #expect(try await $name.value { $0 != "Ada" } == "Grace")
    #expect($name.loadError == nil)
  }

  @Test("The value may be NULL itself")
  func nullable() async throws {
    @FetchOne(User.select { $0.createdAt.max() }, connection: connection) var latest: Date? = nil
    try await $latest.load()
    #expect(latest == nil)
    try file.add("Ada")
    #expect(try await $latest.value { $0 != nil } == Date(timeIntervalSince1970: 1_767_225_600))
  }

  @Test("Loading another query replaces the first one")
  func otherQuery() async throws {
    try file.add("Ada", "Grace")
    @FetchOne(User.find(1), connection: connection) var user: User?
    try await $user.load(User.find(2))
    #expect(user?.name == "Grace")
    try await $user.load(User.find(3))
    #expect(user == nil)
    @FetchOne(User.count, connection: connection) var number = 0
    try await $number.load(User.where { $0.name == "Ada" }.count)
    #expect(number == 1)
  }
}
