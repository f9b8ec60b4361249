import Foundation
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

@Selection private struct Stamp: Codable, Equatable {
  @Column(as: Date.UnixTimeRepresentation.self) var at: Date
  @Column(as: UUID.BytesRepresentation.self) var key: UUID
}
@Table private struct Letter: Equatable {
  let id: Int
  @Column(as: Stamp.JSONRepresentation.self) var stamp: Stamp
  @Column(as: Date.UnixTimeRepresentation.self) var sent: Date
  @Column(as: UUID.BytesRepresentation.self) var key: UUID
}

@Selection private struct Packet: Codable, Equatable {
  var bytes: [UInt8]
}
@Table private struct Parcel: Equatable {
  let id: Int
  @Column(as: Packet.JSONRepresentation.self) var packet: Packet
}

/// A member of a document is compared in its representation: with values, with lists, with columns.
@Suite struct DocumentComparisonTests {
  private let at = Date(timeIntervalSince1970: 60)
  private let key = UUID(uuidString: "DEADBEEF-DEAD-BEEF-DEAD-BEEFDEADBEEF")!

  private func count(_ condition: (Letter.TableColumns) -> SQLQueryExpression<Bool>) throws -> Int {
    let db = try Connection(location: .inMemory)
    try db.execute(
      """
      CREATE TABLE "letters" ("id" INTEGER PRIMARY KEY, "stamp" TEXT NOT NULL,
        "sent" INTEGER NOT NULL, "key" BLOB NOT NULL) STRICT
      """)
    try Letter.insert { Letter(id: 1, stamp: Stamp(at: at, key: key), sent: at, key: key) }
      .execute(db)
    let condition = condition(Letter.columns)
    return try Letter.where { _ in condition }.fetchCount(db)
  }

  @Test func dates() throws {
    let later = at.addingTimeInterval(1)
    #expect(try count { $0.stamp.jsonExtract(\.at).eq(at) } == 1)
    #expect(try count { $0.stamp.jsonExtract(\.at) < later } == 1)
    #expect(try count { $0.stamp.jsonExtract(\.at) > later } == 0)
    #expect(try count { $0.stamp.jsonExtract(\.at).in([later, at]) } == 1)
    #expect(try count { $0.stamp.jsonExtract(\.at).between(at, and: later) } == 1)
    #expect(try count { $0.stamp.jsonExtract(\.at) == $0.sent } == 1)
  }

  /// Bytes are decoded in pieces of 512.
  @Test func manyBytes() throws {
    let db = try Connection(location: .inMemory)
    try db.execute(#"CREATE TABLE "parcels" ("id" INTEGER PRIMARY KEY, "packet" TEXT) STRICT"#)
    for count in [0, 1, 2, 511, 512, 513, 1_023, 1_024, 1_025, 20_000] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
      try Parcel.insert { Parcel(id: count, packet: Packet(bytes: bytes)) }.execute(db)
      let read = try Parcel.find(count).select { $0.packet.jsonExtract(\.bytes) }.fetchOne(db)
      #expect(read == bytes, "\(count) bytes")
    }
  }

  @Test func bytes() throws {
    #expect(try count { $0.stamp.jsonExtract(\.key).eq(key) } == 1)
    #expect(try count { $0.stamp.jsonExtract(\.key).neq(key) } == 0)
    #expect(try count { $0.stamp.jsonExtract(\.key).in([UUID(), key]) } == 1)
    #expect(try count { $0.stamp.jsonExtract(\.key) == $0.key } == 1)
    #expect(
      try count { $0.stamp.jsonExtract("$.key", as: UUID.BytesRepresentation.self).eq(key) } == 1)
    #expect(try count { $0.stamp.jsonSet(\.key, $0.key).jsonExtract(\.key) == $0.key } == 1)
  }
}
