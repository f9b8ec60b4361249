import MartletSQLite
import Testing

@testable import MartletStore

@Suite(.timeLimit(.minutes(10))) struct DurabilityTests {
  @Test func logThatCannotBeMadeIsAnError() throws {
    // SQLite returns the mode that stays in effect.
    let memory = try Connection(location: .inMemory)
    let error = #expect(throws: SQLiteError.self) { try memory.makeDurable() }
    #expect(error?.code == SQLITE_CANTOPEN)
    #expect(error?.message.contains("memory") == true)
  }

  @Test func changeOfTheModeThatIsNotCommittedIsAnError() throws {
    let file = try TemporaryFile()
    let connection = try Connection(location: .file(file.path))
    connection.onCommit { false }
    #expect(throws: SQLiteError.self) { try connection.makeDurable() }
    connection.onCommit(nil)
    try connection.makeDurable()
    #expect(try connection.pragma("journal_mode") == "wal")
  }
}
