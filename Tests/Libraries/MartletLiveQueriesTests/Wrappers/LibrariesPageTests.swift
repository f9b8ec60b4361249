import Foundation
import MartletLiveQueries
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import TestSupport
import Testing

/// The Swift code in docs/libraries.md except for the package manifest, compiled and run.
@Suite("The Swift code in docs/libraries.md", .timeLimit(.minutes(10))) struct LibrariesPageTests {
  @Table struct Reminder {
    let id: Int
    var title = ""
    var isFlagged = false
    var dueDate: Date?
  }

  @Test("The example shows the flagged reminders and is in docs/libraries.md unchanged")
  func example() async throws {
    final class Screen {
      @FetchAll var flagged: [Reminder]

      init(_ database: EmbeddedDatabase) {
        _flagged = FetchAll(Reminder.where(\.isFlagged).order(by: \.title), database: database)
      }

      func show() async throws {
        try await $flagged.load()
        print(flagged.map(\.title))
      }
    }
    let folder = try TemporaryFolder()
    let database = try EmbeddedDatabase(path: folder.file("a.db")) { LiveQueries.prepare($0) }
    defer { database.close() }
    try await database.write { db in
      try db.execute(
        """
        CREATE TABLE reminders (id INTEGER PRIMARY KEY, title TEXT NOT NULL, isFlagged INTEGER NOT NULL, dueDate TEXT);
        INSERT INTO reminders (title, isFlagged) VALUES ('b', 1), ('a', 1), ('c', 0)
        """)
    }
    let screen = Screen(database)
    try await screen.show()
    #expect(screen.flagged.map(\.title) == ["a", "b"])
    let blocks = try CodeBlocks.of(page: "docs/libraries.md").filter {
      !$0.contains("import PackageDescription")
    }
    #expect(blocks.count == 2)
    for block in blocks { #expect(try CodeBlocks.contains(block, in: #filePath), "\(block)") }
  }
}
