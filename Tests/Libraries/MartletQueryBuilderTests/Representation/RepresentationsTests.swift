import Foundation
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

private enum Rank: Int { case low = 1, high }
private struct Email: Equatable, LosslessStringConvertible, QueryBindable {
  let description: String
  init?(_ description: String) {
    guard description.contains("@") else { return nil }
    self.description = description
  }
}

@Table private struct Badge: Equatable {
  @Column(as: UUID.BytesRepresentation.self) let id: UUID
  @Column(as: UUID.UppercasedRepresentation.self) var code: UUID
  @Column(as: UUID?.BytesRepresentation.self) var other: UUID?
  @Column(as: Rank.RawRepresentation.self) var rank: Rank
  @Column(as: Rank?.RawRepresentation.self) var next: Rank?
  @Column(as: Date?.UnixTimeRepresentation.self) var seen: Date?
  @Column(as: [String]?.JSONRepresentation.self) var tags: [String]?
  var email: Email?
}

@Suite struct RepresentationsTests {
  private func database() throws -> Connection {
    let db = try Connection(location: .inMemory)
    try db.execute(
      """
      CREATE TABLE "badges" (
        "id" BLOB PRIMARY KEY, "code" TEXT, "other" BLOB, "rank" INTEGER, "next" INTEGER,
        "seen" INTEGER, "tags" TEXT, "email" TEXT) STRICT
      """)
    return db
  }

  /// Each type is stored in its representation and read back equal.
  @Test func roundTrip() throws {
    let db = try database()
    let id = try #require(UUID(uuidString: "DEADBEEF-DEAD-BEEF-DEAD-BEEFDEADBEEF"))
    let full = Badge(
      id: id, code: id, other: id, rank: .high, next: .low,
      seen: Date(timeIntervalSince1970: 5), tags: ["a"], email: Email("a@b.c"))
    let bare = Badge(id: UUID(), code: id, rank: .low)
    try Badge.insert {
      full
      bare
    }.execute(db)
    #expect(try Badge.find(id).fetchAll(db) == [full])
    #expect(try Badge.where { $0.email.is(nil) }.fetchAll(db) == [bare])
    let stored = try db.rows(
      "SELECT hex(id), code, hex(other), rank, next, seen, tags, email FROM badges ORDER BY rank DESC"
    )
    let hex: Value = "DEADBEEFDEADBEEFDEADBEEFDEADBEEF"
    let expected: [Value] = [
      hex, "DEADBEEF-DEAD-BEEF-DEAD-BEEFDEADBEEF", hex, 2, 1, 5, #"["a"]"#, "a@b.c",
    ]
    #expect(Array(stored[0]) == expected)
    // `nil` is NULL, not JSON's null.
    let nulls = stored[1].suffix(4).filter(\.isNull)
    #expect(nulls.count == 4)
  }

  @Test func whatCannotBeReadSaysSo() throws {
    let db = try database()
    try db.execute(
      "INSERT INTO badges VALUES (X'01', 'x', NULL, 9, NULL, NULL, NULL, 'no address')")
    let id = #expect(throws: (any Error).self) { try Badge.select(\.id).fetchAll(db) }
    #expect("\(id!)".contains("to be UUID of 16 bytes"))
    let rank = #expect(throws: (any Error).self) { try Badge.select(\.rank).fetchAll(db) }
    #expect("\(rank!)".contains("to be Rank"))
    let email = #expect(throws: (any Error).self) { try Badge.select(\.email).fetchAll(db) }
    #expect("\(email!)".contains("to be Email"))
  }
}
