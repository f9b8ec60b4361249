import MartletLiveAPI
import MartletReminders
import MartletSQLite
import MartletStore
import Testing

/// The migrations of this service create the tables that the library documents.
@Suite("Tables of the library") struct TablesTests {
  private static let names = [
    "apiKeys", "apiKeyParts", "apiKeyHistory", "liveSessions", "idempotentAnswers",
    "pairingCodes", "pairedKeys",
  ]

  /// The SQL of each object, with white space normalized.
  private func statements(_ connection: Connection) throws -> [String: String] {
    var all: [String: String] = [:]
    for row in try connection.rows(
      "SELECT name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL"
    )
    where Self.names.contains(row[1].text ?? "") {
      all[row[0].text ?? ""] =
        (row[2].text ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    return all
  }

  @Test("The migrations create the tables that LiveAPI documents")
  func same() throws {
    let documented = try Connection(location: .inMemory)
    try APITables.keys.install(in: documented)
    try APITables.pairing.install(in: documented)
    try APITables.keptAnswers.install(in: documented)
    let migrated = try Connection(location: .inMemory)
    try Migrator(RemindersDatabase.migrations).migrate(migrated)
    for trigger in RemindersDatabase.triggers { try migrated.execute(trigger.sql) }
    let expected = try statements(migrated)
    #expect(try statements(documented) == expected)
    #expect(Set(expected.keys).isSuperset(of: Self.names + ["martlet_apiKeys_inserted"]))
  }
}
