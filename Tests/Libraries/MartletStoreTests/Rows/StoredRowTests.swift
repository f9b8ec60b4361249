import MartletJSON
import MartletQueryBuilder
import MartletSQLite
import Testing

@testable import MartletStore

@Suite("Rows compared by their stored bytes")
struct StoredRowTests {
  private let connection: Connection

  init() throws { connection = try Connection(location: .inMemory) }

  private func bytes(_ sql: String) throws -> [UInt8] {
    let statement = try connection.prepare(sql: sql)
    let buffer = ByteBuffer()
    while try statement.step() { StoredRow.append(statement, to: buffer) }
    return Array(buffer.bytes)
  }

  @Test(
    "Different rows have different bytes",
    arguments: [
      ("SELECT 1", "SELECT 1.0"), ("SELECT 1", "SELECT '1'"), ("SELECT 'a'", "SELECT x'61'"),
      ("SELECT NULL", "SELECT ''"), ("SELECT '', 'a'", "SELECT 'a', ''"),
      ("SELECT 'a', 'bc'", "SELECT 'ab', 'c'"), ("SELECT 1", "SELECT 1 UNION ALL SELECT 1"),
      ("SELECT 1, 2", "SELECT 2, 1"), ("SELECT 'a'", "SELECT 'a' || char(0)"),
    ])
  func different(one: String, other: String) throws {
    #expect(try bytes(one) == bytes(one))
    #expect(try bytes(one) != bytes(other))
  }

  @Test("Fetching with stored bytes decodes the same values")
  func fetching() throws {
    let query = #sql("SELECT column1 FROM (VALUES (1), (2), (3))", as: Int.self)
    let stored = ByteBuffer()
    var values: [Int] = []
    try query.fetch(connection, limit: 2, stored: stored) { values.append($0) }
    #expect(values == [1, 2])
    #expect(Array(stored.bytes) == (try bytes("SELECT 1 UNION ALL SELECT 2")))
  }
}
