import Foundation
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

@Table
private struct Binary: Equatable {
  let id: Int
  @Column(as: Address.JSONBRepresentation.self) var address: Address
  @Column(as: [String].JSONBRepresentation?.self) var tags: [String]?
}

@Suite struct JSONBTests {
  private func database() throws -> Connection {
    let db = try Connection(location: .inMemory)
    try db.execute("CREATE TABLE binaries (id INTEGER PRIMARY KEY, address BLOB, tags BLOB) STRICT")
    return db
  }

  @Test func roundTrip() throws {
    let db = try database()
    let long = String(repeating: "é\"\\\n", count: 20_000)
    let rows = [
      Binary(
        id: 1,
        address: Address(
          street: "Main St", lines: ["a", "", long, String(repeating: "x", count: 300)],
          number: -7, place: Place(city: "Bern", isCapital: true), since: sampleDate),
        tags: ["x"]),
      Binary(id: 2, address: Address(), tags: nil),
    ]
    try Binary.insert { rows }.execute(db)
    #expect(try Binary.order(by: \.id).fetchAll(db) == rows)
  }

  /// The bytes that section 3 of https://sqlite.org/jsonb.html describes.
  @Test func format() {
    func bytes<T: Codable>(_ value: T) -> QueryBinding { T.JSONBRepresentation.bind(value) }
    #expect(bytes([true, false]) == .blob([0x2b, 0x01, 0x02]))
    #expect(bytes([1, -20]) == .blob([0x6b, 0x13, 0x31, 0x33, 0x2d, 0x32, 0x30]))
    #expect(bytes([1.5]) == .blob([0x4b, 0x35, 0x31, 0x2e, 0x35]))
    #expect(bytes([nil] as [Int?]) == .blob([0x1b, 0x00]))
    #expect(bytes(["a", "\""]) == .blob([0x4b, 0x17, 0x61, 0x1a, 0x22]))
    #expect(bytes(["k": 2]) == .blob([0x4c, 0x17, 0x6b, 0x13, 0x32]))
    // A size of 12 or more follows the first byte.
    #expect(
      bytes([String(repeating: "a", count: 12)])
        == .blob([0xcb, 14, 0xc7, 12] + Array(repeating: 0x61, count: 12)))
  }

  /// Forms that SQLite may write and this module does not: other sizes, and the spellings of JSON
  /// and JSON5.
  @Test func otherSpellings() throws {
    func read<T: Codable>(_ bytes: [UInt8], as type: T.Type) throws -> T? {
      try #sql("SELECT \(bind: bytes)", as: T.JSONBRepresentation.self).fetchOne(database())
    }
    #expect(try read([0xcb, 0x03, 0xc3, 0x01, 0x37], as: [Int].self) == [7])
    #expect(try read([0xdb, 0x00, 0x02, 0x13, 0x37], as: [Int].self) == [7])
    #expect(try read([0x5b, 0x44] + Array("0x1F".utf8), as: [Int].self) == [31])
    #expect(try read([0x3b, 0x26] + Array(".5".utf8), as: [Double].self) == [0.5])
    #expect(try read([0x7b, 0x68] + Array(#"\u0041"#.utf8), as: [String].self) == ["A"])
    #expect(try read([0x7b, 0x69] + Array(#"\x42\'"#.utf8), as: [String].self) == ["B'"])
    for broken: [UInt8] in [
      [], [0x1b], [0x0f], [0x6b, 0x13], [0x1c, 0x17], [0x00, 0x00], [0xfb, 0xff],
    ] {
      #expect(throws: RowDecodingError.self, "\(broken)") { try read(broken, as: [Int].self) }
    }
  }

  /// SQLite's functions read the bytes if the library knows JSONB. Otherwise the error says that it
  /// is too old.
  @Test func functions() throws {
    let db = try database()
    try Binary.insert { Binary(id: 1, address: Address(lines: ["a"]), tags: ["x", "y"]) }.execute(
      db)
    let query = Binary.select { ($0.tags.jsonArrayLength(), $0.address.json()) }
    if Version.library < Version(3, 45) {
      let error = #expect(throws: SQLiteError.self) { try query.fetchAll(db) }
      #expect(error?.message.hasPrefix("a JSON function on JSONB needs SQLite 3.45") == true)
    } else {
      let row = try #require(try query.fetchOne(db))
      #expect(row.0 == 2 && row.1.lines == ["a"])
      #expect(try Binary.select { $0.tags.jsonbSet(\.[0], "z") }.fetchOne(db) == ["z", "y"])
    }
  }
}
