import MartletLiveQueries
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import TestSupport
import Testing

/// The examples of the article "Getting started", compiled and run.
@Suite("The article \"Getting started\"", .timeLimit(.minutes(10))) struct GettingStartedTests {
  @Table
  struct Reminder {
    let id: Int
    var title = ""
    var isFlagged = false
  }

  final class Screen {
    @FetchAll var flagged: [Reminder]
    @FetchOne var total: Int

    init(_ database: EmbeddedDatabase) {
      _flagged = FetchAll(Reminder.where(\.isFlagged).order(by: \.title), database: database)
      _total = FetchOne(wrappedValue: 0, Reminder.count, database: database)
    }

    func show() async throws {
      try await $flagged.load()
      try await $total.load()
      print(total, flagged.map(\.title))
    }
  }

  @Test("The examples run and have the documented results")
  func examples() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("reminders.db")

    var migrator = Migrator()
    migrator.registerMigration("reminders") { db in
      try #sql(
        """
        CREATE TABLE "reminders" (
          "id" INTEGER PRIMARY KEY, "title" TEXT NOT NULL, "isFlagged" INTEGER NOT NULL) STRICT
        """
      ).execute(db)
    }
    try migrator.migrate(path: path)

    let database = try EmbeddedDatabase(path: path) { LiveQueries.prepare($0) }
    defer { database.close() }
    try await database.write { db in
      try Reminder.insert {
        Reminder.Draft(title: "Water the plants", isFlagged: true)
        Reminder.Draft(title: "Read a book")
      }
      .execute(db)
    }

    let flagged = Reminder.where(\.isFlagged).order(by: \.title)
    for try await reminders in database.values(of: flagged) {
      print(reminders.map(\.title))
      if reminders.count == 2 { break }
      try await database.write { db in
        try Reminder.insert { Reminder.Draft(title: "Call Ada", isFlagged: true) }.execute(db)
      }
    }

    let screen = Screen(database)
    try await screen.show()
    #expect(screen.flagged.map(\.title) == ["Call Ada", "Water the plants"])
    #expect(screen.total == 3)
  }

  @Test("The article contains the examples unchanged")
  func article() throws {
    let page = "Sources/Libraries/MartletLiveQueries/MartletLiveQueries.docc/GettingStarted.md"
    let blocks = try CodeBlocks.of(page: page)
    #expect(blocks.count == 7)
    for block in blocks { #expect(try CodeBlocks.contains(block, in: #filePath), "\(block)") }
  }
}
