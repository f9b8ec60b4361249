import Dispatch
import MartletSQLite
import MartletStore
import Testing

@Suite("The database as a single connection")
struct SQLiteConnectionTests {
  private let file: TemporaryFile
  private let connection: SQLiteConnection

  init() async throws {
    file = try TemporaryFile()
    connection = try await SQLiteConnection.open(storage: .file(path: file.path))
    try await connection.query("CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
  }

  @Test("A statement binds its values and returns its rows")
  func query() async throws {
    let id: Int = 7
    try await connection.query(
      "INSERT INTO users (id, name) VALUES (?, ?)", [.integer(id), .text("Ada")])
    let rows = try await connection.query("SELECT * FROM users WHERE id = ?", [.integer(7)])
    #expect(rows.map(\.values) == [[.integer(7), .text("Ada")]])
    #expect(rows.first?["name"] == .text("Ada"))
  }

  @Test("A read-only query runs concurrently with a write")
  func reading() async throws {
    try await connection.query("INSERT INTO users (name) VALUES ('Ada')")
    let begins = AsyncStream.makeStream(of: Void.self)
    let ends = DispatchSemaphore(value: 0)
    let write = Task { [connection] in
      try await connection.transaction { conn in
        begins.continuation.yield()
        ends.wait()
        try conn.query("INSERT INTO users (name) VALUES ('Grace')")
      }
    }
    for await _ in begins.stream { break }
    #expect(try await connection.query("SELECT count(*) FROM users")[0][0] == .integer(1))
    ends.signal()
    _ = try await write.value
    #expect(try await connection.query("SELECT count(*) FROM users")[0][0] == .integer(2))
    await #expect(throws: SQLiteError.self) { try await connection.query("SELEC") }
  }

  @Test("A transaction is atomic and returns the closure's result")
  func transaction() async throws {
    let count = try await connection.transaction { conn in
      try conn.query("INSERT INTO users (name) VALUES ('Ada')")
      return try conn.query("SELECT * FROM users").count
    }
    #expect(count == 1)
    let error = await #expect(throws: SQLiteError.self) {
      try await connection.transaction { conn in
        try conn.query("INSERT INTO users (name) VALUES ('Grace')")
        try conn.query("INSERT INTO users (name) VALUES (?)", [.null])
      }
    }
    #expect(error?.message.contains("users.name") == true)
    #expect(try await connection.query("SELECT name FROM users").map { $0[0] } == [.text("Ada")])
  }

  @Test("Missing values and a file that cannot be opened are errors")
  func errors() async throws {
    await #expect(throws: SQLiteError.self) {
      try await connection.query("INSERT INTO users (id, name) VALUES (?, ?)", [.integer(1)])
    }
    #expect(throws: SQLiteError.self) {
      try SQLiteConnection.open(storage: .file(path: file.folder + "/missing/users.db"))
    }
  }
}
